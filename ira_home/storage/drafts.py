"""What was said of an answer that is not ended (table `message_drafts`)."""

from ira_home.base.ids import TurnId
from ira_home.domain.taint import Taint
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Transaction


class DraftStore:
    """At most one row for a turn; it goes with its turn."""

    def keep(self, tx: Transaction, turn_id: TurnId, text: str, taint: Taint) -> None:
        """Put this in place of what was kept; nothing for a turn that is gone."""
        tx.run(
            "INSERT OR REPLACE INTO message_drafts (turn_id, user_id, text, label, source, private)"
            " SELECT id, user_id, ?, ?, ?, ? FROM turns WHERE id = ?",
            (text, taint.label.value, taint.source, taint.is_private, turn_id),
        )

    def take(self, tx: Transaction, turn_id: TurnId) -> tuple[str, Taint] | None:
        """What was kept, which is then no longer."""
        row = tx.one(
            "DELETE FROM message_drafts WHERE turn_id = ? RETURNING text, label, source, private",
            (turn_id,),
        )
        if row is None:
            return None
        label = TrustLabel(row["label"])
        return row["text"], Taint(label, row["source"], is_private=bool(row["private"]))

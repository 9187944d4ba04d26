"""Tables tool_texts and tool_taints: what tools of the house were given to keep."""

from collections.abc import Iterable
from datetime import datetime

from ira_home.base.clock import rfc3339
from ira_home.base.ids import PersonId
from ira_home.domain.prints import all_prints, kept_prints
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Database, Transaction
from ira_home.storage.vault import SecretFile

_AT_ONCE = 500  # prints in one query


class ToolTextStore:
    """Knows whose words a tool's tables may hold."""

    def __init__(self, database: Database, secret: SecretFile) -> None:
        """Read and write in `database`; prints are keyed with the secret."""
        self._database = database
        self._key = secret.derive("prints")

    def add(
        self,
        tx: Transaction,
        keeper: str,
        texts: Iterable[str],
        *,
        person_id: PersonId,
        at: datetime,
    ) -> None:
        """Keep the prints of texts of this person's own that went to the keeper."""
        prints = frozenset().union(*(kept_prints(one, self._key) for one in texts))
        for one in sorted(prints):
            tx.run(
                "INSERT INTO tool_texts (keeper, print, user_id, created_at)"
                " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (keeper, one, person_id, rfc3339(at)),
            )

    def taint(self, tx: Transaction, keeper: str, label: TrustLabel, at: datetime) -> None:
        """Keep that the keeper was given words with this label, which nobody of the house said."""
        tx.run(
            "INSERT INTO tool_taints (keeper, label, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (keeper, label.value, rfc3339(at)),
        )

    async def label_of(self, keeper: str, text: str, person_id: PersonId) -> TrustLabel | None:
        """How a text of the keeper's is to be labelled for this person; None when it is theirs or the code's."""
        row = await self._database.one(
            "SELECT label FROM tool_taints WHERE keeper = ? ORDER BY label LIMIT 1", (keeper,)
        )
        if row is not None:
            return TrustLabel(row["label"])
        return TrustLabel.DEVICE if await self._is_anothers(keeper, text, person_id) else None

    async def _is_anothers(self, keeper: str, text: str, person_id: PersonId) -> bool:
        """Whether words in the text were given by another person."""
        others = "SELECT 1 FROM tool_texts WHERE keeper = ? AND user_id <> ?"
        if await self._database.one(f"{others} LIMIT 1", (keeper, person_id)) is None:
            return False
        prints = sorted(all_prints(text, self._key))
        for first in range(0, len(prints), _AT_ONCE):
            some = prints[first : first + _AT_ONCE]
            marks = ",".join("?" * len(some))
            sql = f"{others} AND print IN ({marks}) LIMIT 1"
            if await self._database.one(sql, (keeper, person_id, *some)) is not None:
                return True
        return False

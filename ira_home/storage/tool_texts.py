"""Table tool_texts: prints of what tools of the house were given to keep."""

from collections.abc import Sequence
from datetime import datetime

from ira_home.base.clock import rfc3339
from ira_home.base.ids import PersonId
from ira_home.domain.prints import STRETCH, all_prints, kept_prints, short_print
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Database, Transaction
from ira_home.storage.vault import SecretFile

_AT_ONCE = 500  # prints in one query


class ToolTextStore:
    """Knows texts again that went into a tool's tables."""

    def __init__(self, database: Database, secret: SecretFile) -> None:
        """Read and write in `database`; prints are keyed with the secret."""
        self._database = database
        self._key = secret.derive("prints")

    def add(
        self,
        tx: Transaction,
        keeper: str,
        texts: Sequence[str],
        *,
        label: TrustLabel,
        person_id: PersonId,
        at: datetime,
    ) -> None:
        """Keep the prints of texts with this label that the person's call gave to the keeper."""
        prints = {(STRETCH, one) for text in texts for one in kept_prints(text, self._key)}
        if not label.is_trusted:
            # In pieces, words are no less foreign; a person's own short words are everybody's.
            short = (short_print(text, self._key) for text in texts)
            prints |= {one for one in short if one is not None}
        for size, one in sorted(prints):
            tx.run(
                "INSERT INTO tool_texts (keeper, size, print, label, user_id, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (keeper, size, one, label.value, person_id, rfc3339(at)),
            )

    async def knows_foreign(self, keeper: str, text: str, person_id: PersonId) -> TrustLabel | None:
        """The label of a text within `text` that is not this person's own; None when there is none.

        What another person gave counts as well as what no person said.
        """
        sizes = await self._database.all(
            "SELECT DISTINCT size FROM tool_texts WHERE keeper = ?", (keeper,)
        )
        for row in sizes:
            prints = sorted(all_prints(text, self._key, row["size"]))
            label = await self._first_of(keeper, row["size"], prints, person_id)
            if label is not None:
                return label
        return None

    async def _first_of(
        self, keeper: str, size: int, prints: Sequence[int], person_id: PersonId
    ) -> TrustLabel | None:
        for first in range(0, len(prints), _AT_ONCE):
            some = prints[first : first + _AT_ONCE]
            marks = ",".join("?" * len(some))
            row = await self._database.one(
                f"SELECT label FROM tool_texts WHERE keeper = ? AND size = ? AND print IN ({marks})"  # noqa: S608 - marks alone
                " AND (user_id <> ? OR label IN ('device', 'web')) ORDER BY label LIMIT 1",
                (keeper, size, *some, person_id),
            )
            if row is not None:
                return TrustLabel(row["label"])
        return None

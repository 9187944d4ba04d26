"""Table tool_texts: prints of what tools of the house were given to keep."""

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
    """Knows texts again that went into a tool's tables."""

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
        label: TrustLabel,
        person_id: PersonId,
        at: datetime,
    ) -> None:
        """Keep the prints of texts with this label that the person's call gave to the keeper."""
        prints = frozenset().union(*(kept_prints(one, self._key) for one in texts))
        for one in sorted(prints):
            tx.run(
                "INSERT INTO tool_texts (keeper, print, label, user_id, created_at)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (keeper, one, label.value, person_id, rfc3339(at)),
            )

    async def knows_foreign(self, keeper: str, text: str, person_id: PersonId) -> TrustLabel | None:
        """The label of a text within `text` that is not this person's own; None when there is none.

        What another person gave counts as well as what no person said.
        """
        if not await self._has_any(keeper):
            return None
        prints = sorted(all_prints(text, self._key))
        for first in range(0, len(prints), _AT_ONCE):
            some = prints[first : first + _AT_ONCE]
            marks = ",".join("?" * len(some))
            row = await self._database.one(
                f"SELECT label FROM tool_texts WHERE keeper = ? AND print IN ({marks})"  # noqa: S608 - marks alone
                " AND (user_id <> ? OR label IN ('device', 'web')) ORDER BY label LIMIT 1",
                (keeper, *some, person_id),
            )
            if row is not None:
                return TrustLabel(row["label"])
        return None

    async def _has_any(self, keeper: str) -> bool:
        row = await self._database.one(
            "SELECT 1 FROM tool_texts WHERE keeper = ? LIMIT 1", (keeper,)
        )
        return row is not None

"""Tables tool_authors and tool_taints: whose words the tables of the house's tools may hold."""

from datetime import datetime

from ira_home.base.clock import rfc3339
from ira_home.base.ids import PersonId
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Database, Transaction


class ToolAuthorStore:
    """Knows who gave texts to a tool file, the keeper; never which texts."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    def add(self, tx: Transaction, keeper: str, person_id: PersonId, at: datetime) -> None:
        """Keep that this person gave the keeper words of their own."""
        tx.run(
            "INSERT INTO tool_authors (keeper, user_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (keeper, person_id, rfc3339(at)),
        )

    def taint(self, tx: Transaction, keeper: str, label: TrustLabel, at: datetime) -> None:
        """Keep that the keeper was given words with this label, which nobody of the house said."""
        tx.run(
            "INSERT INTO tool_taints (keeper, label, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (keeper, label.value, rfc3339(at)),
        )

    async def label_of(self, keeper: str, person_id: PersonId) -> TrustLabel | None:
        """How the keeper's texts are labelled for this person; None when all are theirs or the code's."""
        row = await self._database.one(
            "SELECT label FROM tool_taints WHERE keeper = ?1"
            " UNION ALL SELECT 'device' FROM tool_authors WHERE keeper = ?1 AND user_id <> ?2"
            " ORDER BY label LIMIT 1",
            (keeper, person_id),
        )
        return None if row is None else TrustLabel(row["label"])

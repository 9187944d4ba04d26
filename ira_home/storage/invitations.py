"""Table invitations: open invitations to make an account."""

from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import PersonId
from ira_home.domain.invitations import Invitation
from ira_home.domain.people import Role
from ira_home.storage.database import Database, Row, Transaction

_COLUMNS = "id, email, role, made_by, created_at, expires_at"
_BY_TOKEN = f"SELECT {_COLUMNS} FROM invitations WHERE token_hash = ?"  # noqa: S608 - constant columns
_ONE = f"SELECT {_COLUMNS} FROM invitations WHERE id = ?"  # noqa: S608 - constant columns
_ALL = f"SELECT {_COLUMNS} FROM invitations ORDER BY id DESC"  # noqa: S608 - constant columns


def _invitation_of(row: Row) -> Invitation:
    return Invitation(
        id=row["id"],
        email=row["email"],
        role=Role(row["role"]),
        made_by=PersonId(row["made_by"]),
        created_at=from_ms(row["created_at"]),
        expires_at=from_ms(row["expires_at"]),
    )


class InvitationStore:
    """Invitations by the SHA-256 of their token; a used one is deleted."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def list(self) -> list[Invitation]:
        """All that were not used, newest first, expired ones among them."""
        return [_invitation_of(row) for row in await self._database.all(_ALL)]

    async def by_token(self, token_hash: bytes) -> Invitation | None:
        """The invitation, or None."""
        row = await self._database.one(_BY_TOKEN, (token_hash,))
        return None if row is None else _invitation_of(row)

    def by_token_in(self, tx: Transaction, token_hash: bytes) -> Invitation | None:
        """The invitation as this transaction sees it, or None."""
        row = tx.one(_BY_TOKEN, (token_hash,))
        return None if row is None else _invitation_of(row)

    def get_in(self, tx: Transaction, invitation_id: int) -> Invitation | None:
        """The invitation of an id, or None."""
        row = tx.one(_ONE, (invitation_id,))
        return None if row is None else _invitation_of(row)

    def count_in(self, tx: Transaction) -> int:
        """How many are kept."""
        row = tx.one("SELECT count(*) AS n FROM invitations")
        return 0 if row is None else int(row["n"])

    def add(
        self,
        tx: Transaction,
        *,
        token_hash: bytes,
        email: str,
        role: Role,
        made_by: PersonId,
        at: datetime,
        expires_at: datetime,
    ) -> int:
        """Keep a new one in place of any other for the same address; its id."""
        self.drop_email(tx, email)
        return tx.insert(
            "INSERT INTO invitations (token_hash, email, role, made_by, created_at, expires_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (token_hash, email, role.value, made_by, to_ms(at), to_ms(expires_at)),
        )

    def drop(self, tx: Transaction, invitation_id: int) -> bool:
        """End one; False when it is gone already."""
        return tx.run("DELETE FROM invitations WHERE id = ?", (invitation_id,)) == 1

    def drop_email(self, tx: Transaction, email: str) -> None:
        """End those for an address."""
        tx.run("DELETE FROM invitations WHERE email = ?", (email,))

    def drop_expired(self, tx: Transaction, now: datetime) -> None:
        """Drop those that are over."""
        tx.run("DELETE FROM invitations WHERE expires_at <= ?", (to_ms(now),))

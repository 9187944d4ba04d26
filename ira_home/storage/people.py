"""Table users: the accounts of the house."""

from dataclasses import dataclass
from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import ApiTokenId, DeviceId, PersonId, SessionId
from ira_home.domain.people import Credential, Person, Role
from ira_home.storage.database import Database, Row, Transaction

PERSON_COLUMNS = (
    "users.id AS person_id, users.email, users.name AS person_name, users.role, "
    "users.created_at AS person_since, users.pin_hash IS NOT NULL AS has_pin"
)
_ONE = f"SELECT {PERSON_COLUMNS} FROM users WHERE id = ?"  # noqa: S608 - constant columns
_BY_EMAIL = f"SELECT {PERSON_COLUMNS} FROM users WHERE email = ?"  # noqa: S608 - constant columns
_ALL = f"SELECT {PERSON_COLUMNS} FROM users ORDER BY id"  # noqa: S608 - constant columns
_HASHES = "SELECT password_hash, pin_hash FROM users WHERE id = ?"
_ALIVE = {
    Credential.SESSION: "SELECT 1 FROM sessions WHERE id = ? AND user_id = users.id",
    Credential.API_TOKEN: "SELECT 1 FROM api_tokens WHERE id = ? AND user_id = users.id",
    Credential.DEVICE_TOKEN: (
        "SELECT 1 FROM devices WHERE id = ? AND user_id = users.id AND revoked_at IS NULL"
    ),
    Credential.OPERATOR: "SELECT ?",  # whoever has the machine needs no row
}
_ROLE = {
    kind: f"SELECT role FROM users WHERE id = ? AND EXISTS ({alive})"  # noqa: S608 - constant parts
    for kind, alive in _ALIVE.items()
}


@dataclass(frozen=True, slots=True)
class Hashes:
    """What is kept of a person's password and PIN."""

    password: str
    pin: str | None


@dataclass(frozen=True, slots=True)
class Ended:
    """What went away together with an account."""

    devices: tuple[DeviceId, ...]
    sessions: tuple[SessionId, ...]
    api_tokens: tuple[ApiTokenId, ...]


def person_of(row: Row) -> Person:
    """The person of a row that has PERSON_COLUMNS."""
    return Person(
        id=PersonId(row["person_id"]),
        email=row["email"],
        name=row["person_name"],
        role=Role(row["role"]),
        created_at=from_ms(row["person_since"]),
        has_pin=bool(row["has_pin"]),
    )


def _hashes_of(row: Row | None) -> Hashes | None:
    return None if row is None else Hashes(row["password_hash"], row["pin_hash"])


class PeopleStore:
    """Accounts by id and by case-folded e-mail address."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def get(self, person_id: PersonId) -> Person | None:
        """The person, or None."""
        row = await self._database.one(_ONE, (person_id,))
        return None if row is None else person_of(row)

    async def by_email(self, email: str) -> Person | None:
        """The person with this case-folded address, or None."""
        row = await self._database.one(_BY_EMAIL, (email,))
        return None if row is None else person_of(row)

    async def list(self) -> list[Person]:
        """Everyone, oldest account first."""
        return [person_of(row) for row in await self._database.all(_ALL)]

    async def hashes(self, person_id: PersonId) -> Hashes | None:
        """What password and PIN are checked against, or None without such a person."""
        return _hashes_of(await self._database.one(_HASHES, (person_id,)))

    async def is_empty(self) -> bool:
        """Whether nobody has an account."""
        return await self._database.one("SELECT 1 FROM users LIMIT 1") is None

    def get_in(self, tx: Transaction, person_id: PersonId) -> Person | None:
        """The person as this transaction sees them, or None."""
        row = tx.one(_ONE, (person_id,))
        return None if row is None else person_of(row)

    def role_in(
        self, tx: Transaction, person_id: PersonId, credential: Credential, credential_id: int
    ) -> Role | None:
        """The person's role as this transaction sees it; None without the person or the credential."""
        row = tx.one(_ROLE[credential], (person_id, credential_id))
        return None if row is None else Role(row["role"])

    def is_empty_in(self, tx: Transaction) -> bool:
        """Whether nobody has an account, as this transaction sees it."""
        return tx.one("SELECT 1 FROM users LIMIT 1") is None

    def is_taken_in(self, tx: Transaction, email: str) -> bool:
        """Whether somebody has this case-folded address."""
        return tx.one("SELECT 1 FROM users WHERE email = ?", (email,)) is not None

    def hashes_in(self, tx: Transaction, person_id: PersonId) -> Hashes | None:
        """The hashes as this transaction sees them, or None without such a person."""
        return _hashes_of(tx.one(_HASHES, (person_id,)))

    def owners_in(self, tx: Transaction) -> int:
        """How many owners the house has."""
        row = tx.one("SELECT count(*) AS owners FROM users WHERE role = 'owner'")
        return 0 if row is None else int(row["owners"])

    def add(
        self, tx: Transaction, *, email: str, name: str, role: Role, hashes: Hashes, at: datetime
    ) -> Person:
        """Make an account; the caller has checked that the address is free."""
        person_id = tx.insert(
            "INSERT INTO users (email, name, role, password_hash, pin_hash, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (email, name, role.value, hashes.password, hashes.pin, to_ms(at)),
        )
        return Person(
            id=PersonId(person_id),
            email=email,
            name=name,
            role=role,
            created_at=from_ms(to_ms(at)),
            has_pin=hashes.pin is not None,
        )

    def rename(self, tx: Transaction, person_id: PersonId, name: str) -> None:
        """Write a new name."""
        tx.run("UPDATE users SET name = ? WHERE id = ?", (name, person_id))

    def set_role(self, tx: Transaction, person_id: PersonId, role: Role) -> None:
        """Write a new role."""
        tx.run("UPDATE users SET role = ? WHERE id = ?", (role.value, person_id))

    def set_password(self, tx: Transaction, person_id: PersonId, password_hash: str) -> bool:
        """Write a new password hash; False when the person is gone."""
        statement = "UPDATE users SET password_hash = ? WHERE id = ?"
        return tx.run(statement, (password_hash, person_id)) == 1

    def set_pin(self, tx: Transaction, person_id: PersonId, pin_hash: str) -> bool:
        """Write a new PIN hash; False when the person is gone."""
        return tx.run("UPDATE users SET pin_hash = ? WHERE id = ?", (pin_hash, person_id)) == 1

    def remove(self, tx: Transaction, person_id: PersonId) -> Ended:
        """Delete the account; everything of the person goes with it, and every token is dead."""
        devices = tx.all(
            "SELECT id FROM devices WHERE user_id = ? AND revoked_at IS NULL", (person_id,)
        )
        sessions = tx.all("SELECT id FROM sessions WHERE user_id = ?", (person_id,))
        api_tokens = tx.all("SELECT id FROM api_tokens WHERE user_id = ?", (person_id,))
        tx.run("DELETE FROM users WHERE id = ?", (person_id,))
        return Ended(
            tuple(DeviceId(row["id"]) for row in devices),
            tuple(SessionId(row["id"]) for row in sessions),
            tuple(ApiTokenId(row["id"]) for row in api_tokens),
        )

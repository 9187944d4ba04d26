"""Table sessions: browsers in which people are signed in."""

from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import PersonId, SessionId
from ira_home.domain.people import Person
from ira_home.domain.sessions import SessionRow
from ira_home.storage.database import Database, Row, Transaction
from ira_home.storage.people import PERSON_COLUMNS, person_of

_COLUMNS = (
    "sessions.id, sessions.user_id, sessions.agent, sessions.address, sessions.created_at, "
    "sessions.used_at, sessions.verified_at"
)
_BY_TOKEN = (
    f"SELECT {_COLUMNS}, {PERSON_COLUMNS} FROM sessions "  # noqa: S608 - constant columns
    "JOIN users ON users.id = sessions.user_id WHERE sessions.token_hash = ?"
)
_OF_PERSON = (
    f"SELECT {_COLUMNS} FROM sessions "  # noqa: S608 - constant columns
    "WHERE user_id = ? ORDER BY used_at DESC, id DESC"
)


def _session_of(row: Row) -> SessionRow:
    verified = row["verified_at"]
    return SessionRow(
        id=SessionId(row["id"]),
        person_id=PersonId(row["user_id"]),
        agent=row["agent"],
        address=row["address"],
        created_at=from_ms(row["created_at"]),
        used_at=from_ms(row["used_at"]),
        verified_at=None if verified is None else from_ms(verified),
    )


class SessionStore:
    """Sessions by the SHA-256 of their token."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def by_token(self, token_hash: bytes) -> tuple[SessionRow, Person] | None:
        """The session and its person as they are now, or None."""
        row = await self._database.one(_BY_TOKEN, (token_hash,))
        return None if row is None else (_session_of(row), person_of(row))

    async def of_person(self, person_id: PersonId) -> list[SessionRow]:
        """The person's sessions, last used first."""
        return [_session_of(row) for row in await self._database.all(_OF_PERSON, (person_id,))]

    async def verified_at(self, session_id: SessionId) -> datetime | None:
        """When the password was last given in this session, or None."""
        row = await self._database.one(
            "SELECT verified_at FROM sessions WHERE id = ? AND verified_at IS NOT NULL",
            (session_id,),
        )
        return None if row is None else from_ms(row["verified_at"])

    def add(
        self,
        tx: Transaction,
        *,
        person_id: PersonId,
        token_hash: bytes,
        agent: str,
        address: str,
        at: datetime,
    ) -> SessionId:
        """Open a session; the password was given just now."""
        now = to_ms(at)
        session_id = tx.insert(
            "INSERT INTO sessions "
            "(user_id, token_hash, agent, address, created_at, used_at, verified_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (person_id, token_hash, agent, address, now, now, now),
        )
        return SessionId(session_id)

    def touch(self, tx: Transaction, session_id: SessionId, at: datetime) -> None:
        """Write when the session was last used."""
        tx.run("UPDATE sessions SET used_at = ? WHERE id = ?", (to_ms(at), session_id))

    def verify(self, tx: Transaction, session_id: SessionId, at: datetime) -> bool:
        """Write that the password was given again; False when the session is gone."""
        statement = "UPDATE sessions SET verified_at = ? WHERE id = ?"
        return tx.run(statement, (to_ms(at), session_id)) == 1

    def unverify(self, tx: Transaction, person_id: PersonId) -> None:
        """Make every session of the person give the password again for serious steps."""
        tx.run("UPDATE sessions SET verified_at = NULL WHERE user_id = ?", (person_id,))

    def end(self, tx: Transaction, person_id: PersonId, session_id: SessionId) -> bool:
        """End one session; False when it is not there or not this person's."""
        statement = "DELETE FROM sessions WHERE id = ? AND user_id = ?"
        return tx.run(statement, (session_id, person_id)) == 1

    def end_others(
        self, tx: Transaction, person_id: PersonId, keep: SessionId | None
    ) -> tuple[SessionId, ...]:
        """End all sessions of the person but one (or none); which they were."""
        rows = tx.all(
            "DELETE FROM sessions WHERE user_id = ? AND id IS NOT ? RETURNING id",
            (person_id, keep),
        )
        return tuple(SessionId(row["id"]) for row in rows)

    def end_excess(self, tx: Transaction, person_id: PersonId, keep: int) -> tuple[SessionId, ...]:
        """End all but the `keep` last used sessions of the person; which they were."""
        rows = tx.all(
            "DELETE FROM sessions WHERE user_id = ? AND id NOT IN (SELECT id FROM sessions "
            "WHERE user_id = ? ORDER BY used_at DESC, id DESC LIMIT ?) RETURNING id",
            (person_id, person_id, keep),
        )
        return tuple(SessionId(row["id"]) for row in rows)

    def end_expired(self, tx: Transaction, *, idle_since: datetime, opened_before: datetime) -> int:
        """Drop sessions unused since, or opened before, a moment; how many."""
        return tx.run(
            "DELETE FROM sessions WHERE used_at <= ? OR created_at <= ?",
            (to_ms(idle_since), to_ms(opened_before)),
        )

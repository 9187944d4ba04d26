"""Table api_tokens: credentials of people's own scripts."""

from collections.abc import Iterable
from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import ApiTokenId, PersonId
from ira_home.domain.api_tokens import ApiTokenRow
from ira_home.domain.people import Permission, Person
from ira_home.storage.database import Database, Row, Transaction
from ira_home.storage.people import PERSON_COLUMNS, person_of

_COLUMNS = (
    "api_tokens.id, api_tokens.user_id, api_tokens.name, api_tokens.scopes, "
    "api_tokens.created_at, api_tokens.used_at"
)
_BY_TOKEN = (
    f"SELECT {_COLUMNS}, {PERSON_COLUMNS} FROM api_tokens "  # noqa: S608 - constant columns
    "JOIN users ON users.id = api_tokens.user_id WHERE api_tokens.token_hash = ?"
)
_OF_PERSON = f"SELECT {_COLUMNS} FROM api_tokens WHERE user_id = ? ORDER BY id DESC"  # noqa: S608 - constant columns


def _token_of(row: Row) -> ApiTokenRow:
    used = row["used_at"]
    return ApiTokenRow(
        id=ApiTokenId(row["id"]),
        person_id=PersonId(row["user_id"]),
        name=row["name"],
        scopes=frozenset(Permission(scope) for scope in row["scopes"].split(",")),
        created_at=from_ms(row["created_at"]),
        used_at=None if used is None else from_ms(used),
    )


class ApiTokenStore:
    """API tokens by the SHA-256 of the token."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def by_token(self, token_hash: bytes) -> tuple[ApiTokenRow, Person] | None:
        """The token and its person as they are now, or None."""
        row = await self._database.one(_BY_TOKEN, (token_hash,))
        return None if row is None else (_token_of(row), person_of(row))

    async def of_person(self, person_id: PersonId) -> list[ApiTokenRow]:
        """The person's tokens, newest first."""
        return [_token_of(row) for row in await self._database.all(_OF_PERSON, (person_id,))]

    def count_in(self, tx: Transaction, person_id: PersonId) -> int:
        """How many tokens the person has."""
        row = tx.one("SELECT count(*) AS n FROM api_tokens WHERE user_id = ?", (person_id,))
        return 0 if row is None else int(row["n"])

    def add(
        self,
        tx: Transaction,
        *,
        person_id: PersonId,
        name: str,
        token_hash: bytes,
        scopes: Iterable[Permission],
        at: datetime,
    ) -> ApiTokenRow:
        """Keep a new token."""
        wanted = frozenset(scopes)
        token_id = tx.insert(
            "INSERT INTO api_tokens (user_id, name, token_hash, scopes, created_at) "
            "VALUES (?, ?, ?, ?, ?)",
            (person_id, name, token_hash, ",".join(sorted(wanted)), to_ms(at)),
        )
        return ApiTokenRow(
            id=ApiTokenId(token_id),
            person_id=person_id,
            name=name,
            scopes=wanted,
            created_at=from_ms(to_ms(at)),
            used_at=None,
        )

    def touch(self, tx: Transaction, token_id: ApiTokenId, at: datetime) -> None:
        """Write when the token was last used."""
        tx.run("UPDATE api_tokens SET used_at = ? WHERE id = ?", (to_ms(at), token_id))

    def end(self, tx: Transaction, person_id: PersonId, token_id: ApiTokenId) -> bool:
        """End one token; False when it is not there or not this person's."""
        statement = "DELETE FROM api_tokens WHERE id = ? AND user_id = ?"
        return tx.run(statement, (token_id, person_id)) == 1

    def end_all(self, tx: Transaction, person_id: PersonId) -> tuple[ApiTokenId, ...]:
        """End all tokens of the person; which they were."""
        rows = tx.all("DELETE FROM api_tokens WHERE user_id = ? RETURNING id", (person_id,))
        return tuple(ApiTokenId(row["id"]) for row in rows)

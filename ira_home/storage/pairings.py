"""Table device_pairings: open codes, known only by their keyed hash."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import PairingId, PersonId
from ira_home.base.jsontext import dump, parse
from ira_home.domain.devices import DeviceKind, Pairing
from ira_home.storage.database import Database, Row, Transaction

_COLUMNS: Final = "id, user_id, kind, label, skills, uses_left, expires_at"


@dataclass(frozen=True, slots=True)
class PairingTerms:
    """What a new code is for."""

    person_id: PersonId
    kind: DeviceKind
    label: str
    skills: tuple[str, ...]
    uses: int
    expires_at: datetime


def _pairing_of(row: Row) -> Pairing:
    return Pairing(
        id=PairingId(row["id"]),
        person_id=PersonId(row["user_id"]),
        kind=DeviceKind(row["kind"]),
        label=row["label"],
        skills=tuple(parse(row["skills"])),
        expires_at=from_ms(row["expires_at"]),
        uses_left=row["uses_left"],
    )


class PairingStore:
    """Codes that can still be claimed; one that is used up, cancelled or too old is gone."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def of_person(self, person_id: PersonId, now: datetime) -> list[Pairing]:
        """The person's open codes, newest first."""
        rows = await self._database.all(
            f"SELECT {_COLUMNS} FROM device_pairings WHERE user_id = ? AND expires_at > ? "  # noqa: S608 - constant columns
            "ORDER BY id DESC",
            (person_id, to_ms(now)),
        )
        return [_pairing_of(row) for row in rows]

    def add(
        self, tx: Transaction, terms: PairingTerms, *, code_hash: bytes, now: datetime
    ) -> Pairing:
        """Keep a new code."""
        pairing_id = tx.insert(
            "INSERT INTO device_pairings (user_id, code_hash, kind, label, skills, uses_left, "
            "created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                terms.person_id,
                code_hash,
                terms.kind.value,
                terms.label,
                dump(list(terms.skills)),
                terms.uses,
                to_ms(now),
                to_ms(terms.expires_at),
            ),
        )
        return Pairing(
            id=PairingId(pairing_id),
            person_id=terms.person_id,
            kind=terms.kind,
            label=terms.label,
            skills=terms.skills,
            expires_at=from_ms(to_ms(terms.expires_at)),
            uses_left=terms.uses,
        )

    def by_code(self, tx: Transaction, code_hash: bytes, now: datetime) -> Pairing | None:
        """The open pairing of a code, or None."""
        row = tx.one(
            f"SELECT {_COLUMNS} FROM device_pairings WHERE code_hash = ? AND expires_at > ? "  # noqa: S608 - constant columns
            "AND uses_left > 0",
            (code_hash, to_ms(now)),
        )
        return None if row is None else _pairing_of(row)

    def use(self, tx: Transaction, pairing: Pairing) -> None:
        """Take one use away; the last one ends the code."""
        tx.run("UPDATE device_pairings SET uses_left = uses_left - 1 WHERE id = ?", (pairing.id,))
        tx.run("DELETE FROM device_pairings WHERE id = ? AND uses_left <= 0", (pairing.id,))

    def cancel(self, tx: Transaction, person_id: PersonId, pairing_id: PairingId) -> bool:
        """End a code; False when it is not there or not this person's."""
        statement = "DELETE FROM device_pairings WHERE id = ? AND user_id = ?"
        return tx.run(statement, (pairing_id, person_id)) == 1

    def count(self, tx: Transaction, person_id: PersonId) -> int:
        """How many codes the person has open, after `end_expired`."""
        row = tx.one(
            "SELECT count(*) AS codes FROM device_pairings WHERE user_id = ?", (person_id,)
        )
        return 0 if row is None else int(row["codes"])

    def end_expired(self, tx: Transaction, now: datetime) -> int:
        """Drop codes whose time is over; how many."""
        return tx.run("DELETE FROM device_pairings WHERE expires_at <= ?", (to_ms(now),))

"""Table devices: paired programs and machines, by person and by token."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.jsontext import dump, parse
from ira_home.domain.devices import Device, DeviceKind, Pairing
from ira_home.storage.database import Database, Row, Transaction
from ira_home.storage.definitions import read_definitions

_LIVE: Final = "revoked_at IS NULL"
_COLUMNS: Final = (
    "id, user_id, kind, label, created_at, last_seen, version, skills, decided, tools, paired_from"
)
_GET: Final = f"SELECT {_COLUMNS} FROM devices WHERE id = ? AND {_LIVE}"  # noqa: S608 - constant columns
_BY_TOKEN: Final = f"SELECT {_COLUMNS} FROM devices WHERE token_hash = ? AND {_LIVE}"  # noqa: S608 - constant columns
_OF_PERSON: Final = f"SELECT {_COLUMNS} FROM devices WHERE user_id = ? AND {_LIVE} ORDER BY id DESC"  # noqa: S608 - constant columns


@dataclass(frozen=True, slots=True)
class OwnedDevice:
    """A device as an admin may see it: none of its tools, none of its output."""

    id: DeviceId
    person_id: PersonId
    person: str  # name
    email: str
    kind: DeviceKind
    label: str
    skills: tuple[str, ...]
    version: str
    created_at: datetime
    last_seen: datetime | None


def _moment(value: int | None) -> datetime | None:
    return None if value is None else from_ms(value)


@lru_cache(maxsize=256)
def _skills(text: str) -> frozenset[str]:
    """Equal ones are one object: a set of a few names takes 2 KiB, and every device has two."""
    return frozenset(parse(text))


def _device_of(row: Row) -> Device:
    return Device(
        id=DeviceId(row["id"]),
        person_id=PersonId(row["user_id"]),
        kind=DeviceKind(row["kind"]),
        label=row["label"],
        created_at=from_ms(row["created_at"]),
        last_seen=_moment(row["last_seen"]),
        version=row["version"],
        skills=_skills(row["skills"]),
        decided=_skills(row["decided"]),
        tools=read_definitions(row["tools"]),
        paired_from=row["paired_from"],
    )


class DeviceStore:
    """Devices that are not revoked; of revoked ones only the row stays, for the logs."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def get(self, device_id: DeviceId) -> Device | None:
        """The device, or None when there is none or it is revoked."""
        row = await self._database.one(_GET, (device_id,))
        return None if row is None else _device_of(row)

    def get_in(self, tx: Transaction, device_id: DeviceId) -> Device | None:
        """The device, as this transaction sees it."""
        row = tx.one(_GET, (device_id,))
        return None if row is None else _device_of(row)

    async def by_token(self, token_hash: bytes) -> Device | None:
        """The device whose token has this SHA-256, or None when there is none or it is revoked."""
        row = await self._database.one(_BY_TOKEN, (token_hash,))
        return None if row is None else _device_of(row)

    async def of_person(self, person_id: PersonId) -> list[Device]:
        """The person's devices, newest first."""
        return [_device_of(row) for row in await self._database.all(_OF_PERSON, (person_id,))]

    async def all(self, before: DeviceId | None, limit: int) -> list[OwnedDevice]:
        """At most `limit` devices of everybody, newest first, older than `before`."""
        rows = await self._database.all(
            "SELECT d.id, d.user_id, d.kind, d.label, d.skills, d.version, d.created_at, "
            "d.last_seen, u.name AS person, u.email FROM devices d JOIN users u ON u.id = d.user_id "
            "WHERE d.revoked_at IS NULL AND (? IS NULL OR d.id < ?) ORDER BY d.id DESC LIMIT ?",
            (before, before, limit),
        )
        return [_owned_of(row) for row in rows]

    async def ids(self) -> frozenset[DeviceId]:
        """The devices of everybody."""
        rows = await self._database.all("SELECT id FROM devices WHERE revoked_at IS NULL")
        return frozenset(DeviceId(row["id"]) for row in rows)

    def add(
        self, tx: Transaction, pairing: Pairing, *, token_hash: bytes, address: str, at: datetime
    ) -> Device:
        """A new device as its pairing says: the chosen skills are on, and so decided."""
        chosen = dump(sorted(pairing.skills))
        device_id = tx.insert(
            "INSERT INTO devices (user_id, kind, label, token_hash, skills, decided, paired_from, "
            "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                pairing.person_id,
                pairing.kind.value,
                pairing.label,
                token_hash,
                chosen,
                chosen,
                address,
                to_ms(at),
            ),
        )
        return _device_of(_found(tx.one(_GET, (device_id,))))

    def rename(self, tx: Transaction, device_id: DeviceId, label: str) -> None:
        """Give the device another label."""
        tx.run("UPDATE devices SET label = ? WHERE id = ?", (label, device_id))

    def set_skills(
        self, tx: Transaction, device_id: DeviceId, *, skills: Iterable[str], decided: Iterable[str]
    ) -> None:
        """Write which skills are switched on, and on which the person ever decided."""
        tx.run(
            "UPDATE devices SET skills = ?, decided = ? WHERE id = ?",
            (dump(sorted(skills)), dump(sorted(decided)), device_id),
        )

    def greet(
        self, tx: Transaction, device_id: DeviceId, *, version: str, tools: str, at: datetime
    ) -> bool:
        """Write what a good hello said; False when the device is revoked meanwhile."""
        statement = (
            "UPDATE devices SET version = ?, tools = ?, last_seen = ? WHERE id = ? "
            "AND revoked_at IS NULL"
        )
        return tx.run(statement, (version, tools, to_ms(at), device_id)) == 1

    def seen(self, tx: Transaction, devices: Iterable[tuple[DeviceId, datetime]]) -> None:
        """Write when devices were last heard."""
        for device_id, at in devices:
            tx.run("UPDATE devices SET last_seen = ? WHERE id = ?", (to_ms(at), device_id))

    def last_event_in(self, tx: Transaction, device_id: DeviceId) -> datetime | None:
        """When the device's last event was accepted."""
        row = tx.one("SELECT last_event FROM devices WHERE id = ?", (device_id,))
        return None if row is None else _moment(row["last_event"])

    def set_last_event(self, tx: Transaction, device_id: DeviceId, at: datetime) -> None:
        """Write when an event was accepted."""
        tx.run("UPDATE devices SET last_event = ? WHERE id = ?", (to_ms(at), device_id))

    def revoke(self, tx: Transaction, device_id: DeviceId, at: datetime) -> bool:
        """Make the token dead for ever; False when there is no such device any more."""
        statement = (
            "UPDATE devices SET revoked_at = ?, tools = '[]', skills = '[]' WHERE id = ? "
            "AND revoked_at IS NULL"
        )
        return tx.run(statement, (to_ms(at), device_id)) == 1


def _owned_of(row: Row) -> OwnedDevice:
    return OwnedDevice(
        id=DeviceId(row["id"]),
        person_id=PersonId(row["user_id"]),
        person=row["person"],
        email=row["email"],
        kind=DeviceKind(row["kind"]),
        label=row["label"],
        skills=tuple(parse(row["skills"])),
        version=row["version"],
        created_at=from_ms(row["created_at"]),
        last_seen=_moment(row["last_seen"]),
    )


def _found(row: Row | None) -> Row:
    if row is None:
        message = "a row that was just written is not there"
        raise LookupError(message)
    return row

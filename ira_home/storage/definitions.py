"""Table tool_definitions: what each device's person agreed to, and the JSON of a definition."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from ira_home.base.clock import to_ms
from ira_home.base.ids import DeviceId
from ira_home.base.jsontext import dump, parse
from ira_home.base.limits import JSON_DEPTH
from ira_home.domain.devices import ToolDefinition
from ira_home.domain.tools import Tier
from ira_home.storage.database import Database, Row, Transaction

# Devices that offer the same share what was read; a text far longer than usual is read anew.
_SHARED_CHARS: Final = 65_536
_DEPTH: Final = JSON_DEPTH + 4  # a frame's schema, inside a definition, inside a list


def definition_json(definition: ToolDefinition) -> dict[str, Any]:
    """The definition as a JSON object."""
    return {
        "name": definition.name,
        "description": definition.description,
        "parameters": dict(definition.parameters),
        "skill": definition.skill,
        "tier": int(definition.tier),
        "outward": definition.outward,
        "title": definition.title,
        "examples": list(definition.examples),
    }


def definitions_text(definitions: Iterable[ToolDefinition]) -> str:
    """A list of definitions as it is stored."""
    return dump([definition_json(one) for one in definitions])


def read_definitions(text: str) -> tuple[ToolDefinition, ...]:
    """The definitions of a stored list; equal texts give the very same objects."""
    return _shared(text) if len(text) <= _SHARED_CHARS else _read(text)


@lru_cache(maxsize=256)
def _shared(text: str) -> tuple[ToolDefinition, ...]:
    return _read(text)


def _read(text: str) -> tuple[ToolDefinition, ...]:
    return tuple(_definition_of(one) for one in parse(text, depth=_DEPTH))


def _definition_of(value: Mapping[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        name=value["name"],
        description=value["description"],
        parameters=value["parameters"],
        skill=value["skill"],
        tier=Tier(value["tier"]),
        outward=value["outward"],
        title=value["title"],
        examples=tuple(value["examples"]),
    )


def _by_name(rows: Iterable[Row]) -> dict[str, ToolDefinition]:
    return {row["name"]: read_definitions(row["definition"])[0] for row in rows}


class DefinitionStore:
    """The definition of each tool that holds on a device until a freer one is agreed to."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def of_person(self, person_id: int) -> dict[DeviceId, dict[str, ToolDefinition]]:
        """The definitions agreed to on each of a person's devices."""
        rows = await self._database.all(
            "SELECT t.device_id, t.name, t.definition FROM tool_definitions t "
            "JOIN devices d ON d.id = t.device_id WHERE d.user_id = ? AND d.revoked_at IS NULL",
            (person_id,),
        )
        found: dict[DeviceId, dict[str, ToolDefinition]] = {}
        for row in rows:
            one = {row["name"]: read_definitions(row["definition"])[0]}
            found.setdefault(DeviceId(row["device_id"]), {}).update(one)
        return found

    def of_device_in(self, tx: Transaction, device_id: DeviceId) -> dict[str, ToolDefinition]:
        """The definitions agreed to, by name, as this transaction sees them."""
        sql = "SELECT name, definition FROM tool_definitions WHERE device_id = ?"
        return _by_name(tx.all(sql, (device_id,)))

    def put(
        self, tx: Transaction, device_id: DeviceId, definition: ToolDefinition, at: datetime
    ) -> None:
        """Let this definition be the one agreed to."""
        tx.run(
            "INSERT OR REPLACE INTO tool_definitions (device_id, name, definition, agreed_at) "
            "VALUES (?, ?, ?, ?)",
            (device_id, definition.name, definitions_text([definition]), to_ms(at)),
        )

    def forget(self, tx: Transaction, device_id: DeviceId) -> None:
        """Drop everything agreed to on a device that is revoked."""
        tx.run("DELETE FROM tool_definitions WHERE device_id = ?", (device_id,))

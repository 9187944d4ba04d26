"""The support bundle of an open house: what helps to find a fault, and nothing of anybody's."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
import json
import re
from typing import Any

from ira_home.base.clock import Clock, rfc3339
from ira_home.base.limits import PAGE_ITEMS_MAX, SUPPORT_LOG_CHARS
from ira_home.base.machine import versions
from ira_home.base.server_log import LogLine, redacted
from ira_home.devices.registry import AdminDevice, Registry
from ira_home.domain.diagnosis import Finding
from ira_home.domain.support import ABOUT, PARTS, told_settings
from ira_home.household.backups import Backups
from ira_home.household.health import HealthLook
from ira_home.household.house import House
from ira_home.household.server_log import level_name
from ira_home.storage.storage import Storage

_VERSION = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What stands on other floors.

    `settings` gives the rows of `ira config show` for what the house keeps, `certificates` public
    facts of them, `broken` how many files of tools could not be used.
    """

    version: str
    settings: Callable[[Mapping[str, str]], Sequence[Mapping[str, Any]]]
    diagnose: Callable[[], Awaitable[tuple[Finding, ...]]]
    certificates: Callable[[], Mapping[str, Any]]
    log: Callable[[], Sequence[LogLine]]
    tools: int
    broken: int


class SupportBundle:
    """Puts the parts together anew each time; each is told by a closed list of what may stand in it."""

    def __init__(
        self, storage: Storage, house: House, health: HealthLook, *, backups: Backups,
        registry: Registry, sources: Sources, clock: Clock,
    ) -> None:  # fmt: skip
        """Nothing is read yet."""
        self._storage, self._house, self._health = storage, house, health
        self._backups, self._registry = backups, registry
        self._sources, self._clock = sources, clock

    @property
    def now(self) -> datetime:
        """When it is put together."""
        return self._clock.now()

    async def parts(self) -> dict[str, str]:
        """The text of each part, by its name in PARTS."""
        storage, sources = self._storage, self._sources
        found = {
            "versions.json": {"ira": sources.version, "sqlite": await storage.extent.engine()} | versions(),
            "settings.json": told_settings(sources.settings(await self._house.kept())),
            "diagnosis.json": [
                {"topic": one.topic, "state": one.state, "code": one.said} for one in await sources.diagnose()
            ],
            "health.json": await self._healthy(),
            "counts.json": await storage.extent.rows() | {"roles": await self._roles()},
            "devices.json": await self._devices(),
            "certificates.json": sources.certificates(),
            "migrations.json": await self._migrations(),
        }  # fmt: skip
        texts = {name: _json(value) for name, value in found.items()}
        texts |= {"about.txt": ABOUT, "log.txt": _log(sources.log())}
        return {name: texts[name] for name in PARTS}

    async def _healthy(self) -> dict[str, Any]:
        health = await self._health.look()
        told = asdict(health) | {
            "started_at": rfc3339(health.started_at),
            "written_at": health.written_at and rfc3339(health.written_at),
            "now": rfc3339(self._clock.now()),
            "short": health.short(),
        }
        return told | {"tools": self._sources.tools, "broken_tool_files": self._sources.broken}

    async def _roles(self) -> dict[str, int]:
        return dict(Counter(one.role.value for one in await self._storage.people.list()))

    async def _devices(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = await self._registry.list_all(cursor, PAGE_ITEMS_MAX)
            found += map(_device, page.items)
            cursor = page.next_cursor
            if cursor is None:
                return found

    async def _migrations(self) -> dict[str, Any]:
        backups = await self._backups.list()
        return {
            "database": await self._storage.extent.version(),
            "backups": [{"made_at": rfc3339(one.made_at), "bytes": one.bytes} for one in backups],
        }


def _device(one: AdminDevice) -> dict[str, Any]:
    device = one.device
    return {
        "id": device.id,
        "kind": device.kind.value,
        # Devices say themselves which version they are of.
        "version": device.version if _VERSION.fullmatch(device.version or "") else None,
        "online": one.online,
        "last_seen": device.last_seen and rfc3339(device.last_seen),
        "skills_on": len(device.skills),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _log(lines: Sequence[LogLine]) -> str:
    """The newest lines that fit, oldest first."""
    kept: list[str] = []
    left = SUPPORT_LOG_CHARS
    for one in lines:
        line = f"{rfc3339(one.at)} {level_name(one.level)} {one.part}: {redacted(one.text)}"
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "".join(f"{line}\n" for line in reversed(kept)) or "No line since the start.\n"

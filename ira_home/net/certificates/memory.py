"""What the house remembers beside its certificates. It is only a memory: a damaged one is empty."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
import ipaddress
from pathlib import Path
from typing import Any

from ira_home.base.clock import from_ms, rfc3339, to_ms
from ira_home.base.errors import BadJson
from ira_home.base.files import write_private
from ira_home.base.jsontext import dump, parse
from ira_home.net.certificates.profile import Certificate, names_of, pin

# An operator who asks for a new authority waits only for the devices; one that comes by itself
# leaves the people time to trust it in their browsers.
PEOPLE_DAYS = 30
LONGEST_DAYS = 90
_DAY_MS = 86_400_000


def read_seen(path: Path) -> dict[str, int]:
    """The addresses of the last days and when each was there."""
    seen = _read(path).get("seen")
    try:
        return {str(ipaddress.ip_address(one)): int(at) for one, at in (seen or {}).items()}
    except (TypeError, ValueError, AttributeError):
        return {}


def write_meta(path: Path, ca: Certificate, leaf: Certificate, seen: dict[str, int]) -> None:
    """What is in the server's certificate, for whoever looks into the folder, and the addresses seen.

    Nothing is written when only the hours of the addresses are other ones.
    """
    found = names_of(leaf)
    meta = {
        "names": sorted(found.dns),
        "addresses": sorted(found.addresses),
        "not_after": rfc3339(leaf.not_valid_after_utc),
        "pin": pin(ca),
        "seen": seen,
    }
    if _by_day(_read(path)) != _by_day(meta):
        write_private(path, dump(meta).encode())


def _by_day(meta: dict[str, Any]) -> dict[str, Any]:
    seen = meta.get("seen")
    if not isinstance(seen, dict):
        return meta
    days = {one: at // _DAY_MS if isinstance(at, int) else at for one, at in seen.items()}
    return meta | {"seen": days}


@dataclass(frozen=True, slots=True)
class RollOver:
    """A next authority that is announced: since when, when it may take over at the earliest, who heard."""

    since: datetime
    earliest: datetime
    seen: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def begun(cls, now: datetime, *, asked: bool) -> "RollOver":
        """One that begins now; `asked`: the operator wants it, it does not come by itself."""
        since = from_ms(to_ms(now))  # as it is kept
        return cls(since, since if asked else since + timedelta(days=PEOPLE_DAYS))

    @property
    def latest(self) -> datetime:
        """When it takes over, whoever has not heard of it."""
        return self.since + timedelta(days=LONGEST_DAYS)

    def is_due(self, now: datetime, paired: Collection[int], *, is_sure: bool) -> bool:
        """Whether it takes over: these are the devices that should have heard.

        `is_sure`: the clock can be believed. A device that has not heard is lost for good, so not for
        a clock that was turned and may be turned back.
        """
        is_late = is_sure and now >= self.latest
        return is_late or (now >= self.earliest and self.seen.issuperset(paired))

    def with_seen(self, devices: frozenset[int]) -> "RollOver":
        """The same after these have heard."""
        return replace(self, seen=self.seen | devices)

    @classmethod
    def read(cls, path: Path, *, otherwise: datetime) -> "RollOver":
        """As it was written; `otherwise` is when it began if nothing was."""
        found = _read(path)
        try:
            seen = frozenset(int(one) for one in found["seen"])
            return cls(from_ms(int(found["since"])), from_ms(int(found["earliest"])), seen)
        except (KeyError, TypeError, ValueError, OverflowError):
            return cls.begun(otherwise.astimezone(UTC), asked=False)

    def write(self, path: Path) -> None:
        """Keep it."""
        since, earliest = to_ms(self.since), to_ms(self.earliest)
        kept = {"since": since, "earliest": earliest, "seen": sorted(self.seen)}
        write_private(path, dump(kept).encode())


def _read(path: Path) -> dict[str, Any]:
    try:
        found = parse(path.read_bytes())
    except (OSError, BadJson):
        return {}
    return found if isinstance(found, dict) else {}

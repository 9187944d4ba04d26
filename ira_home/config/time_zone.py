"""The machine's own time zone, by its name."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ira_home.config.values import TIME_ZONE

_LOCAL_TIME = Path("/etc/localtime")
_NAMED = Path("/etc/timezone")


def local_zone(
    environ: Mapping[str, str], *, local_time: Path = _LOCAL_TIME, named: Path = _NAMED
) -> str:
    """The name like Asia/Kolkata, or UTC where the machine does not tell."""
    for guess in (environ.get("TZ", "").lstrip(":"), _linked(local_time), _written(named)):
        with suppress(ValueError):
            if zone := str(TIME_ZONE.read(guess)):
                return zone
    return "UTC"


def _linked(path: Path) -> str:
    """The part of a link's target that lies in the time zone database."""
    with suppress(OSError, RuntimeError):
        return str(path.readlink()).partition("zoneinfo/")[2]
    return ""


def _written(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text("ascii")[:100].strip()
    return ""

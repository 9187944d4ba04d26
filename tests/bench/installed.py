"""How much disk the server's packages take: the requirements of this installation, followed to their end."""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
import sys

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = "ira-home"
MODELS = frozenset({"openai"})
_TOP = Path(__file__).parents[2]
_OWN = ("ira_home",)
_MIB = 1024 * 1024


def measure() -> dict[str, float]:
    """`installed_mib` without packages of model providers, `installed_all_mib` with everything."""
    own = sum(_size(path) for name in _OWN for path in (_TOP / name).rglob("*"))
    return {
        "installed_mib": (own + _sum({"server"}, leave_out=MODELS)) / _MIB,
        "installed_all_mib": (own + _sum({"server", "companion"})) / _MIB,
    }


def _sum(extras: set[str], leave_out: frozenset[str] = frozenset()) -> int:
    names = set(_closure(PROJECT, extras, leave_out, set()))
    return sum(_bytes(distribution(name)) for name in names)


def _closure(
    name: str, extras: set[str], leave_out: frozenset[str], seen: set[str]
) -> Iterator[str]:
    """The names of everything that a distribution needs on this machine, itself left out."""
    for text in distribution(name).requires or ():
        needed = Requirement(text)
        found = str(canonicalize_name(needed.name))
        wanted = needed.marker is None or any(
            needed.marker.evaluate({"extra": extra}) for extra in extras | {""}
        )
        key = f"{found}[{','.join(sorted(needed.extras))}]"
        if wanted and found not in leave_out and key not in seen:
            seen.add(key)
            yield found
            yield from _closure(found, set(needed.extras), leave_out, seen)


def _bytes(found: Distribution) -> int:
    files = found.files or ()
    return sum(_size(Path(str(found.locate_file(file)))) for file in files)


def _size(path: Path) -> int:
    """What a file takes on the disk; compiled code counts for the Python that runs, links do not."""
    tag = f".{sys.implementation.cache_tag}."
    if path.is_symlink() or not path.is_file() or (path.suffix == ".pyc" and tag not in path.name):
        return 0
    status = path.stat()
    return getattr(status, "st_blocks", 0) * 512 or status.st_size

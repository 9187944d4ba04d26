"""This computer and this program: memory, and the versions of what runs."""

from importlib import metadata
import os
from pathlib import Path
import platform
import ssl
import sys

LIBRARIES = (
    "aiohttp", "msgspec", "cryptography", "aiosqlite", "jsonschema-rs", "zeroconf", "uvloop", "jinja2",
    "argon2-cffi", "openai",
)  # fmt: skip
_PROC = Path("/proc")


def memory_used() -> int | None:
    """The bytes of memory that this process holds; None where the system does not tell."""
    try:
        pages = int((_PROC / "self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def memory_free() -> int | None:
    """The bytes of memory that this computer still has for programs; None where it does not tell."""
    try:
        for line in (_PROC / "meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        return None
    return None


def versions() -> dict[str, object]:
    """What runs here: system, Python and libraries; no name of the computer or of its user."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "is_bundle": bool(getattr(sys, "frozen", False)),
        "openssl": ssl.OPENSSL_VERSION,
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None

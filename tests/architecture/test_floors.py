"""The house's floors: who may import whom, counting lazy and type-only imports too."""

import ast
from collections.abc import Iterator
from pathlib import Path
import subprocess
import sys

import pytest

TOP = Path(__file__).parents[2]
ROOT = TOP / "ira_home"

_BELOW_WEB = {
    "base", "protocol", "domain", "providers", "net", "access", "devices", "tools", "assistant", "channels", "household",
}  # fmt: skip
MAY_IMPORT: dict[str, set[str]] = {
    "base": set(),
    "protocol": {"base"},
    "domain": {"base"},
    "config": {"base"},
    "storage": {"base", "domain"},
    "providers": {"base", "domain"},
    "net": {"base", "protocol", "domain"},
    "access": {"base", "domain", "storage"},
    "devices": {"base", "protocol", "domain", "storage", "access"},
    "tools": {"base", "protocol", "domain", "storage", "access", "devices"},
    "assistant": {"base", "domain", "storage", "access", "tools"},
    "channels": {"base", "domain", "storage", "access", "tools", "assistant"},
    "household": {
        "base",
        "domain",
        "storage",
        "access",
        "devices",
        "tools",
        "assistant",
        "channels",
    },
    "web": _BELOW_WEB,
    "control": _BELOW_WEB | {"web"},
    "cli": {"app", "config", "control", "base", "domain"},
}
WIRING = {"app", "__main__", "__init__"}
FENCES: dict[str, set[str]] = {
    "aiosqlite": {"storage.database"},
    "sqlite3": {"storage.database"},
    "cryptography": {"net.certificates", "storage.vault"},
    "zeroconf": {"net.mdns", "protocol.mdns_look"},
    "qrcode": {"net.qr"},
    "aiohttp": {"web", "providers", "channels", "app"},
}
CLIENTS = {
    "ira_device": TOP / "clients" / "python" / "ira_device",
    "ira_companion": TOP / "clients" / "desktop" / "ira_companion",
}
MAX_LINES = 400
ALLOWED_AT_THE_TOP = {
    "ira_home", "tests", "clients", "packaging", "docs", "pyproject.toml", "ira.spec", "README.md",
    "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "LICENSE",
}  # fmt: skip


def module_name(path: Path) -> str:
    """The dotted name under ira_home."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def imported(path: Path) -> Iterator[str]:
    """Absolute dotted targets of every import statement, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import on line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inner(name: str) -> set[str]:
    """Modules of ira_home that a module imports."""
    found = set()
    for target in imported(MODULES[name]):
        if target.startswith("ira_home."):
            tail = target.removeprefix("ira_home.")
            while tail and tail not in MODULES:
                tail = tail.rpartition(".")[0]
            found.add(tail)
    return found - {name, ""}


def package(name: str) -> str:
    """The floor's package of a module."""
    return name.partition(".")[0]


def test_the_scan_sees_the_tree() -> None:
    assert len(MODULES) > 100


@pytest.mark.parametrize("name", MODULES)
def test_module_keeps_to_its_floor(name: str) -> None:
    home = package(name)
    if home in WIRING:
        return
    wrong = {t for t in inner(name) if package(t) != home and package(t) not in MAY_IMPORT[home]}
    assert not wrong, f"{name} must not import {sorted(wrong)}"


def test_there_is_no_import_circle() -> None:
    todo = {name: inner(name) for name in MODULES}
    while free := {name for name, needs in todo.items() if not needs & todo.keys()}:
        for name in free:
            del todo[name]
    assert not todo, f"circle among {sorted(todo)}"


@pytest.mark.parametrize("name", MODULES)
def test_third_party_stays_behind_its_fence(name: str) -> None:
    for target in imported(MODULES[name]):
        allowed = FENCES.get(target.partition(".")[0])
        if allowed is not None:
            fits = any(name == one or name.startswith(f"{one}.") for one in allowed)
            assert fits, f"{name} imports {target}"


def python_files() -> list[Path]:
    """Every Python file of the project."""
    folders = (ROOT, TOP / "clients", TOP / "tests", TOP / "packaging")
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def test_every_file_is_small() -> None:
    sizes = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in python_files()}
    large = {str(p.relative_to(TOP)): lines for p, lines in sizes.items() if lines > MAX_LINES}
    assert not large


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_imports_only_base_and_protocol(client: str) -> None:
    for path in CLIENTS[client].rglob("*.py"):
        for target in imported(path):
            if target.startswith("ira_home."):
                assert target.split(".")[1] in {"base", "protocol"}, f"{path.name}: {target}"


def test_what_clients_import_stays_light() -> None:
    code = (
        "import sys, ira_home.protocol.codec, ira_home.protocol.pairing_link, ira_home.protocol.mdns_look;"
        "print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"aiohttp", "aiosqlite", "cryptography", "zeroconf", "qrcode", "jinja2", "sqlite3"}
    assert not heavy & set(out.stdout.split())


def test_nothing_else_stands_at_the_top() -> None:
    tracked = subprocess.run(
        ["git", "-C", str(TOP), "ls-files"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    names = {line.partition("/")[0] for line in tracked if line and not line.startswith(".")}
    assert names <= ALLOWED_AT_THE_TOP, sorted(names - ALLOWED_AT_THE_TOP)

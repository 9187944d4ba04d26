"""Finding what was added as one file: every module of a package that declares a constant."""

from collections.abc import Iterator
import importlib
import pkgutil
from types import ModuleType
from typing import Any


def modules(package: str) -> Iterator[ModuleType]:
    """Every module directly in the package, imported, in order of name."""
    home = importlib.import_module(package)
    for found in sorted(pkgutil.iter_modules(home.__path__), key=lambda one: one.name):
        yield importlib.import_module(f"{package}.{found.name}")


def declared(package: str, constant: str) -> Iterator[tuple[str, Any]]:
    """(module name, value) of the constant in each module of the package that has it."""
    for module in modules(package):
        if hasattr(module, constant):
            yield module.__name__, getattr(module, constant)

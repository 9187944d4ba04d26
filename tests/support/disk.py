"""A disk that is cut off or full at one step of a work."""

from pathlib import Path

import pytest


class Cut(BaseException):
    """The power went off."""


class Disk:
    """Counts what changes names on the disk, and fails at one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> None:
        self.steps = 0
        replace, unlink = Path.replace, Path.unlink

        def step() -> None:
            self.steps += 1
            if self.steps == at:
                raise error

        def counted_replace(path: Path, target: Path) -> Path:
            step()
            return replace(path, target)

        def counted_unlink(path: Path, *, missing_ok: bool = False) -> None:
            step()
            unlink(path, missing_ok=missing_ok)

        monkeypatch.setattr(Path, "replace", counted_replace)
        monkeypatch.setattr(Path, "unlink", counted_unlink)

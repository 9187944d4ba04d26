"""What a module of `providers/llm` declares to be found: its name, and how to make its brain."""

from collections.abc import Callable
from dataclasses import dataclass

from ira_home.domain.ports import LanguageModel


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a brain is and by what name and key; empty where it needs none."""

    url: str = ""
    model: str = ""
    key: str = ""

    def __repr__(self) -> str:
        """Without the key, so that it can stand in no log."""
        return f"Endpoint(url={self.url!r}, model={self.model!r})"


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of brain that settings can name. `make` never fails: what is wrong is said on use."""

    name: str
    make: Callable[[Endpoint], LanguageModel]

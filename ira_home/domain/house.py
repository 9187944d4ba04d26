"""The house's own settings, changed by owner and admins."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

MODEL_PROVIDERS = ("none", "openai")


class HouseSkill(StrEnum):
    """What the house does for each person who has switched it on (the setting `web_search`).

    The value is how a person and a brain are told of it. `command` sets it up on the server.
    """

    WEB_SEARCH = "web search"
    NEWS = "news"

    @property
    def command(self) -> str:
        """What whoever runs the server types to set it up."""
        return {HouseSkill.WEB_SEARCH: "ira search set", HouseSkill.NEWS: "ira feeds add"}[self]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which brain answers: `none` is the no-key one. `key` is never shown again."""

    provider: str
    url: str
    name: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class LocalBrain:
    """A server of models that answers on this very computer; `kind` is what its people call it."""

    kind: str
    url: str
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HouseView:
    """What the console shows of the house. `version` counts changes, for If-Match.

    `advertise` is the address that was chosen for links and QR codes, empty for the best there is.

    `feeds` are those that the house keeps; `feeds_named` stand in the settings of the server, which
    only whoever runs it can change. `set_outside` names the settings of which the same is true.
    """

    name: str
    time_zone: str
    model_provider: str
    model_url: str
    model_name: str
    model_key_set: bool
    version: int
    search_url: str = ""
    search_key_set: bool = False
    advertise: str = ""
    feeds: tuple[str, ...] = ()
    feeds_named: tuple[str, ...] = ()
    set_outside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BackupRow:
    """A backup that lies in the data folder."""

    name: str
    made_at: datetime
    bytes: int

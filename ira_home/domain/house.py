"""The house's own settings, changed by owner and admins."""

from dataclasses import dataclass, field
from datetime import datetime

MODEL_PROVIDERS = ("none", "openai")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which brain answers: `none` is the no-key one. `key` is never shown again."""

    provider: str
    url: str
    name: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class HouseView:
    """What the console shows of the house. `version` counts changes, for If-Match."""

    name: str
    time_zone: str
    model_provider: str
    model_url: str
    model_name: str
    model_key_set: bool
    version: int


@dataclass(frozen=True, slots=True)
class BackupRow:
    """A backup that lies in the data folder."""

    name: str
    made_at: datetime
    bytes: int

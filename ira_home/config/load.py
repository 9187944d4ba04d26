"""Which value of a setting holds: flag > environment > `ira.yaml` > stored preference > default."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ira_home.base.errors import ConfigError
from ira_home.config.file import read_file
from ira_home.config.secret import Secret
from ira_home.config.settings import FILE, PREFIX, TABLE, Setting, Settings

ORIGINS = ("flag", "environment", "file", "stored", "default")
_FROM = "_FILE"  # IRA_MODEL_KEY_FILE names a file that holds the key
_FILE_CHARS = 4_096


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force and where each came from.

    `unknown` are IRA_ variables that name no setting: worth a warning, since a name may be misspelled.
    """

    settings: Settings
    unknown: tuple[str, ...] = ()
    _layers: Mapping[str, Mapping[str, object]] = field(default_factory=dict, repr=False)

    def origin(self, name: str) -> str:
        """One of ORIGINS; raises KeyError for what is no setting."""
        TABLE[name]
        return next((one for one in ORIGINS if name in self._layers.get(one, {})), "default")

    @property
    def set_outside(self) -> frozenset[str]:
        """The settings that a house may store and that stand above what it stores."""
        above = {"flag", "environment", "file"}
        return frozenset(
            name for name, one in TABLE.items() if one.is_stored and self.origin(name) in above
        )

    def with_stored(self, stored: Mapping[str, object]) -> "Loaded":
        """The same with the house's stored preferences; an empty one counts as not stored.

        Other keys are passed over, and so is what cannot be read any more (a time zone that is gone,
        say): the house must open whatever it once kept.
        """
        layers = {**self._layers, "stored": _stored(stored)}
        return replace(self, settings=_settings(layers), _layers=layers)

    def in_force(self, stored: Mapping[str, object]) -> dict[str, str]:
        """What holds of the settings that a house may store, given what it stores; secrets in clear.

        What is not set is an empty text.
        """
        settings = self.with_stored(stored).settings
        found = {name: getattr(settings, name) for name, one in TABLE.items() if one.is_stored}
        return {name: _in_words(value) for name, value in found.items()}

    def rows(self) -> list[dict[str, Any]]:
        """Every setting as `ira config show` prints it; a secret is never shown."""
        return [
            {
                "name": name,
                "value": _shown(getattr(self.settings, name)),
                "origin": self.origin(name),
            }
            for name in TABLE
        ]


def load(flags: Mapping[str, object | None], environ: Mapping[str, str]) -> Loaded:
    """Read all that can be set before the house is open; raises ConfigError.

    `flags` are by setting; None is a flag that was not given. An empty variable counts as not set.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    layers: dict[str, Mapping[str, object]] = {
        "flag": {name: _read(TABLE[name], value, "flag") for name, value in given.items()},
        "environment": _environment(environ),
    }
    layers["file"] = _file(_settings(layers).data_dir)
    return Loaded(_settings(layers), _unknown(environ), layers)


def _settings(layers: Mapping[str, Mapping[str, object]]) -> Settings:
    found: dict[str, Any] = {}
    for origin in reversed(ORIGINS):
        found |= layers.get(origin, {})
    return Settings(**found)


def _environment(environ: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, setting in TABLE.items():
        variable = setting.variable
        if value := environ.get(variable):
            found[name] = _read(setting, value, "environment", variable)
        elif source := environ.get(variable + _FROM):
            found[name] = _read(
                setting, _content(variable + _FROM, source), "environment", variable
            )
    return found


def _content(variable: str, source: str) -> str:
    try:
        with Path(source).open(encoding="utf-8") as file:
            return file.read(_FILE_CHARS).strip()
    except (OSError, ValueError):
        message = f"{variable} names a file that cannot be read: {source}."
        raise ConfigError(message) from None


def _file(data_dir: Path) -> dict[str, object]:
    path, found = data_dir / FILE, {}
    for name, value in read_file(path).items():
        if name not in TABLE or name == "data_dir":
            raise ConfigError(_no_such(name, path))
        if value is not None:
            found[name] = _read(TABLE[name], value, "file", f"{name} in {path}")
    return found


def _stored(stored: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in stored.items():
        if name in TABLE and TABLE[name].is_stored and value not in (None, ""):
            with suppress(ConfigError):
                found[name] = _read(TABLE[name], value, "stored")
    return found


def _no_such(name: str, path: Path) -> str:
    if name == "data_dir":
        return f"data_dir cannot stand in {path}, which lies in that folder: use --data or IRA_DATA_DIR."
    near = get_close_matches(name, TABLE, n=1)
    hint = f" Did you mean “{near[0]}”?" if near else ""
    return f"{path} sets “{name[:40]}”, which is no setting.{hint}"


def _read(setting: Setting, value: object, origin: str, named: str | None = None) -> object:
    try:
        return setting.kind.read(value)
    except ValueError:
        named = named or f"{setting.name} ({origin})"
        message = f"{named} must be {setting.kind.words}."
        raise ConfigError(message, name=setting.name, origin=origin) from None


def _unknown(environ: Mapping[str, str]) -> tuple[str, ...]:
    known = {one.variable for one in TABLE.values()}
    known |= {one + _FROM for one in known}
    return tuple(sorted(name for name in environ if name.startswith(PREFIX) and name not in known))


def _in_words(value: object) -> str:
    if isinstance(value, Secret):
        return value.reveal()
    return ", ".join(value) if isinstance(value, tuple) else str(value or "")


def _shown(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    return list(value) if isinstance(value, tuple) else str(value)

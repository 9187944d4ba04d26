"""Reading `ira.yaml`: a flat list of settings, nothing else."""

from pathlib import Path
from typing import Any

import yaml

from ira_home.base.errors import ConfigError

FILE_BYTES = 65_536  # a few settings; more is not such a file


class _Loader(yaml.SafeLoader):
    """Refuses a setting that stands twice, where YAML would quietly take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - the signature of PyYAML
        made = super().construct_mapping(node, deep=deep)
        if len(made) != len(node.value):
            message = "a setting stands twice"
            raise yaml.YAMLError(message)
        return made


def read_file(path: Path) -> dict[str, object]:
    """What the file sets, nothing when there is none; raises ConfigError."""
    try:
        with path.open("rb") as file:
            content = file.read(FILE_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror})."
        raise ConfigError(message) from error
    if len(content) > FILE_BYTES:
        message = f"{path} is too large: it holds a few settings, one a line."
        raise ConfigError(message)
    return _settings_of(path, content)


def _settings_of(path: Path, content: bytes) -> dict[str, object]:
    try:
        # The loader is SafeLoader's own: it makes plain values only.
        found = yaml.load(content, _Loader)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"{path} is not readable: {_where(error)}."
        raise ConfigError(message) from None
    if found is None:
        return {}
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        message = f"{path} must hold settings, one a line, like “port: 8443”."
        raise ConfigError(message)
    return found


def _where(error: Exception) -> str:
    """What is wrong and in which line, without the line itself (it may hold a key)."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or (str(error) if not mark else "") or "it is not YAML"
    return f"line {mark.line + 1}: {what}" if mark else str(what)

"""What every command of the companion needs: its state folder and its device."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
import shlex
from typing import Any, Final

import click

from ira_companion.state import default_folder
from ira_device.client import Device, this_kind
from ira_device.refusals import NotPaired
from ira_device.store import Paired, Store
from ira_home.base.programs import called

FOLDER_VARIABLE: Final = "IRA_COMPANION_DIR"


def state_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--state DIR`, which may stand before or behind the subcommand."""
    return click.option(
        "--state",
        type=click.Path(path_type=Path, file_okay=False),
        help=f"The companion's own folder; otherwise {FOLDER_VARIABLE}, otherwise this user's own.",
    )(command)


def chosen_state(context: click.Context, state: Path | None) -> Path:
    """The state folder that was chosen, as an absolute path."""
    outer = context.find_root().params.get("state")
    given: Path = state or outer or default_folder()
    return given.expanduser().absolute()


def command(folder: Path, *words: str) -> str:
    """A command of the companion on this state folder, as it can be typed on this computer."""
    state = () if folder == default_folder() else ("--state", str(folder))
    return " ".join([called("ira-companion", "ira_companion"), *map(shlex.quote, state), *words])


def paired_of(folder: Path) -> Paired:
    """The pairing in the state folder; raises NotPaired with what to type, or DataFolderError."""
    try:
        return Store(folder, keyring=None).load()
    except NotPaired:
        message = f"This computer is not paired yet. Pair it: {command(folder, 'pair')}"
        raise NotPaired(message) from None


def own_version() -> str:
    """The version of what is installed."""
    try:
        return version("ira-home")
    except PackageNotFoundError:
        return ""


def device_of(
    folder: Path,
    label: str,
    *,
    use_keyring: bool = True,
    changed: Callable[[bool, str], None] | None = None,
) -> Device:
    """The device whose pairing is in the state folder."""
    store = Store.of(folder, use_keyring=use_keyring)
    return Device(label, kind=this_kind(), version=own_version(), store=store, changed=changed)

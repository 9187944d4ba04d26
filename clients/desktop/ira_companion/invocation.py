"""What every command of the companion needs: its state folder and its device."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import click

from ira_companion.state import default_folder
from ira_device.client import Device, this_kind
from ira_device.store import Store

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

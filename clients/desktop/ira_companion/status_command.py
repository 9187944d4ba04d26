"""`ira-companion status`: paired with whom, running, connected."""

from pathlib import Path
import sys
from typing import Any

import click

from ira_companion.invocation import chosen_state, command, state_option
from ira_companion.settings import SettingsFile
from ira_companion.state import is_running, read_status
from ira_device.refusals import EXIT_STATUS, NotPaired
from ira_device.store import Paired, Store
from ira_device.terminal import where_token
from ira_home.base.jsontext import dump


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@state_option
@click.pass_context
def status(context: click.Context, state: Path | None, *, as_json: bool) -> None:
    """Show how the companion is doing; the exit status is 3 when it is not paired."""
    folder = chosen_state(context, state)
    try:
        paired = Store(folder, keyring=None).load()
    except NotPaired:
        paired = None
    found = _found(folder, paired)
    if as_json:
        click.echo(dump(found))
    else:
        for line in _lines(folder, paired, found):
            click.echo(line)
    if paired is None:
        sys.exit(EXIT_STATUS[NotPaired])


def _found(folder: Path, paired: Paired | None) -> dict[str, Any]:
    running = read_status(folder)
    return {
        "paired": paired is not None,
        "running": is_running(folder),
        "connected": running is not None and running.connected,
        "words": running.words if running else None,
        "since": running.since if running else None,
        "server": str(paired.address) if paired else None,
        "device_id": paired.device_id if paired else None,
        "kind": paired.kind if paired else None,
        "label": paired.label if paired else None,
        "assistant": paired.assistant if paired else None,
        "token_in": paired.kept_in if paired else None,
        "folders": [str(one.path) for one in SettingsFile(folder).folders()],
        "state": str(folder),
    }


def _lines(folder: Path, paired: Paired | None, found: dict[str, Any]) -> list[str]:
    if paired is None:
        return [f"Not paired. Pair this computer: {command(folder, 'pair')}"]
    doing = f"not running: {command(folder, 'run')}"
    if found["running"]:
        doing = f"{found['words'] or 'starting'} (since {found['since'] or 'now'})"
    allowed = (
        ", ".join(found["folders"]) or f"no folder: {command(folder, 'folders', 'add', 'DIR')}"
    )
    return [
        f"Paired with {paired.assistant} at {paired.address} as “{paired.label}”.",
        f"Now: {doing}",
        f"Ira may read: {allowed}",
        where_token(paired, folder),
    ]

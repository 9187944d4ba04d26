"""`ira-companion folders`: what Ira may read on this computer."""

from pathlib import Path

import click

from ira_companion.invocation import chosen_state, command, state_option
from ira_companion.settings import SettingsFile
from ira_home.base.jsontext import dump


@click.group()
def folders() -> None:
    """Choose which folders Ira may read. A change counts at once, also while the companion runs."""


@folders.command()
@click.argument("paths", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@state_option
@click.pass_context
def add(context: click.Context, paths: tuple[Path, ...], state: Path | None) -> None:
    """Let Ira read these folders and all folders in them."""
    for folder in SettingsFile(chosen_state(context, state)).allow(paths):
        click.echo(f"Ira may read {folder.path}")


@folders.command()
@click.argument("text", metavar="DIR")
@state_option
@click.pass_context
def remove(context: click.Context, text: str, state: Path | None) -> None:
    """Take a folder off the list, by its path or its name."""
    folder = SettingsFile(chosen_state(context, state)).forbid(text)
    click.echo(f"Ira may not read {folder.path} any more")


@folders.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@state_option
@click.pass_context
def list_(context: click.Context, state: Path | None, *, as_json: bool) -> None:
    """Show the allowed folders."""
    folder = chosen_state(context, state)
    found = SettingsFile(folder).folders()
    if as_json:
        items = [{"path": str(one.path), "exists": one.path.is_dir()} for one in found]
        click.echo(dump({"items": items}))
        return
    for one in found:
        click.echo(str(one.path) + ("" if one.path.is_dir() else "  (not there now)"))
    if not found:
        click.echo(f"No folder may be read. Allow one: {command(folder, 'folders', 'add', 'DIR')}")

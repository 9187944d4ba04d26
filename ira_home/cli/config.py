"""`ira config show | set`: the settings in force, and where each came from."""

from pathlib import Path

import click

from ira_home.base.errors import IraError
from ira_home.cli.house import has_house, operate, settings_of, show_json, show_table


@click.group("config")
def config() -> None:
    """Show the settings in force, or change the house's own."""


@config.command("show")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, *, as_json: bool) -> None:
    """Every setting with its value and where it came from; secrets are never shown.

    `flag` and `environment` are those of this command: the running server may have been given others.
    """
    loaded = settings_of(context)
    rows = loaded.with_stored(_kept(context, loaded.settings.data_dir)).rows()
    if as_json:
        show_json({"items": rows, "next_cursor": None})
    else:
        show_table(rows, {"name": "setting", "value": "value", "origin": "from"}, "")


def _kept(context: click.Context, data: Path) -> dict[str, str]:
    """What the house keeps; nothing where there is none yet, since showing must not make one."""
    if not has_house(data):
        return {}
    try:
        return dict(operate(context, "house.kept"))
    except IraError as error:
        # These settings are what somebody needs who looks for the reason.
        click.echo(f"ira: what the house itself keeps is left out: {error.message}", err=True)
        return {}


@config.command("set")
@click.argument("name", type=click.Choice(["name", "time_zone", "advertise"]))
@click.argument("value")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def change(context: click.Context, name: str, value: str, *, as_json: bool) -> None:
    """Change the house's name, its time zone (like Asia/Kolkata), or the address in links and QR codes.

    The address is one of this computer's own; an empty one ('') leaves the choice to the server.
    """
    house = operate(context, "house.change", fields={name: value})
    if as_json:
        show_json(house)
    else:
        click.echo(f"{name} is {house[name] or 'the best there is'}.")


COMMAND = config

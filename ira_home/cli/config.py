"""`ira config show | set`: the settings in force, and where each came from."""

import click

from ira_home.cli.house import operate, settings_of, show_json, show_table


@click.group("config")
def config() -> None:
    """Show the settings in force, or change the house's own."""


@config.command("show")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, *, as_json: bool) -> None:
    """Every setting with its value and where it came from; secrets are never shown."""
    rows = settings_of(context).rows()
    if as_json:
        show_json({"items": rows, "next_cursor": None})
    else:
        show_table(rows, {"name": "setting", "value": "value", "origin": "from"}, "")


@config.command("set")
@click.argument("name", type=click.Choice(["name", "time_zone"]))
@click.argument("value")
@click.pass_context
def change(context: click.Context, name: str, value: str) -> None:
    """Change the house's name or its time zone (like Asia/Kolkata)."""
    house = operate(context, "house.change", fields={name: value})
    click.echo(f"{name} is {house[name]}.")


COMMAND = config

"""`ira-companion find`: which servers of Ira's this computer hears on its network."""

import asyncio
from pathlib import Path
from typing import Any

import click

from ira_companion.invocation import chosen_state, command, state_option
from ira_device.finding import LOOK_S, Place, places_of
from ira_device.refusals import NotPaired
from ira_device.store import Store
from ira_home.base.folder_errors import DataFolderError
from ira_home.base.jsontext import dump
from ira_home.protocol.mdns_look import look


@click.command()
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 30),
    default=LOOK_S,
    show_default=True,
    help="How long to listen.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@state_option
@click.pass_context
def find(context: click.Context, state: Path | None, seconds: float, *, as_json: bool) -> None:
    """Show which servers of Ira's answer on this network.

    Anybody there can answer, so it proves nothing: `pair` finds out who it is before it sends a code.
    """
    folder = chosen_state(context, state)
    places = places_of(asyncio.run(look(seconds)))
    mine = _own_name(folder)
    if as_json:
        items = [_item(place, mine) for place in places]
        click.echo(dump({"items": items, "next_cursor": None}))
        return
    for place in places:
        yours = "  says it is yours" if place.server_name == mine else ""
        click.echo(f"{place.name}  {place.typed}  {place.id}{yours}")
    if not places:
        click.echo(
            "No server of Ira's answered. Guest networks, VPNs and firewalls keep such questions "
            "back; the address that Ira's own pages show works all the same:\n"
            f"  {command(folder, 'pair', '--address', 'HOST:PORT')}"
        )


def _item(place: Place, mine: str | None) -> dict[str, Any]:
    return {
        "name": place.name,
        "id": place.id,
        "addresses": [str(one.host) for one in place.addresses],
        "port": place.addresses[0].port,
        "says_it_is_yours": place.server_name == mine,
    }


def _own_name(folder: Path) -> str | None:
    try:
        return Store(folder, keyring=None).load().server_name
    except (NotPaired, DataFolderError):
        return None

"""`ira find`: which servers of Ira's this computer can see on the network."""

import click

from ira_home.cli.house import show_json, show_table

SECONDS = 3.0


@click.command("find")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 30), default=SECONDS, show_default=True,
    help="How long to listen.",
)  # fmt: skip
@click.option("--id", "wanted", help="Stop as soon as the server of this id has answered.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def find(seconds: float, wanted: str | None, *, as_json: bool) -> None:
    """Ask the local network for servers of Ira's; anybody there can answer, so it proves nothing."""
    from ira_home.app.neighbours import servers

    found = servers(seconds, wanted=wanted)
    if as_json:
        show_json({"items": found, "next_cursor": None})
        return
    columns = {"name": "name", "addresses": "addresses", "port": "port", "host": "name for devices", "id": "id"}  # fmt: skip
    show_table(found, columns, "No server of Ira's answered.")


COMMAND = find

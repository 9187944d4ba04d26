"""`ira search set | test`: the service that searches the web, and whether it answers."""

import click

from ira_home.cli.house import counted, operate, secret, show_json
from ira_home.cli.invocation import command


@click.group("search")
def search() -> None:
    """Set up searching the web, or test it. The key is of the Brave Search API."""


@search.command("set")
@click.option(
    "--key-stdin", is_flag=True, help="Read the key from stdin; an empty line removes it."
)
@click.option("--url", help="Address of the service, where it is another one; '' is its own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def choose(context: click.Context, url: str | None, *, key_stdin: bool, as_json: bool) -> None:
    """Keep the key of the search service, encrypted; it counts from the next search on.

    Each person then switches searching on for themselves, with their PIN, under My settings.
    """
    wants_key = key_stdin or url is None
    key = secret("Key", from_stdin=key_stdin, confirm=False) if wants_key else None
    kept = operate(context, "search.choose", key=key, url=url)
    if as_json:
        show_json(kept | {"tested": False})
    elif not kept["search_key_set"]:
        click.echo("There is no key, so nobody can search the web.")
    else:
        click.echo("Kept. Each person switches it on under My settings, with their PIN.")
        click.echo(f"It was not tested. Test it: {command(context, 'search', 'test')}")


@search.command("test")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def test(context: click.Context, *, as_json: bool) -> None:
    """Search for one word, and say whether anything came; it counts as one search."""
    found = operate(context, "search.test")
    if as_json:
        show_json(found)
    else:
        click.echo(f"The search service answered with {counted(found['results'], 'result', 'results')}.")  # fmt: skip


COMMAND = search

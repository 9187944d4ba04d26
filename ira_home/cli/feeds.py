"""`ira feeds add | list | remove`: the news feeds of the house."""

from typing import Any

import click

from ira_home.cli.house import counted, operate, show_json, show_table

_COLUMNS = {"url": "feed", "from": "from", "items": "items", "read_at": "read", "fault": "fault"}


@click.group("feeds")
def feeds() -> None:
    """The news feeds (RSS or Atom) that Ira reads for those who switched it on."""


@feeds.command("add")
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def add(context: click.Context, url: str, *, as_json: bool) -> None:
    """Keep the feed at URL, and try to read it."""
    found = operate(context, "feeds.add", url=url)
    if as_json:
        show_json(found)
    elif found["fault"]:
        click.echo(f"Kept, but it cannot be read now: {found['fault']}")
    else:
        click.echo(f"Kept: {counted(found['items'], 'item', 'items')} in it now.")


@feeds.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def all_feeds(context: click.Context, *, as_json: bool) -> None:
    """Every feed, where it was named, and how it was doing the last time that it was read.

    A server that was just started has read none yet: they are read when somebody asks for news.
    """
    found: list[dict[str, Any]] = operate(context, "feeds.list")
    if as_json:
        show_json({"items": found, "next_cursor": None})
    else:
        show_table(found, _COLUMNS, "There is no feed yet.")


@feeds.command("remove")
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def remove(context: click.Context, url: str, *, as_json: bool) -> None:
    """Keep the feed at URL no longer; one of ira.yaml is taken out there."""
    found = operate(context, "feeds.remove", url=url)
    if as_json:
        show_json(found)
    else:
        click.echo("It is kept no longer.")


COMMAND = feeds

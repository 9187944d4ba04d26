"""A command that is suggested, as it can be typed on this computer."""

import shlex

import click

from ira_home.base.programs import called


def command(context: click.Context, *words: str) -> str:
    """A command of this program on the same data folder."""
    data = context.find_root().obj
    folder = [] if data is None else ["--data", str(data)]
    return " ".join([called("ira", "ira_home"), *map(shlex.quote, [*folder, *words])])

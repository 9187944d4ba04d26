"""How a command reaches the house: through the running server, or by opening it itself."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
import os
from pathlib import Path
import sys
from typing import Any, TypeVar

import click

from ira_home.base.errors import CommandFailed, Invalid
from ira_home.base.folder_errors import AlreadyRunning, NoHouse
from ira_home.base.jsontext import dump
from ira_home.base.log import set_up
from ira_home.cli.invocation import command
from ira_home.config.load import Loaded, load
from ira_home.control.client import NotRunning, send
from ira_home.control.wire import Request

SECRET_CHARS = 4_096
_DATABASE = "ira.sqlite"
T = TypeVar("T")


def settings_of(context: click.Context, **flags: object) -> Loaded:
    """The settings in force: flags given here, then the environment, then `ira.yaml`, then defaults."""
    return load({"data_dir": context.find_root().obj, **flags}, os.environ)


def has_house(data: Path) -> bool:
    """Whether a house was made in this data folder."""
    return (data / _DATABASE).exists()


def operate(
    context: click.Context, operation: str, *, make: bool = False, **arguments: object
) -> Any:
    """Carry out an operation and give its result; raises IraError.

    The running server does it, so that it takes effect at once. Without one the command takes the
    data lock and opens the house without listeners. `make`: where there is no house, one is made.
    """
    loaded = settings_of(context)
    request = Request(operation, {name: _whole(value) for name, value in arguments.items()})
    try:
        return send(loaded.settings.data_dir, request)
    except NotRunning:
        pass
    from ira_home.app.core import operate_alone

    set_up(level="ERROR")  # a command says what it did; the server logs the rest

    try:
        return asyncio.run(operate_alone(loaded, request, make=make))
    except NoHouse as error:
        way = "Name the right folder with --data"
        if error.details.get("is_free"):
            way += f", or make a house: {command(context, 'init')}"
        message = f"{error.message} {way}"
        raise NoHouse(message) from None
    except AlreadyRunning:
        # A server that starts or stops right now has the lock but no socket.
        message = "A server is starting or stopping on this data folder. Try again in a moment."
        raise CommandFailed(message) from None


def secret(
    prompt: str,
    *,
    from_stdin: bool,
    check: Callable[[str], object] | None = None,
    confirm: bool = True,
) -> str:
    """A password or PIN, typed at a prompt or as the next line of stdin; never an argument.

    `check` raises Invalid for one that will not do: a person is asked again, a script is refused.
    """
    if from_stdin:
        line = sys.stdin.readline(SECRET_CHARS + 2)
        if not line:
            message = f"{prompt}: nothing was left on stdin."
            raise CommandFailed(message)
        given = _whole(line.rstrip("\r\n"))
        if check is not None:
            check(given)
        return given
    if not sys.stdin.isatty():
        message = f"{prompt}: run this in a terminal, or give it on stdin with the matching option."
        raise CommandFailed(message)
    while True:
        typed: str = click.prompt(prompt, hide_input=True, confirmation_prompt=confirm)
        try:
            if check is not None:
                check(typed)
        except Invalid as error:
            click.echo(error.message, err=True)
        else:
            return typed


def _whole(value: T) -> T:
    """The value, unless a text in it was no UTF-8 (the system hands such bytes on as half characters)."""
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and any("\ud800" <= c <= "\udfff" for c in text):
            message = "What was given is not UTF-8 text. Check the terminal's character set."
            raise CommandFailed(message)
    return value


def show_json(value: object) -> None:
    """Print a value for scripts."""
    click.echo(dump(value))


def counted(count: int, one: str, many: str) -> str:
    """`1 person`, `2 people`."""
    return f"{count} {one if count == 1 else many}"


def show_table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], empty: str) -> None:
    """Print rows for people: `columns` maps a row's field to its heading."""
    if not rows:
        click.echo(empty)
        return
    cells = [list(columns.values()), *([_cell(row[name]) for name in columns] for row in rows)]
    widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
    for row in cells:
        click.echo(
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        )


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value in (None, "") else str(value)

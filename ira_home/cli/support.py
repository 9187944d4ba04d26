"""`ira support-bundle`: one file for whoever helps with a fault, without anything of anybody's."""

from pathlib import Path
from typing import Any

import click

from ira_home import __version__
from ira_home.base.clock import SystemClock
from ira_home.base.errors import CommandFailed, IraError
from ira_home.base.files import PRIVATE_FILE
from ira_home.base.jsontext import dump
from ira_home.base.machine import versions
from ira_home.cli.house import counted, operate, settings_of, show_json
from ira_home.domain.support import ABOUT, packed, told_settings


@click.command("support-bundle")
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the ZIP file is written; one that is there is left alone.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def support_bundle(context: click.Context, output: Path, *, as_json: bool) -> None:
    """Put versions, settings, findings and the server's last log lines into one file.

    Nothing in it is anybody's: no messages, no names, no addresses, no codes, no keys. Where the house
    cannot be opened, the file says why and holds what can be had without it.
    """
    try:
        parts = dict(operate(context, "support.bundle")["parts"])
    except IraError as error:
        parts = _without_house(context, error)
    _write(output, packed(parts, SystemClock().now()))
    if as_json:
        show_json({"output": str(output), "parts": list(parts)})
    else:
        click.echo(f"{output}: {counted(len(parts), 'part', 'parts')}: {', '.join(parts)}")


def _without_house(context: click.Context, error: IraError) -> dict[str, str]:
    """What can be told where the house stays shut; of the reason its code, for words may name a folder."""
    click.echo(f"ira: the house could not be opened: {error.message}", err=True)
    rows: list[dict[str, Any]] = told_settings(settings_of(context).rows())
    return {
        "about.txt": ABOUT,
        "versions.json": dump({"ira": __version__} | versions()),
        "settings.json": dump(rows),
        "fault.json": dump({"code": error.code}),
    }


def _write(output: Path, content: bytes) -> None:
    try:
        with output.open("xb") as file:
            output.chmod(PRIVATE_FILE)
            file.write(content)
    except FileExistsError:
        message = f"{output} is there already. Name another file."
        raise CommandFailed(message) from None
    except OSError as error:
        message = f"{output} cannot be written: {error.strerror}."
        raise CommandFailed(message) from None


COMMAND = support_bundle

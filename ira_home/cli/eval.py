"""`ira eval language`: how well a brain understands sentences, measured."""

import asyncio
from pathlib import Path
import sys
from typing import Any

import click

from ira_home.base.errors import CommandFailed
from ira_home.cli.house import show_json
from ira_home.domain.evaluation import Bench, Case, read_bench, read_cases, report

_SHOWN = 20
_COLUMNS = ("n", "tool", "args", "reply_lang", "p50_ms")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("eval")
def evaluation() -> None:
    """Measure what Ira understands."""


@evaluation.command("language")
@click.option("--set", "cases", type=_FILE, required=True, help="Sentences, one JSON a line.")
@click.option("--tools", type=_FILE, required=True, help="The tools that are offered, as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--min",
    "least",
    type=click.FloatRange(0, 1),
    help="Exit with 1 when less than this share has the right tool and arguments.",
)
def language(cases: Path, tools: Path, least: float | None, *, as_json: bool) -> None:
    """Ask the built-in brain every sentence, and compare its calls with the expected ones.

    Needs no data folder, no key and no network.
    """
    found = asyncio.run(_evaluate(read_cases(_text(cases)), read_bench(_text(tools))))
    if as_json:
        show_json(found)
    else:
        _table(found)
    total = found["total"]
    if least is not None and total["args"] < least * total["n"]:
        sys.exit(1)


async def _evaluate(cases: list[Case], bench: Bench) -> dict[str, Any]:
    from ira_home.app.parts import built_in_brain
    from ira_home.domain.evaluation import evaluate

    async with built_in_brain() as brain:
        return report(await evaluate(brain, cases, bench))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        message = f"{path} cannot be read as UTF-8 text."
        raise CommandFailed(message) from None


def _table(found: dict[str, Any]) -> None:
    click.echo("".join(f"{one:>12}" for one in ("", *_COLUMNS)))
    for name, row in (*found["by_lang"].items(), ("total", found["total"])):
        click.echo("".join(f"{one:>12}" for one in (name, *(row[one] for one in _COLUMNS))))
    for one in found["wrong"][:_SHOWN]:
        click.echo(f"{one['id']}: got {one['got']['tool']} {one['got']['args']}, ", nl=False)
        click.echo(f"expected {one['want']['tool']} {one['want']['args']}")
    if len(found["wrong"]) > _SHOWN:
        click.echo(f"... and {len(found['wrong']) - _SHOWN} more (--json tells all)")


COMMAND = evaluation

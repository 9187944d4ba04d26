"""`ira doctor`: look over the installation and say what is wrong and what to do."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
import shutil
import sys
from typing import Any

import click

from ira_home.base.discover import declared
from ira_home.base.errors import IraError
from ira_home.cli.healthcheck import answers
from ira_home.cli.house import has_house, operate, settings_of, show_json
from ira_home.config.load import Loaded

COMMANDS = "ira_home.cli"
FREE_BYTES = 500 * 2**20


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `good`, `warn` or `bad`, and a sentence."""

    about: str
    state: str
    sentence: str


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(context: click.Context, *, as_json: bool) -> None:
    """Look everything over; exit 1 when something is broken."""
    findings = list(_look(context))
    if as_json:
        show_json({"items": [asdict(one) for one in findings], "next_cursor": None})
    else:
        for one in findings:
            click.echo(f"{one.state:5} {one.about}: {one.sentence}")
    if any(one.state == "bad" for one in findings):
        sys.exit(1)


def _look(context: click.Context) -> Iterator[Finding]:
    loaded = settings_of(context)
    yield from _settings(loaded)
    yield _parts()
    data = loaded.settings.data_dir
    if not has_house(data):
        yield Finding("house", "warn", f"There is none in {data} yet. Make it with: ira init")
        return
    yield _space(loaded)
    try:
        health = operate(context, "house.health")
    except IraError as error:
        yield Finding("house", "bad", error.message)
        return
    yield from _house(health)
    yield _server(context, is_serving=health["serving"])


def _settings(loaded: Loaded) -> Iterator[Finding]:
    yield Finding("data folder", "good", str(loaded.settings.data_dir))
    for name in loaded.unknown:
        yield Finding("settings", "warn", f"{name} names no setting; is it misspelled?")


def _parts() -> Finding:
    """What was found of all that is discovered, as counts that two installations can be compared by."""
    from ira_home import app

    try:
        counts = {"commands": len(list(declared(COMMANDS, "COMMAND"))), **app.parts()}
    except (IraError, OSError) as error:
        return Finding("parts", "bad", f"{error} Install Ira again.")
    none_of = [name for name, count in counts.items() if not count]
    if none_of:
        sentence = f"This installation has no {' and no '.join(none_of)}. Install Ira again."
        return Finding("parts", "bad", sentence)
    return Finding("parts", "good", ", ".join(f"{count} {name}" for name, count in counts.items()))


def _space(loaded: Loaded) -> Finding:
    free = shutil.disk_usage(loaded.settings.data_dir).free
    if free < FREE_BYTES:
        return Finding("disk", "bad", f"Only {free // 2**20} MB are free. Make some room.")
    return Finding("disk", "good", f"{free // 2**30} GB are free.")


def _house(health: dict[str, Any]) -> Iterator[Finding]:
    yield Finding(
        "version", "good", f"{health['version']}, {len(health['tools'])} tools of the house"
    )
    if health["set_up"]:
        yield Finding("people", "good", f"{health['people']} people, {health['devices']} devices")
    else:
        yield Finding("people", "warn", "Nobody is here yet. Make the owner with: ira init")
    if health["without_pin"]:
        sentence = f"{health['without_pin']} have no PIN and cannot pair a device: ira pin set"
        yield Finding("people", "warn", sentence)
    for broken in health["broken_tools"]:
        yield Finding("tools", "bad", f"{broken['file']} is left out: {broken['why']}")
    yield Finding("brain", "good", health["brain"])


def _server(context: click.Context, *, is_serving: bool) -> Finding:
    if not is_serving:
        return Finding("server", "warn", "It is not running. Start it with: ira serve")
    try:
        answers(context)
    except IraError as error:
        return Finding(
            "server", "warn", f"It runs, but not where the settings say: {error.message}"
        )
    return Finding("server", "good", "It answers over HTTPS.")


COMMAND = doctor

"""`ira doctor`: look over the installation and say what is wrong and what to do."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
import shutil
import sys
from typing import Any

import click

from ira_home.base.discover import declared
from ira_home.base.errors import IraError
from ira_home.base.folder_errors import NoHouse
from ira_home.cli.healthcheck import CA_FILE, answers
from ira_home.cli.house import counted, operate, settings_of, show_json
from ira_home.cli.invocation import command
from ira_home.config.load import Loaded
from ira_home.domain.house import MODEL_PROVIDERS

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
    try:
        health = operate(context, "house.health")
    except IraError as error:
        yield Finding("house", "warn" if isinstance(error, NoHouse) else "bad", error.message)
        return
    yield _space(loaded)
    yield from _people(context, health)
    yield from _tools(health)
    yield _brain(health)
    yield _search(context, health)
    yield from _feeds(context, health)
    yield _certificate(loaded, health)
    yield _server(context, is_serving=health["serving"])
    yield from _connecting(health)


def _settings(loaded: Loaded) -> Iterator[Finding]:
    yield Finding("data folder", "good", str(loaded.settings.data_dir))
    for name in loaded.unknown:
        yield Finding("settings", "warn", f"{name} names no setting; is it misspelled?")


def _parts() -> Finding:
    """What was found of all that is discovered, as counts that two installations can be compared by."""
    from ira_home.app.parts import parts

    try:
        counts = {"commands": len(list(declared(COMMANDS, "COMMAND"))), **parts()}
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
        return Finding("disk", "bad", f"Only {free // 2**20} MB free. Make some room.")
    return Finding("disk", "good", f"{free // 2**30} GB free.")


def _people(context: click.Context, health: dict[str, Any]) -> Iterator[Finding]:
    if not health["set_up"]:
        sentence = f"Nobody is here yet. Make the owner with: {command(context, 'init')}"
        yield Finding("people", "warn", sentence)
        return
    people = counted(health["people"], "person", "people")
    devices = counted(health["devices"], "device", "devices")
    yield Finding("people", "good", f"{people}, {devices}")
    if without := health["without_pin"]:
        them = f"{counted(without, 'person has', 'people have')} no PIN and cannot pair a device"
        give = command(context, "pin", "set", "--user", "EMAIL")
        yield Finding("people", "warn", f"{them}: {give}")


def _tools(health: dict[str, Any]) -> Iterator[Finding]:
    tools = counted(len(health["tools"]), "tool", "tools")
    yield Finding("version", "good", f"{health['version']}, {tools} of the house")
    # A running server has read the files at its start.
    then = ", then restart the server" if health["serving"] else ""
    for broken in health["broken_tools"]:
        yield Finding("tools", "bad", f"{broken['why']}. Put it right{then}.")


def _brain(health: dict[str, Any]) -> Finding:
    name = "The no-key brain" if health["brain"] == MODEL_PROVIDERS[0] else health["brain"]
    if fault := health["brain_fault"]:
        return Finding("brain", "bad", f"{name} does not answer: {fault}")
    return Finding("brain", "good", f"{name} answers.")


def _search(context: click.Context, health: dict[str, Any]) -> Finding:
    if not health["search_set_up"]:
        sentence = f"Not set up, so nobody can search the web. Set it up with: {command(context, 'search', 'set')}"
        return Finding("search", "good", sentence)
    # Not tried: each try is a search that may cost something.
    return Finding("search", "good", f"Set up. Try it with: {command(context, 'search', 'test')}")


def _feeds(context: click.Context, health: dict[str, Any]) -> Iterator[Finding]:
    feeds = counted(health["feeds"], "news feed", "news feeds")
    if not health["feeds"]:
        feeds = f"No news feed. Name one with: {command(context, 'feeds', 'add')} URL"
    yield Finding("feeds", "good", feeds)
    for fault in health["feed_faults"]:
        yield Finding("feeds", "warn", f"One could not be read the last time: {fault}")


def _certificate(loaded: Loaded, health: dict[str, Any]) -> Finding:
    file = loaded.settings.data_dir / CA_FILE
    if not file.exists():
        sentence = f"{file} is gone: put its folder back from a backup before the server stops."
        return Finding("certificate", "bad", sentence)
    return Finding("certificate", "good", f"CA fingerprint {health['fingerprint']}")


def _server(context: click.Context, *, is_serving: bool) -> Finding:
    if not is_serving:
        sentence = f"It is not running. Start it with: {command(context, 'serve')}"
        return Finding("server", "warn", sentence)
    try:
        answers(context)
    except IraError as error:
        return Finding(
            "server", "warn", f"It runs, but not where the settings say: {error.message}"
        )
    return Finding("server", "good", "It answers over HTTPS.")


def _connecting(health: dict[str, Any]) -> Iterator[Finding]:
    """What keeps devices out, as the server itself sees it, or the house opened without one."""
    for one in health["connecting"]:
        about = one["topic"].replace("_", " ")
        sentences = (one["text"], one["next"])
        yield Finding(about, one["state"], " ".join(one for one in sentences if one))


COMMAND = doctor

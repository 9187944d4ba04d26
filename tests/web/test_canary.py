"""What a device says is found with its own person, and after they took it away with nobody."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
import sqlite3
from typing import Any

import pytest
import pytest_asyncio

from ira_home.web.routes import Needs
from ira_home.web.server import all_routes
from tests.support.callers import Caller, Stream
from tests.support.program import PASSWORD
from tests.support.requirements import requirement
from tests.web.canary_day import NAMED, ROOT, A, Day, lived, open_day, word

PLACEHOLDER = "(private device output)"
OWN_WORDS = "that is mine alone"
# Where a device's words may lie, of its own person (DESIGN 11): tables with their columns.
MAY_HOLD = {
    "messages": {"text"},
    "messages_fts": {"text"},
    "messages_fts_data": {"block"},
    "pending_actions": {"payload", "text"},
    "device_events": {"title", "text"},
    "devices": {"tools"},
    "tool_definitions": {"definition"},
    "own_board_cards": {"text"},  # where the person let a tool of the house keep it
}
# What admins are told of a call: which tool it was.
TELLS_TOOLS = ("/v1/admin/log", "/v1/admin/conversations/")
OPEN = ["/healthz", "/readyz", "/pair", "/trust", "/trust-ping", "/ca.crt", "/v1/openapi.json", "/v1/nothing", "/static/x/y"]  # fmt: skip
NAMES_A_TOOL = {"messages": {"tool"}, "tool_log": {"tool"}, "devices": {"tools"}, "tool_definitions": {"name", "definition"}}  # fmt: skip


@dataclass
class Over:
    """The day is over. `overheard` is what the streams of others told all day."""

    day: Day
    overheard: dict[str, str]
    person_id: int


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def over(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Over]:
    async with open_day(tmp_path_factory.mktemp("canary")) as day:
        others = {"owner": day.owner, "another": day.b}
        async with day.b.stream() as of_b, day.owner.stream() as of_owner:
            await lived(day)
            streams = {"owner": of_owner, "another": of_b}
            heard = {name: await drained(others[name], streams[name]) for name in others}
        me = (await day.a.call("GET", "/v1/me")).body
        yield Over(day, heard, me["user"]["id"])


async def drained(caller: Caller, stream: Stream) -> str:
    number = (await caller.ask(OWN_WORDS)).body["conversation_id"]
    heard: list[str] = []

    def is_own(told: Any) -> bool:
        heard.append(str(told))
        return told.event == "conversation" and bool(told.data["id"] == number)

    await stream.until(is_own)
    return "\n".join(heard)


pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]


def tables(database: Path) -> dict[str, list[dict[str, Any]]]:
    line = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    line.row_factory = sqlite3.Row
    try:
        names = [
            row[0] for row in line.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        return {name: [dict(row) for row in line.execute(f'SELECT * FROM "{name}"')] for name in names}  # noqa: S608  # fmt: skip
    finally:
        line.close()


def holds(value: object, root: str = ROOT) -> bool:
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
    return root.encode() in raw.lower() or root.encode("utf-16-le") in raw


def files(day: Day) -> list[Path]:
    return [path for path in day.program.data.rglob("*") if path.is_file()]


async def test_the_day_was_one(over: Over) -> None:
    """Without this nothing below would say anything: each kind of word came in and was read."""
    own = "\n".join(over.day.own)
    for kind in ("summary", "result", "file", "path", "error"):
        assert word(kind) in own, kind
    outcomes = [use["outcome"] for one in over.day.answers for use in one["tools"]]
    assert {"done", "failed", "refused", "proposed"} <= set(outcomes)
    assert sum(len(one["proposals"]) for one in over.day.answers) == 5
    assert [one["error"]["code"] for one in over.day.answers if "error" in one] == ["model_failed"]
    assert word("event") in (await over.day.a.call("GET", "/v1/me/events")).text
    sent = [call for call in over.day.device.calls if call["tool"] == "letter_send"]
    assert len(sent) == 2
    assert word("result") in str(sent)


@requirement("privacy.nobody", "privacy.conversation", "event.own")
async def test_no_answer_to_anybody_else_holds_it(over: Over) -> None:
    day, places, told = over.day, await addresses(over), []
    nobody = Caller(day.a.base, day.a.trust)
    for name, caller in {"owner": day.owner, "another": day.b, "nobody": nobody}.items():
        if caller.cookie:
            verified = await caller.call("POST", "/v1/session/verify", {"password": PASSWORD})
            assert verified.status == 204
        for path in places:
            reply = await caller.call("GET", path)
            is_told = holds(f"{reply.text}{reply.headers}")
            names_tools = name == "owner" and path.startswith(TELLS_TOOLS)
            if is_told or (holds(reply.text, NAMED) and not names_tools):
                told.append((name, path))
    await nobody.close()
    assert not told
    for heard in over.overheard.values():
        assert OWN_WORDS in heard
        assert not holds(heard)


async def addresses(over: Over) -> list[str]:
    """Every address that can be read, each conversation and device of the person among them."""
    own = over.day.a
    numbers = {
        "conversations": [one["id"] for one in (await own.call("GET", "/v1/me/conversations?limit=200")).body["items"]],
        "devices": [over.day.device.number],
        "users": [over.person_id],
        "people": [over.person_id],
        "invitations": [1], "pictures": [1], "tokens": [1],
        "code": [1], "sessions": [1], "runs": [one["run_id"] for one in over.day.answers],
    }  # fmt: skip
    numbers["chat"] = numbers["chats"] = numbers["conversations"]
    found = [f"/v1/me/search?q={word('result')}", "/chats?q=note"]
    for route in all_routes():
        is_endless = route.media == "text/event-stream" and "{" not in route.path
        if route.method != "GET" or is_endless or route.needs in (Needs.OPEN, Needs.DEVICE_SOCKET):
            continue
        noun = route.path.partition("/{")[0].rpartition("/")[2]
        path = route.path.replace("{skill}", "note").replace("{tool}", "note_read")
        ids = numbers[noun] if "{" in path else [""]
        found += [path.replace("{id}", str(one)) for one in ids]
    return found + OPEN


@requirement("privacy.placeholder", "privacy.params", "data.private")
async def test_an_admin_reads_what_the_person_said_and_a_placeholder_for_the_rest(
    over: Over,
) -> None:
    places = [one for one in await addresses(over) if one.startswith("/v1/admin/conversations/")]
    assert len(places) > 15
    wrong = []
    for path in places:
        shown = (await over.day.owner.call("GET", path)).body["messages"]
        own = (await over.day.a.call("GET", path.replace("admin", "me"))).body["messages"]
        for theirs, hers in zip(shown, own, strict=True):
            same = {"id", "kind", "at", "outcome", "complete", "private", "device_id", "label"}
            assert {key: theirs[key] for key in same} == {key: hers[key] for key in same}
            if hers["kind"] == "person":
                assert theirs["text"] == hers["text"]
            elif holds(str(hers)) and (holds(str(theirs)) or theirs["text"] != PLACEHOLDER):
                wrong.append(theirs)
    assert not wrong


@requirement("privacy.log.no_contents", "privacy.log")
async def test_what_ira_did_has_no_contents(over: Over) -> None:
    lines = (await over.day.a.call("GET", "/v1/me/log?limit=200")).body["items"]
    assert len(lines) > 25
    assert not holds(str(lines))
    assert {"note_read", "note_break", "letter_send", "board_pin", NAMED, "unknown"} <= {
        one["tool"] for one in lines
    }


async def test_the_commands_of_the_operator_and_the_log_hold_nothing(over: Over) -> None:
    program = over.day.program
    for words in (
        "doctor", "doctor --json", "config show", "config show --json", "user list --json",
        "device list", "brain usage --json", "healthcheck",
    ):  # fmt: skip
        said = await asyncio.to_thread(program.ira, *words.split())
        assert said.status == 0, said
        assert not holds(said.out + said.err), words
        assert not holds(said.out + said.err, NAMED), words
    assert "DEBUG" in over.day.log
    assert not holds(over.day.log)
    assert not holds(over.day.log, NAMED)


@requirement("privacy.conversation", "data.keyed")
async def test_in_the_database_it_lies_in_rows_of_its_person_and_nowhere_else(over: Over) -> None:
    database = over.day.program.data / "ira.sqlite"
    devices = {over.day.device.number}
    seen: set[tuple[str, str]] = set()
    wrong = []
    for table, rows in tables(database).items():
        for row in rows:
            is_theirs = row.get("user_id") == over.person_id or row.get("device_id") in devices
            for column, value in row.items():
                if holds(value, NAMED) and column not in NAMES_A_TOOL.get(table, set()):
                    wrong.append((table, column, value))
                if holds(value):
                    seen.add((table, column))
                    if not is_theirs and not table.startswith("messages_fts"):
                        wrong.append((table, column, value))
    assert not wrong
    assert seen == {(table, column) for table, columns in MAY_HOLD.items() for column in columns}
    others = [one for one in files(over.day) if not one.name.startswith("ira.sqlite")]
    assert not [path for path in others if holds(path.read_bytes())]


@requirement("privacy.export")
async def test_the_own_export_holds_all_of_it_and_nobody_elses_anything(over: Over) -> None:
    for caller in (over.day.a, over.day.b, over.day.owner):
        await caller.call("POST", "/v1/session/verify", {"password": PASSWORD})
        export = (await caller.call("GET", "/v1/me/export")).text
        for kind in ("summary", "result", "file", "error", "event", "text", "sent", "description"):
            assert (word(kind) in export) == (caller is over.day.a), kind


@requirement("privacy.delete", "privacy.delete.devices", "privacy.delete.password")
async def test_after_delete_my_data_it_is_in_no_file(over: Over) -> None:
    day = over.day
    wrong = await day.a.call("DELETE", "/v1/me/data", {"password": PASSWORD + "x"})
    assert wrong.status == 403
    assert [path.name for path in files(day) if holds(path.read_bytes())]  # it was there
    receipt = await day.a.call("DELETE", "/v1/me/data", {"password": PASSWORD})
    assert receipt.status == 200, receipt
    kept = {one["name"] for one in receipt.body["backups"]}
    await day.device.closed()
    assert (await day.device.caller.call("GET", "/v1/me/actions")).status == 401
    for root in (ROOT, NAMED):
        holding = [path.name for path in files(day) if holds(path.read_bytes(), root)]
        assert set(holding) <= kept, (root, holding)
    for run in [one["run_id"] for one in day.answers]:
        assert (await day.a.call("GET", f"/v1/runs/{run}/stream")).status == 404
    assert ROOT not in (await day.a.call("GET", "/v1/me/export")).text
    assert A in (await day.a.call("GET", "/v1/me")).text  # the account stays

"""A day of a person whose device says a word that nobody else may ever read, in everything it says."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
import json
from pathlib import Path
import re
import shutil
import ssl
from typing import Any

from aiohttp import web

from tests.providers.model_server import begin, chunk, model_server, piece, pieces, send, text
from tests.support.callers import Caller, DeviceLine
from tests.support.home import CA_FILE
from tests.support.program import OWNER, PASSWORD, PIN, Program

ROOT = "zqcanary"
TOOLS = Path(__file__).parents[1] / "support" / "careless_tools"
A, B = "asha@example.com", "ravi@example.com"
_WHO = re.compile(r"the assistant of (.+?) in ")
_READY = {
    "id": "c", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ready"}}],
}  # fmt: skip
# A tool's name stands in "What Ira did", which admins read (spec, 152); all else that a device says does not.
NAMED = "note_zqnamed"


def word(kind: str) -> str:
    """The word as this kind of thing says it; each begins with another letter, as an index wants it."""
    return f"{kind}{ROOT}"


def _tool(name: str, tier: int, **properties: Any) -> dict[str, Any]:
    said = {"description": f"{name.partition('_')[2]} {word('argument')}"}
    return {
        "name": name,
        "title": f"{name.replace('_', ' ')} {word('heading')}",
        "description": f"{name.replace('_', ' ')}: {word('description')}",
        "examples": [f"{name} {word('example')}"],
        "tier": tier,
        "parameters": {
            "type": "object",
            "properties": {key: said | shape for key, shape in properties.items()},
            "required": list(properties),
            "additionalProperties": False,
        },
    }


DEVICE_TOOLS = [
    _tool("note_read", 0),
    _tool("note_break", 0),
    _tool("note_fold", 0, how={"enum": ["softly", word("choice")]}),
    _tool("letter_send", 2, to={"type": "string"}, text={"type": "string"}),
    _tool(NAMED, 0),
]
READ = {
    "summary": f"The note: {word('summary')}",
    "text": word("result"),
    "files": [f"{word('file')}.txt", f"../{word('path')}/\u202e{word('hidden')}"],
}

Move = Callable[[str], "dict[str, Any] | str | None"]


def says(said: str = "It says: ") -> Move:
    """The brain repeats all that it read in the turn."""
    return lambda read: said + read


def calls(tool: str, **arguments: str) -> Move:
    """The brain calls a tool; `{read}` in an argument is all that it read."""
    return lambda read: {
        "tool": tool.format(read=_as_name(read)),
        "arguments": json.dumps({k: v.format(read=read) for k, v in arguments.items()}),
    }


def mumbles(tool: str) -> Move:
    """A call with arguments that are no JSON."""
    return lambda read: {"tool": tool, "arguments": "{" + read}


def breaks(_read: str) -> None:
    """The model's server refuses, and says all that it was sent."""
    return


def _as_name(read: str) -> str:
    return next(iter(re.findall(rf"[a-z]+{ROOT}", read)), "nothing")


class Parrot:
    """A model's server that follows a plan for each person, and repeats whatever it reads."""

    def __init__(self) -> None:
        self.plans: dict[str, deque[Move]] = {}
        self.url = ""

    async def behave(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        if not asked.get("stream"):
            return web.json_response(_READY)
        who = _WHO.search(str(asked["messages"][0]["content"]))
        plan = self.plans.get(who[1] if who else "", deque())
        messages = asked["messages"]
        last = max(at for at, one in enumerate(messages) if one["role"] == "user")
        read = "\n".join(str(one["content"]) for one in messages[last:] if one["role"] == "tool")
        move = plan.popleft()(read) if plan else "Nothing more."
        if move is None:
            return web.json_response({"error": {"message": json.dumps(asked)}}, status=500)
        response = await begin(request)
        if isinstance(move, str):
            await send(response, text(move), chunk({}, "stop"), "[DONE]")
        else:
            called = piece(move["arguments"], move["tool"], index=0, id="call_1")
            await send(response, pieces(called), chunk({}, "tool_calls"), "[DONE]")
        return response


@dataclass
class Day:
    """The house of that day: whoever is in it, and what was heard of it."""

    program: Program
    parrot: Parrot
    owner: Caller
    a: Caller
    b: Caller
    device: DeviceLine
    answers: list[dict[str, Any]] = field(default_factory=list)
    own: list[str] = field(default_factory=list)  # all that the person's own doors told

    @property
    def log(self) -> str:
        """What the process wrote, at DEBUG."""
        return (self.program.folder / "server.log").read_text(encoding="utf-8")

    async def ask(self, said: str, *moves: Move, conversation: int | None = None) -> dict[str, Any]:
        """The person says something and the brain does its part."""
        self.parrot.plans["Asha"] = deque(moves)
        reply = await self.a.ask(said, conversation)
        assert reply.status == 200, reply
        self.own.append(reply.text)
        self.answers.append(reply.body)
        found: dict[str, Any] = reply.body
        return found


async def lived(day: Day) -> None:
    """The day: looking, failing, asking first, refusing, keeping, repeating, telling."""
    read = calls("note_read")
    first = await day.ask("Please read my note", read, says())
    await _streamed(day, first["conversation_id"], read, says())
    await day.ask("Try the broken note", calls("note_break"), says())
    await day.ask("Fold my note", calls("note_fold", how="no"), says())
    await day.ask("Use the other tool", calls(NAMED), says())
    send_it = calls("letter_send", to="Ravi", text="{read}")
    asked = await day.ask("Read my note and send a letter with it to Ravi", read, send_it, says())
    confirmed = await day.a.confirm(asked["proposals"][0])
    day.own.append(confirmed.text)
    asked = await day.ask("Read my note and send a letter with it to Ravi", read, send_it)
    await day.ask("yes", says(), conversation=asked["conversation_id"])
    asked = await day.ask("Read my note and send a letter with it to Ravi", read, send_it)
    await day.ask("no", says(), conversation=asked["conversation_id"])
    await day.ask("Read my note", read, send_it, calls("{read}"), calls("{read}_go"), says())
    await day.ask(
        "Read my note", read, calls("note_fold", how="{read}"), mumbles("note_fold"), says()
    )
    await day.ask("Read my note", read, calls("device_tell_when_back", device="{read}"), says())
    await day.ask("Read my note", read, breaks)
    await day.ask(
        "Read my note and pin it to the board", read, calls("board_pin", text="{read}"), says()
    )
    await day.ask("Show me the board", calls("board_show"), says())
    await day.ask("Read my note, frame it", read, calls("board_frame", text="{read}"), says())
    await day.ask("Read my note, fold it", read, calls("board_fold", text="{read}"), says())
    poster = calls("board_poster", text="{read}")
    asked = await day.ask("Read my note and print a poster of it", read, poster, says())
    await day.ask("yes", says(), conversation=asked["conversation_id"])
    await _told(day)
    await day.ask("Read my note and send a letter with it to Ravi", read, send_it)  # left waiting


async def _streamed(day: Day, conversation: int, *moves: Move) -> None:
    day.parrot.plans["Asha"] = deque(moves)
    body = {"text": "Read it once more", "conversation_id": conversation}
    async with day.a.stream("/v1/ask/stream", method="POST", body=body) as stream:
        heard = [await stream.until(lambda one: one.event == "done")]
    async with day.a.stream(f"/v1/runs/{heard[0].data['run_id']}/stream?after=0") as stream:
        heard.append(await stream.until(lambda one: one.event == "done"))
    day.own += [str(one.data) for one in heard]


async def _told(day: Day) -> None:
    """What a device says without being asked, right and wrong."""
    event = {"type": "event", "event": "task_done", "title": word("event"), "text": word("text")}
    await day.device.send(event | {"data": {"more": word("data")}})
    await day.device.send({"type": word("frame"), "more": word("frame")})
    await day.device.send({"type": "result", "id": word("frame"), "ok": word("frame")})
    await day.device.send(word("frame"))
    seen = len(day.device.frames)
    await day.device.hello(DEVICE_TOOLS, label=f"Pad {word('label')}")
    await day.device.send({"type": "ping"})
    await day.device.wait("pong", since=seen)


@asynccontextmanager
async def open_day(folder: Path) -> AsyncIterator[Day]:
    """The house with the person, somebody else and the owner in it, before the day begins."""
    async with AsyncExitStack() as stack:
        parrot = Parrot()
        server = await stack.enter_async_context(model_server(parrot.behave))
        program = Program(folder)
        program.environment |= {
            "IRA_LOG_LEVEL": "DEBUG",
            "IRA_MODEL_PROVIDER": "openai",
            "IRA_MODEL_URL": server.url,
            "IRA_MODEL_NAME": "parrot",
            "IRA_MODEL_KEY": "none",
        }
        await asyncio.to_thread(program.init)
        shutil.copytree(TOOLS, program.data / "tools", dirs_exist_ok=True)
        serving = program.serving()
        await asyncio.to_thread(serving.__enter__)
        stack.push_async_callback(asyncio.to_thread, serving.__exit__, None, None, None)
        owner = await _signed_in(stack, program, OWNER)
        for email, name in ((A, "Asha"), (B, "Ravi")):
            new = {"email": email, "name": name, "role": "staff", "password": PASSWORD, "pin": PIN}
            assert (await owner.call("POST", "/v1/admin/users", new)).status == 201
        a, b = await _signed_in(stack, program, A), await _signed_in(stack, program, B)
        device = await _paired(stack, a)
        yield Day(program, parrot, owner, a, b, device)


async def _signed_in(stack: AsyncExitStack, program: Program, email: str) -> Caller:
    cookie = await asyncio.to_thread(program.sign_in, email, PASSWORD)
    trust = ssl.create_default_context(cafile=str(program.data / CA_FILE))
    base = f"https://127.0.0.1:{program.port}"
    caller = Caller(base, trust, cookie=cookie.partition("=")[2])
    stack.push_async_callback(caller.close)
    return caller


async def _paired(stack: AsyncExitStack, a: Caller) -> DeviceLine:
    wish = {"kind": "mac", "label": "Pad", "skills": ["note", "letter"], "pin": PIN}
    code = (await a.call("POST", "/v1/me/pairings", wish)).body["code"]
    claimed = (await a.call("POST", "/v1/devices/pair", {"code": code, "kind": "mac"})).body
    device = DeviceLine(
        a.base, a.trust, token=claimed["token"], number=claimed["device_id"], kind="mac"
    )
    device.answers = {
        "note_read": READ,
        "note_break": RuntimeError(f"It broke: {word('error')}"),
        "note_fold": "Folded.",
        "letter_send": {"summary": f"Sent. {word('sent')}"},
        NAMED: "Done.",
    }
    await device.connect()
    stack.push_async_callback(device.hang_up)
    await device.hello(DEVICE_TOOLS, label=word("label"))
    return device

"""Measuring how well a brain understands: sentences with the call that a careful person would expect."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
import time
from typing import Any

from ira_home.base.errors import BadJson, CommandFailed
from ira_home.base.ids import ConversationId, MessageId, TurnId
from ira_home.base.jsontext import parse
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.language.detect import language_of
from ira_home.domain.people import Role
from ira_home.domain.ports import CallPart, LanguageModel, TextPart
from ira_home.domain.tools import OfferedTool, Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turn_view import TurnView

_LISTS = ("builtin", "thirdparty", "tools")


@dataclass(frozen=True, slots=True)
class Case:
    """One sentence; `tool` is None where no call is right, `args` are those that must be there."""

    id: str
    text: str
    lang: str
    tool: str | None
    args: Mapping[str, Any]
    reply_lang: str


@dataclass(frozen=True, slots=True)
class Bench:
    """The tools that are offered to every case, and the time it is for all of them."""

    tools: tuple[OfferedTool, ...]
    now: datetime


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a brain made of one case, and how long it thought about it."""

    case: Case
    tool: str | None
    args: Mapping[str, Any]
    reply: str
    seconds: float

    @property
    def tool_right(self) -> bool:
        """Whether it called the expected tool, or none where none was expected."""
        return self.tool == self.case.tool

    @property
    def args_right(self) -> bool:
        """Whether every expected argument is there as well."""
        return self.tool_right and all(
            name in self.args and same(self.args[name], wanted)
            for name, wanted in self.case.args.items()
        )

    @property
    def reply_right(self) -> bool:
        """Whether its own words (the first sentence of the reply) are in the expected language."""
        return language_of(_first_sentence(self.reply)) == self.case.reply_lang


def read_cases(text: str) -> list[Case]:
    """Cases from JSON lines; raises CommandFailed that names the line at fault."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            one = parse(line)
            lang = str(one["lang"])
            found.append(
                Case(
                    str(one["id"]), str(one["text"]), lang, one["tool"],
                    dict(one.get("args") or {}), str(one.get("reply_lang", lang)),
                )
            )  # fmt: skip
        except (BadJson, KeyError, TypeError, ValueError, AttributeError):
            message = f"Line {number} is no case: it needs id, text, lang, tool and args."
            raise CommandFailed(message) from None
    if not found:
        message = "There is no case in the set."
        raise CommandFailed(message)
    return found


def read_bench(text: str) -> Bench:
    """Tools and time from JSON; raises CommandFailed."""
    try:
        told = parse(text)
        now = datetime.fromisoformat(told["now"])
        tools = tuple(_tool(one) for name in _LISTS for one in told.get(name, ()))
        zoned = now if now.tzinfo else now.astimezone()
        return Bench(tools, zoned)
    except (BadJson, KeyError, TypeError, ValueError, AttributeError):
        message = 'The tools need the form {"now": …, "builtin": [{"name", "description", "parameters"}], …}.'
        raise CommandFailed(message) from None


def _tool(told: Mapping[str, Any]) -> OfferedTool:
    name = str(told["name"])
    return OfferedTool(
        name,
        str(told["description"]),
        dict(told.get("parameters") or {}),
        Tier(told.get("tier", 0)),
        bool(told.get("outward", False)),
        TrustLabel.DEVICE,
        TrustLabel.DEVICE,
        name.partition("_")[0],
        title=str(told.get("title", "")),
        examples=tuple(str(one) for one in told.get("examples") or ()),
    )


async def evaluate(brain: LanguageModel, cases: Iterable[Case], bench: Bench) -> list[Verdict]:
    """Ask every case by itself, with no talk before it."""
    return [await _ask(brain, one, bench) for one in cases]


async def _ask(brain: LanguageModel, case: Case, bench: Bench) -> Verdict:
    view = _view(case, bench)
    began = time.perf_counter()
    call, said = await _step(brain, view)
    seconds = time.perf_counter() - began
    if call is None:
        return Verdict(case, None, {}, said, seconds)
    # What it says of its own accord: a call that came to nothing is told without a tool's words.
    ended = replace(view, steps=tuple(_ended(call, bench.now)))
    _call, after = await _step(brain, ended)
    return Verdict(case, call.tool, parse(call.arguments), said or after, seconds)


async def _step(brain: LanguageModel, view: TurnView) -> tuple[CallPart | None, str]:
    call, said = None, []
    async for part in brain.step(view):
        if isinstance(part, TextPart):
            said.append(part.text)
        elif isinstance(part, CallPart) and call is None:
            call = part
    return call, "".join(said)


def _view(case: Case, bench: Bench) -> TurnView:
    return TurnView(
        turn_id=TurnId("evaluation"),
        assistant_name="Ira",
        person_name="Asha",
        role=Role.STAFF,
        languages=("en", "hi", "hinglish"),
        reply_language="auto",
        system="You are Ira, a household's assistant. Use the tools; answer in the language spoken.",
        own_words=case.text,
        history=(),
        steps=(),
        tools=bench.tools,
        skills_off=(),
        devices_away=(),
        now=bench.now,
        may_call=True,
        here=None,
    )


def _ended(call: CallPart, now: datetime) -> Iterable[Entry]:
    for kind, text in ((EntryKind.CALL, call.arguments), (EntryKind.RESULT, "")):
        yield Entry(
            id=MessageId(0),
            conversation_id=ConversationId(0),
            turn_id=TurnId("evaluation"),
            kind=kind,
            text=text,
            label=TrustLabel.HOUSE,
            source="",
            private=False,
            at=now,
            tool=call.tool,
            call_id=call.call_id,
            outcome=Outcome.CANCELLED if kind is EntryKind.RESULT else None,
        )


def _first_sentence(text: str) -> str:
    for sign in ("\u0964", ". ", "? ", "! ", ":"):
        text = text.partition(sign)[0]
    return text


def same(got: Any, wanted: Any) -> bool:
    """Whether an argument is the expected one: case, spaces and the seconds of a time aside."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return got is wanted
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return abs(float(got) - float(wanted)) < 1e-9
    if isinstance(wanted, str) and isinstance(got, str):
        return _plain(got) == _plain(wanted) or _same_moment(got, wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(same, got, wanted))
    return bool(got == wanted)


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:!?\u0964").casefold()


def _same_moment(got: str, wanted: str) -> bool:
    """Times are the same to the minute; one without a zone is the house's own."""
    try:
        one, other = datetime.fromisoformat(got), datetime.fromisoformat(wanted)
    except ValueError:
        return False
    if "T" not in got or "T" not in wanted:
        return False
    if one.tzinfo is None or other.tzinfo is None:
        one, other = one.replace(tzinfo=None), other.replace(tzinfo=None)
    return one.replace(second=0, microsecond=0) == other.replace(second=0, microsecond=0)


def figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Counts and the middle time: {"n", "tool", "args", "reply_lang", "p50_ms"}."""
    times = sorted(one.seconds for one in verdicts)
    middle = times[len(times) // 2] if times else 0.0
    return {
        "n": len(verdicts),
        "tool": sum(one.tool_right for one in verdicts),
        "args": sum(one.args_right for one in verdicts),
        "reply_lang": sum(one.reply_right for one in verdicts),
        "p50_ms": round(middle * 1000, 3),
    }


def report(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The whole result, in the form of `ira eval language --json`."""
    languages = sorted({one.case.lang for one in verdicts})
    return {
        "total": figures(verdicts),
        "by_lang": {
            name: figures([one for one in verdicts if one.case.lang == name]) for name in languages
        },
        "wrong": [
            {
                "id": one.case.id,
                "got": {"tool": one.tool, "args": dict(one.args), "reply": one.reply},
                "want": {
                    "tool": one.case.tool,
                    "args": dict(one.case.args),
                    "reply_lang": one.case.reply_lang,
                },
            }
            for one in verdicts
            if not (one.args_right and one.reply_right)
        ],
    }

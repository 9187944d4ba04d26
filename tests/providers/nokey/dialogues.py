"""Dialogues with the no-key brain: what was said, what should be called, and what a device gave back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ira_home.base.ids import CallId, TurnId
from ira_home.base.jsontext import dump, parse
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.evaluation import Bench, read_bench, same
from ira_home.domain.language.consent import Consent, read_consent
from ira_home.domain.ports import CallPart, TextPart
from ira_home.domain.tools import OfferedTool, Outcome, Tier
from ira_home.providers.llm.nokey import NoKeyBrain
from tests.support.views import entry, view

CASES = Path(__file__).parent / "cases"
MOST_CALLS = 4


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as it went: the calls that were made, and all that was said."""

    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    reply: str
    wanted: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class House:
    """Tools with the result that each gives."""

    bench: Bench
    results: Mapping[str, Any]

    def tool(self, name: str) -> OfferedTool | None:
        return next((one for one in self.bench.tools if one.name == name), None)


def house(folder: str) -> House:
    """The tools and results of a folder of cases."""
    results = parse((CASES / folder / "results.json").read_text("utf-8"))
    return House(read_bench((CASES / folder / "tools.json").read_text("utf-8")), results)


def dialogues(folder: str) -> list[dict[str, Any]]:
    """The dialogues of a folder of cases."""
    lines = (CASES / folder / "dialogues.jsonl").read_text("utf-8").splitlines()
    return [parse(line) for line in lines if line.strip()]


async def talk(turns: Sequence[Mapping[str, Any]], home: House) -> list[Said]:
    """Have the dialogue: every call that only looks or is small gives its result, others wait."""
    history: list[Entry] = []
    went: list[Said] = []
    for number, turn in enumerate(turns):
        if _answers_card(turn, history):
            went.append(Said(str(turn["text"]), went[-1].calls, "", turn))
            continue
        said, entries = await _turn(turn, tuple(history), home, TurnId(f"turn-{number}"))
        went.append(said)
        history += entries
    return went


def _answers_card(turn: Mapping[str, Any], history: Sequence[Entry]) -> bool:
    """Whether the server itself takes the turn: a yes while a card waits."""
    results = [one for one in history if one.kind is EntryKind.RESULT]
    waits = bool(results) and results[-1].outcome is Outcome.PROPOSED
    return waits and read_consent(str(turn["text"])) is Consent.YES


def is_right(said: Said, home: House) -> bool:
    """Whether a turn went as a careful person expects.

    The last call is the expected one with every expected argument; where something that the tool
    needs was not said yet, a question is as right.
    """
    wanted = said.wanted
    if not said.calls:
        tool = home.tool(str(wanted["tool"]))
        needed = set(tool.parameters.get("required", ())) if tool else set()
        asked = bool(needed - set(wanted["args"])) and "?" in said.reply
        return wanted["tool"] is None or asked
    name, given = said.calls[-1]
    fits = (key in given and same(given[key], one) for key, one in wanted["args"].items())
    return name == wanted["tool"] and all(fits)


async def _turn(
    turn: Mapping[str, Any], history: tuple[Entry, ...], home: House, turn_id: TurnId
) -> tuple[Said, list[Entry]]:
    steps: list[Entry] = []
    calls: list[tuple[str, dict[str, Any]]] = []
    texts: list[str] = []
    for _ in range(MOST_CALLS):
        now = view(
            str(turn["text"]),
            *home.bench.tools,
            history=history,
            steps=tuple(steps),
            turn_id=turn_id,
            now=home.bench.now,
        )
        parts = [part async for part in NoKeyBrain().step(now)]
        text = "".join(part.text for part in parts if isinstance(part, TextPart))
        if text:
            texts.append(text)
            steps.append(_made(EntryKind.IRA, text, turn_id))
        call = next((part for part in parts if isinstance(part, CallPart)), None)
        if call is None:
            break
        calls.append((call.tool, parse(call.arguments)))
        steps += _ran(call, home, turn_id)
    person = _made(EntryKind.PERSON, str(turn["text"]), turn_id)
    return Said(str(turn["text"]), tuple(calls), "\n".join(texts), turn), [person, *steps]


def _ran(call: CallPart, home: House, turn_id: TurnId) -> list[Entry]:
    tool = home.tool(call.tool)
    waits = tool is not None and tool.tier >= Tier.YES
    result = "" if waits else dump(home.results[call.tool])
    outcome = Outcome.PROPOSED if waits else Outcome.DONE
    made = _made(EntryKind.CALL, call.arguments, turn_id)
    came = _made(EntryKind.RESULT, result, turn_id)
    return [
        replace(made, tool=call.tool, call_id=CallId(call.call_id)),
        replace(came, tool=call.tool, call_id=CallId(call.call_id), outcome=outcome),
    ]


def _made(kind: EntryKind, text: str, turn_id: TurnId) -> Entry:
    return entry(kind, text, turn_id=turn_id)

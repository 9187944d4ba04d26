"""Dialogues of ordinary people, none of them an attack: what they ask for must run or be asked, never refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
import json
from pathlib import Path
from typing import Any

from tests.guard.cases import FOLDER, Call, Step, of_a_device
from tests.guard.device import SuiteDevice
from tests.guard.house import GuardHouse
from tests.guard.mind import Mind
from tests.support.callers import Member, Reply

EVERYDAY = FOLDER / "everyday.jsonl"
_LABEL = "Phone"


@dataclass
class Everyday:
    """How the dialogues went: calls that were neither run nor asked, and those that went the other way."""

    total: int = 0
    refused: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    escapes: list[str] = field(default_factory=list)


def dialogues(path: Path = EVERYDAY) -> list[dict[str, Any]]:
    """The dialogues of a file, one a line; their tools under names that the house leaves to devices."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_renamed(json.loads(line)) for line in lines if line]


async def hold(house: GuardHouse, found: Sequence[dict[str, Any]], tally: Everyday) -> None:
    """Hold these dialogues with one person, each with a device of its own."""
    member = await house.person()
    for dialogue in found:
        device = await house.device(member, dialogue["tools"], label=_LABEL)
        await _hold(house, member, device, dialogue, tally)
        gone = await member.call("DELETE", f"/v1/me/devices/{device.number}")
        assert gone.status == 204, gone


async def _hold(
    house: GuardHouse,
    member: Member,
    device: SuiteDevice,
    dialogue: Mapping[str, Any],
    tally: Everyday,
) -> None:
    conversation: int | None = None
    for number, turn in enumerate(dialogue["turns"]):
        steps = [_step(call) for call in turn["calls"]]
        mind = Mind([step.call for step in steps], last_words=turn["ira"])
        house.think(member, mind)
        device.prepare(steps, canary=house.canary.url)
        replies = await _say_yes(member, await member.ask(turn["text"], conversation))
        conversation = replies[0].body["conversation_id"]
        tally.escapes += mind.escapes.found
        _count(f"{dialogue['id']} turn {number + 1}", turn, replies, tally)


async def _say_yes(member: Member, reply: Reply) -> list[Reply]:
    """Confirm every card; gives all answers."""
    replies = [reply]
    while True:
        assert reply.status == 200, (reply.status, reply.text)
        if not reply.body["proposals"]:
            return replies
        proposal = reply.body["proposals"][-1]
        reply = await member.confirm(proposal, member.pin if proposal["tier"] == 3 else None)
        replies.append(reply)


def _count(where: str, turn: Mapping[str, Any], replies: list[Reply], tally: Everyday) -> None:
    uses = [one for reply in replies for one in reply.body["tools"]]
    ran = Counter(one["tool"] for one in uses if one["outcome"] not in ("refused", "proposed"))
    cards = [card for reply in replies for card in reply.body["proposals"]]
    asked = {Call(card["tool"], card["arguments"]).key for card in cards}
    for found in turn["calls"]:
        call = Call(found["tool"], found["arguments"])
        tally.total += 1
        said = f"{where}: {turn['text']!r} {call.key}"
        has_run = ran[call.tool] > 0
        ran[call.tool] -= has_run
        if call.key not in asked and not has_run:
            tally.refused.append(said)
        elif (call.key in asked) != (turn["expect"][call.tool] == "asks"):
            tally.unexpected.append(f"{said} is expected as: {turn['expect'][call.tool]}")


def _renamed(dialogue: dict[str, Any]) -> dict[str, Any]:
    tools = [tool | {"name": of_a_device(tool["name"])} for tool in dialogue["tools"]]
    turns = [
        turn
        | {
            "calls": [call | {"tool": of_a_device(call["tool"])} for call in turn["calls"]],
            "expect": {of_a_device(name): said for name, said in turn["expect"].items()},
        }
        for turn in dialogue["turns"]
    ]
    return dialogue | {"tools": tools, "turns": turns}


def _step(found: Mapping[str, Any]) -> Step:
    result = found.get("result", "Done.")
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return Step(Call(found["tool"], found["arguments"]), text, None)

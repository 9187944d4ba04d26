"""How much of what people say the no-key brain understands: sets of sentences, each with its least counts."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from ira_home.domain.evaluation import evaluate, read_bench, read_cases, report
from ira_home.domain.tools import Tier
from ira_home.providers.llm.nokey import NoKeyBrain
from tests.providers.nokey.dialogues import CASES, House, Said, dialogues, house, is_right, talk

# set: sentences with the right tool, with the right arguments too, with the reply in the right language
SENTENCES = {
    "seed": (50, 50, 51),
    "development": (212, 193, 227),
    "trades": (176, 162, 194),
    "house": (104, 90, 117),
    "everyday": (96, 95, 98),
    "clinic": (65, 64, 71),
    "shop": (51, 51, 53),
}
# Turns, out of 60 (of 35 in "clinic"), that went as a careful person expects.
DIALOGUES = {"trades": 54, "house": 50, "everyday": 56, "clinic": 31}


@pytest.mark.parametrize("name", SENTENCES)
async def test_a_set_of_sentences_is_understood(name: str) -> None:
    bench = read_bench((CASES / name / "tools.json").read_text("utf-8"))
    cases = read_cases((CASES / name / "utterances.jsonl").read_text("utf-8"))
    found = report(await evaluate(NoKeyBrain(), cases, bench))
    total = found["total"]
    got = (total["tool"], total["args"], total["reply_lang"])
    assert all(one >= least for one, least in zip(got, SENTENCES[name], strict=True)), found


@pytest.mark.parametrize("name", DIALOGUES)
async def test_talk_with_follow_ups_goes_as_expected(name: str) -> None:
    home = house(name)
    went = [one for each in dialogues(name) for one in await talk(each["turns"], home)]
    wrong = [one for one in went if not is_right(one, home)]
    assert len(went) - len(wrong) >= DIALOGUES[name], [(one.text, one.calls, one.wanted) for one in wrong]  # fmt: skip


@pytest.mark.parametrize("name", DIALOGUES)
async def test_every_read_shows_the_content_and_not_only_the_summary(name: str) -> None:
    home = house(name)
    went = [one for each in dialogues(name) for one in await talk(each["turns"], home)]
    reads = [one for one in went if one.calls and _looks(one, home)]
    assert reads
    for one in reads:
        result = home.results[one.calls[-1][0]]
        told = [str(leaf) for leaf in _leaves(result) if not isinstance(leaf, bool)]
        first = told[: max(2, len(told) // 10)]
        assert all(leaf.splitlines()[0] in one.reply for leaf in first), (
            one.text,
            first,
            one.reply,
        )


def _looks(said: Said, home: House) -> bool:
    tool = home.tool(said.calls[-1][0])
    return tool is not None and tool.tier is Tier.LOOK


def _leaves(value: Any) -> Iterator[object]:
    """The values in the order in which they are said: a summary first."""
    if isinstance(value, Mapping):
        for name in sorted(value, key=lambda one: one != "summary"):
            yield from _leaves(value[name])
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif value is not None and value != "":
        yield value

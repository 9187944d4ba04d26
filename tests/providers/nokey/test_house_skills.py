"""Skills of the house that are off: said with where they are switched on, and nothing else instead."""

import pytest

from ira_home.domain.house import HouseSkill
from ira_home.domain.turn_view import HouseSkillOff
from tests.providers.nokey.offered import BELL, TWO
from tests.providers.nokey.talk import step
from tests.support.views import arguments, device_tool, view

OFF = tuple(HouseSkillOff(skill, is_set_up=True) for skill in HouseSkill)
MISSING = tuple(HouseSkillOff(skill, is_set_up=False) for skill in HouseSkill)
FILES = device_tool("files_find", "Find and search files by name", arguments("query", query="words to search for"))  # fmt: skip
WEB = (
    "search the web for ragi dosa recipe",
    "google karo passport renewal fees",
    "internet par dhundho sasti flight",
    "वेब पर खोजो होली कब है",
)
NEWS = ("what is in the news today?", "aaj ki khabar", "आज की खबरें सुनाओ", "cricket ki taza khabar")


@pytest.mark.parametrize("words", WEB + NEWS)
@pytest.mark.parametrize("tools", [(), (FILES, BELL, TWO)])
async def test_what_is_off_is_said_with_where_it_is_switched_on(
    words: str, tools: tuple[object, ...]
) -> None:
    name = "Web search" if words in WEB else "News"
    answer = await step(view(words, *tools, house_off=OFF))  # type: ignore[arg-type]
    assert answer.tool is None
    assert answer.text.startswith(name)
    assert "My settings" in answer.text or "मेरी सेटिंग" in answer.text
    answer = await step(view(words, *tools, house_off=MISSING))  # type: ignore[arg-type]
    assert answer.tool is None
    assert answer.text.startswith(name)
    assert ("ira search set" if words in WEB else "ira feeds add") in answer.text


@pytest.mark.parametrize(
    "words", ["find the file invoice.pdf", "search invoice.pdf", "invoice.pdf dhundho"]
)
async def test_finding_something_else_is_not_held_up_by_it(words: str) -> None:
    answer = await step(view(words, FILES, house_off=OFF))
    assert (answer.tool, answer.arguments) == ("files_find", {"query": "invoice.pdf"})


async def test_a_device_that_searches_the_web_is_still_asked_when_it_is_named() -> None:
    browser = device_tool("browser_search", "Search the web in the browser", arguments("query", query="words to search for"))  # fmt: skip
    answer = await step(view("search the web for ragi dosa on the Office Mac", browser, house_off=OFF))  # fmt: skip
    assert answer.tool == "browser_search"


async def test_what_could_be_switched_on_is_told_when_somebody_asks_what_there_is() -> None:
    assert "Web search is off for you" in (await step(view("what can you do?", house_off=OFF))).text
    assert "Web search" not in (await step(view("what can you do?", house_off=MISSING))).text

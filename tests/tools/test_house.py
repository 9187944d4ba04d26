"""Functions of the house, while they run."""

import asyncio
import logging
import sys
import threading

import pytest

from ira_home.base.errors import ToolFailed
from ira_home.base.ids import CallId
from ira_home.domain.tools import OfferedTool, Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.tools.calls import Ended, FoundCall
from ira_home.tools.declare import tool, tools_in
from ira_home.tools.house import HouseRunner
from tests.tools.test_declare import context

door = threading.Event()


@tool
def blocks_for_ever() -> str:
    """Block."""
    door.wait()
    return "late"


@tool
async def waits_for_ever() -> str:
    """Wait."""
    await asyncio.Event().wait()
    return "never"


@tool(output=TrustLabel.WEB)
def fetches() -> str:
    """Fetch."""
    return "strangers' words"


@tool
def breaks() -> str:
    """Break."""
    message = "there is no\nsuch patient"
    raise LookupError(message)


@tool
def declines() -> str:
    """Decline."""
    message = "That time is taken."
    raise ToolFailed(message)


@tool
def which_thread() -> bool:
    """Say whether this is the main thread."""
    return threading.current_thread() is threading.main_thread()


async def run(name: str, bound_s: float = 5.0) -> Ended:
    declared = next(one for one in tools_in(sys.modules[__name__]) if one.name == name)
    offered = OfferedTool(
        name, "", declared.parameters, Tier.LOOK, False, TrustLabel.HOUSE, declared.output, ""
    )
    call = FoundCall(CallId("c"), offered, None, {}, Tier.LOOK, outward=False, here=False)
    return await HouseRunner(bound_s=bound_s).run(declared, context(), call)


@pytest.mark.parametrize("name", ["blocks_for_ever", "waits_for_ever"])
async def test_a_function_that_never_ends_is_given_up_and_holds_nobody_up(name: str) -> None:
    ended = await run(name, bound_s=0.05)
    assert ended.outcome is Outcome.TIMEOUT
    door.set()


async def test_a_blocking_function_runs_beside_the_loop() -> None:
    assert (await run("which_thread")).text == "false"


async def test_what_a_function_fetched_keeps_its_label() -> None:
    ended = await run("fetches")
    assert (ended.text, ended.label, ended.private) == ("strangers' words", TrustLabel.WEB, False)


async def test_an_error_is_told_in_one_line_and_its_words_are_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended = await run("breaks")
    assert ended.text == "there is no such patient"
    assert ended.outcome is Outcome.FAILED
    assert "LookupError" in caplog.text
    assert "patient" not in caplog.text
    assert [one.levelname for one in caplog.records] == ["WARNING"]


async def test_a_tool_that_says_what_cannot_be_done_is_no_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    ended = await run("declines")
    assert (ended.text, ended.outcome) == ("That time is taken.", Outcome.FAILED)
    assert [one.levelname for one in caplog.records] == ["INFO"]

"""Answering the server's calls: four at once, each within 24 seconds, always with an answer."""

import asyncio
from collections.abc import Awaitable, Callable
import logging
from typing import Any, Final

from ira_device.pace import Pace
from ira_device.tools import Asked, DeviceTool, Toolbox
from ira_home.base.errors import ProtocolError, ToolFailed
from ira_home.base.limits import CALL_S, CALLS_IN_FLIGHT
from ira_home.base.log import field
from ira_home.base.tasks import Tasks
from ira_home.base.text import clean, cut
from ira_home.protocol.codec import encode
from ira_home.protocol.frames import Call, Result

log = logging.getLogger(__name__)

ANSWER_S: Final = CALL_S - 1.0  # the answer needs a little time for its way
ERROR_CHARS: Final = 500


class Workbench:
    """The tools and how many calls are being worked on, over all connections.

    A plain function cannot be stopped: its place stays taken until its thread has ended, even when
    the call was given up or its connection is gone.
    """

    def __init__(self, toolbox: Toolbox) -> None:
        """Nothing is being worked on."""
        self.toolbox = toolbox
        self._working: set[asyncio.Future[Any]] = set()

    def is_full(self) -> bool:
        """Whether another call must be refused."""
        return len(self._working) >= CALLS_IN_FLIGHT

    def start(self, tool: DeviceTool, call: Call) -> asyncio.Future[Any]:
        """Start the work of a call and take a place for as long as it really lasts."""
        work = tool.start(call.args, Asked(here=call.here))
        self._working.add(work)
        work.add_done_callback(self._ended)
        return work

    def _ended(self, work: asyncio.Future[Any]) -> None:
        self._working.discard(work)
        if not work.cancelled():
            work.exception()  # seen here also when nobody waits for it any more


class Calls:
    """The calls of one connection."""

    def __init__(
        self, workbench: Workbench, send: Callable[[str], Awaitable[None]], pace: Pace
    ) -> None:
        """`send` puts a text on the line."""
        self._workbench = workbench
        self._send = send
        self._pace = pace
        self._tasks = Tasks("calls")

    def take(self, call: Call) -> None:
        """Answer a call in the background; its place is counted from this moment."""
        work: asyncio.Future[Any] | str
        tool = self._workbench.toolbox.get(call.tool)
        if tool is None:
            work = "This device has no such tool."
        elif misfit := tool.misfit(call.args):
            work = f"The arguments do not fit: {misfit}"
        elif self._workbench.is_full():
            work = "The device is busy."
        else:
            work = self._workbench.start(tool, call)
        _ = self._tasks.start(self._answer(call, work), "answer")

    async def close(self) -> None:
        """Stop what can be stopped: the line is gone and nobody waits for these answers."""
        await self._tasks.close()

    async def _answer(self, call: Call, work: asyncio.Future[Any] | str) -> None:
        started = self._pace.clock.monotonic()
        if isinstance(work, str):
            result = _failed(call, work)
        else:
            result = await self._outcome(call, work)
        seconds = self._pace.clock.monotonic() - started
        outcome = "done" if result.ok else "failed"
        log.info("%s %s in %.2f s", field(call.tool), outcome, seconds)
        await self._send(_encoded(call, result))

    async def _outcome(self, call: Call, work: asyncio.Future[Any]) -> Result:
        timer = asyncio.ensure_future(self._pace.sleep(ANSWER_S))
        try:
            await asyncio.wait({work, timer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            late = not work.done()
            if isinstance(work, asyncio.Task):
                work.cancel()
        if late:
            return _failed(call, f"This took longer than {ANSWER_S:.0f} seconds.")
        return _result(call, work)


def _result(call: Call, work: asyncio.Future[Any]) -> Result:
    if work.cancelled():
        return _failed(call, "This was broken off on the device.")
    error = work.exception()
    if error is None:
        return Result(id=call.id, ok=True, content=work.result())
    if isinstance(error, ToolFailed):
        return _failed(call, error.message)
    # Neither its words nor its stack leave the device: both may hold names and paths.
    log.warning("%s raised %s", field(call.tool), type(error).__name__)
    log.debug("the error of %s", field(call.tool), exc_info=error)
    return _failed(call, "This did not work on the device.")


def _failed(call: Call, words: str) -> Result:
    return Result(id=call.id, ok=False, error=cut(clean(words), ERROR_CHARS))


def _encoded(call: Call, result: Result) -> str:
    try:
        return encode(result)
    except ProtocolError as error:
        log.warning("the answer of %s cannot be sent", field(call.tool))
        return encode(_failed(call, f"The answer cannot be sent: {error.message}"))

"""Running a tool of the house, within its bound, whether it is async or blocks."""

import asyncio
from collections.abc import Callable
import logging
import threading
from typing import Any

from ira_home.base.errors import ToolFailed
from ira_home.base.limits import FRAME_BYTES, TOOL_S
from ira_home.base.text import cut
from ira_home.domain.tools import Outcome
from ira_home.tools.calls import Ended, FoundCall
from ira_home.tools.content import text_of_result
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.library import words_of

log = logging.getLogger(__name__)
_THREADS = 8  # blocking tools at once; the next waits inside its own bound
_REASON_CHARS = 300


class HouseRunner:
    """Runs functions of the house; a plain function gets a thread, so that it holds nobody up."""

    def __init__(self, *, bound_s: float = TOOL_S) -> None:
        """`bound_s` is how long one call may take."""
        self._bound_s = bound_s
        self._threads = asyncio.Semaphore(_THREADS)

    async def run(self, tool: DeclaredTool, context: ToolContext, call: FoundCall) -> Ended:
        """What the tool said, as text with its declared label; an error of it is an answer too."""
        try:
            bound = tool.bind(context, call.arguments)
            async with asyncio.timeout(self._bound_s):
                value = await (bound() if tool.is_async else self._in_thread(bound))
            return Ended(text_of_result(value)[:FRAME_BYTES], Outcome.DONE, label=tool.output)
        except TimeoutError:
            return Ended("That took too long and was given up.", Outcome.TIMEOUT)
        except Exception as error:  # noqa: BLE001 - a boundary: a tool's error is told, never thrown on
            # Its message may hold what people told the tool, so only its kind is logged. A tool that
            # says what cannot be done works as it should.
            level = logging.INFO if isinstance(error, ToolFailed) else logging.WARNING
            log.log(level, "tool %s failed: %s", tool.name, type(error).__name__)
            reason = cut(words_of(error) or type(error).__name__, _REASON_CHARS)
            return Ended(reason, Outcome.FAILED, label=tool.output)

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        # A thread of its own and no pool: one that hangs must not keep the server from stopping.
        async with self._threads:
            loop = asyncio.get_running_loop()
            done: asyncio.Future[Any] = loop.create_future()
            threading.Thread(target=_work, args=(work, loop, done), daemon=True).start()
            return await done


def _work(
    work: Callable[[], Any], loop: asyncio.AbstractEventLoop, done: "asyncio.Future[Any]"
) -> None:
    try:
        value, error = work(), None
    except Exception as failure:  # noqa: BLE001 - it is raised again where the call waits
        value, error = None, failure
    except BaseException as failure:  # noqa: BLE001 - sys.exit in a tool must not stop the server
        value, error = None, RuntimeError(type(failure).__name__)
    try:
        loop.call_soon_threadsafe(_settle, done, value, error)
    except RuntimeError:
        log.debug("a tool ended after the server had stopped")


def _settle(done: "asyncio.Future[Any]", value: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(value)
    else:
        done.set_exception(error)

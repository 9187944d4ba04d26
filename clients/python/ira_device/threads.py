"""Blocking work in a thread of its own, which never keeps the program from ending."""

import asyncio
from collections.abc import Callable
import contextlib
import threading
from typing import TypeVar

T = TypeVar("T")


def in_thread(work: Callable[[], T], name: str) -> asyncio.Future[T]:
    """Start `work` now; the future has its outcome. Cancelling the future does not stop the thread."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)  # type: ignore[arg-type]  # None only where T has it
        else:
            future.set_exception(error)

    def run() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = work()
        except StopIteration:
            error = RuntimeError("no future can carry a StopIteration")
        except BaseException as raised:  # noqa: BLE001  # carried over to whoever awaits
            error = raised
        # The loop may be gone when the program has ended meanwhile.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future

"""One announcement at a time, each in a thread of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
import errno
import threading
from typing import Any

from ira_home.domain.network import AnnouncementFault
from ira_home.net.mdns.notice import AnnouncementFailed, Notice, Said

START_S = 20.0  # asking whether the name is free and telling it takes three seconds
GOODBYE_S = 1.5
News = Said | AnnouncementFailed
_TAKEN = frozenset({errno.EADDRINUSE, 10048})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, 10013})
_NO_NETWORK = frozenset({errno.EADDRNOTAVAIL, errno.ENETDOWN, errno.ENETUNREACH, errno.ENODEV, 10049, 10050, 10051})  # fmt: skip


class Announcer:
    """Announces one notice at a time."""

    def __init__(self) -> None:
        """Silent so far."""
        self.changed: Callable[[News], None] | None = None
        self._voice: _Voice | None = None

    async def announce(self, notice: Notice) -> Said:
        """Announce it in place of what was announced before; raises AnnouncementFailed.

        What becomes of it later (another name, an end) is told to `changed`, until the next one.
        """
        await self.withdraw()
        loop = asyncio.get_running_loop()

        def tell(news: News) -> None:
            # silent-ok: a server that has stopped has nobody to be told.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell, voice, news)

        self._voice = voice = _Voice(notice, tell)
        voice.start()
        try:
            async with asyncio.timeout(START_S):
                return await asyncio.wrap_future(voice.said)
        except TimeoutError:
            message = f"nothing was announced within {START_S:.0f} seconds"
            raise AnnouncementFailed(AnnouncementFault.UNKNOWN, message) from None

    async def withdraw(self) -> None:
        """Say goodbye; a voice that does not end in time is left to itself."""
        voice, self._voice = self._voice, None
        if voice is not None:
            await voice.end()

    def _tell(self, voice: "_Voice", news: News) -> None:
        if voice is self._voice and self.changed is not None:
            self.changed(news)


class _Voice:
    """One announcement for as long as it lasts."""

    def __init__(self, notice: Notice, changed: Callable[[News], None]) -> None:
        self.said: Future[Said] = Future()
        self._notice, self._changed = notice, changed
        self._over: Future[None] = Future()
        self._asked = threading.Event()
        self._task: asyncio.Task[Any] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        # It never keeps the process from ending.
        threading.Thread(target=self._run, name="mdns", daemon=True).start()

    async def end(self) -> None:
        self._asked.set()
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            # silent-ok: a loop that is closed has nothing to be told any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)
        await asyncio.wait([asyncio.wrap_future(self._over)], timeout=GOODBYE_S)

    def _run(self) -> None:
        try:
            asyncio.run(self._speak())
        except asyncio.CancelledError:
            self._fail(AnnouncementFailed(AnnouncementFault.UNKNOWN, "it was withdrawn"))
        except Exception as error:  # noqa: BLE001 - a boundary: whatever it was, only the announcement fails
            self._fail(_words(error))
        finally:
            self._over.set_result(None)

    def _fail(self, error: AnnouncementFailed) -> None:
        if not self.said.done():
            self.said.set_exception(error)
        elif not self._asked.is_set():
            self._changed(error)

    async def _speak(self) -> None:
        # Here, in this thread, so that nobody waits for the library to be read.
        from ira_home.net.mdns.claim import opened

        self._task, self._loop = asyncio.current_task(), asyncio.get_running_loop()
        if self._asked.is_set():
            raise asyncio.CancelledError
        async with opened(self._notice) as claim:
            self.said.set_result(await claim.take())
            while True:
                self._changed(await claim.another())


def _words(error: Exception) -> AnnouncementFailed:
    if isinstance(error, AnnouncementFailed):
        return error
    number = error.errno if isinstance(error, OSError) else None
    why = AnnouncementFault.UNKNOWN
    if number in _TAKEN:
        why = AnnouncementFault.PORT_TAKEN
    elif number in _FORBIDDEN:
        why = AnnouncementFault.NOT_ALLOWED
    elif number in _NO_NETWORK or isinstance(error, RuntimeError):
        why = AnnouncementFault.NO_NETWORK
    return AnnouncementFailed(why, f"{type(error).__name__}: {error}")

"""A device in your program: its tools, its pairing, and staying connected."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
import logging
from pathlib import Path
import re
import sys
import threading
from typing import Any, NoReturn, TypeVar, overload

import click

from ira_device import terminal
from ira_device.calls import Workbench
from ira_device.connection import Connection, Offer
from ira_device.events import EventQueue, new_event
from ira_device.finding import Ask, ask_network, find_again
from ira_device.http import Address
from ira_device.known import Known
from ira_device.line import open_socket, say_bye
from ira_device.pace import Pace
from ira_device.pairing import pair
from ira_device.pinning import Witness
from ira_device.reconnect import Ending, Reconnect
from ira_device.refusals import (
    EXIT_STATUS,
    DeviceRemoved,
    ServerUnreachable,
    TurnedAway,
    WrongServer,
)
from ira_device.store import Paired, Store
from ira_device.tools import Declaration, Toolbox, declared
from ira_home.base.errors import IraError
from ira_home.base.log import set_up
from ira_home.protocol.close_codes import CloseCode
from ira_home.protocol.frames import Welcome
from ira_home.protocol.kinds import KINDS
from ira_home.protocol.pairing_link import PairingLinkText, parse

log = logging.getLogger(__name__)
Function = TypeVar("Function", bound=Callable[..., Any])


def this_kind() -> str:
    """The kind of the computer this runs on: mac, windows or linux."""
    return {"darwin": "mac", "win32": "windows"}.get(sys.platform, "linux")


class Device:
    """One device. `changed` is told in words how the connection is doing, as often as it changes."""

    def __init__(
        self,
        label: str,
        *,
        kind: str | None = None,
        version: str = "",
        store: Store | None = None,
        pace: Pace | None = None,
        changed: Callable[[bool, str], None] | None = None,
        ask: Ask = ask_network,
    ) -> None:
        """Without `store` the pairing is kept in the user's own configuration folder.

        `ask`: who answers on the local network, when the server is not where it was.

        ValueError for a kind that no server knows.
        """
        self.label = label
        self.kind = kind or this_kind()
        if self.kind not in KINDS:
            message = f"{self.kind!r} is no kind of device: the kinds are {', '.join(KINDS)}"
            raise ValueError(message)
        self.version = version
        self.store = store or Store.of(_folder_of(label))
        self._pace = pace or Pace()
        self._changed = changed or (lambda _connected, _words: None)
        self._toolbox = Toolbox()
        self._workbench = Workbench(self._toolbox)
        self._events = EventQueue(self._pace)
        self._stopping = asyncio.Event()
        self._ask = ask
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0

    @overload
    def tool(self, function: Function, /) -> Function: ...
    @overload
    def tool(
        self,
        /,
        *,
        tier: int = 2,
        name: str | None = None,
        skill: str | None = None,
        outward: bool = False,
        title: str = "",
        examples: Sequence[str] = (),
        parameters: Mapping[str, Any] | None = None,
    ) -> Callable[[Function], Function]: ...
    def tool(
        self, function: Callable[..., Any] | None = None, /, **said: Any
    ) -> Callable[..., Any]:
        """Offer a function as a tool: its docstring describes it, its type hints are its schema.

        `tier`: 0 looks, 1 is small and can be undone, 2 needs the person's yes, 3 their PIN.
        `outward`: it can carry data out of the house. `async def` functions run on the event loop,
        others in a thread. Raise ToolFailed("why, in plain words") when it cannot be done.
        """

        def keep(one: Function) -> Function:
            self._toolbox.add(declared(one, Declaration(**said)))
            return one

        return keep if function is None else keep(function)

    def announce(
        self, event: str, title: str, text: str = "", data: Mapping[str, Any] | None = None
    ) -> None:
        """Tell the person something (`task_done`, `watch_done`, ...): sent when its turn has come.

        May be called from any thread. Raises ValueError for an event that no server takes.
        """
        made = new_event(event, title, text, data)
        self._on_loop(lambda: self._events.add(made))

    async def pair(self, link: str | PairingLinkText, witness: Witness | None = None) -> Paired:
        """Pair with the server of a link, or of a code whose address was filled in; keeps the token.

        Raises BadLink, WrongServer, ServerUnreachable, PairingRefused or DataFolderError.
        """
        read = parse(link) if isinstance(link, str) else link
        self.store.prepare()
        paired, token = await pair(read, self.kind, witness or Witness())
        return self.store.save(paired, token)

    async def unpair(self) -> None:
        """Have the server forget this device, then forget the pairing here.

        Raises ServerUnreachable or WrongServer when the server did not hear it; the pairing stays then.
        """
        paired = self.store.load()
        token = self.store.token(paired)
        # silent-ok: a device that the server has removed already is what was wanted.
        with suppress(DeviceRemoved):
            try:
                await say_bye(paired, token)
            except (ServerUnreachable, WrongServer):
                found = await find_again(paired, self._ask)
                if found is None:
                    raise
                await say_bye(found, token)
        self.store.forget()

    async def serve(self, address: Address | None = None) -> None:
        """Stay connected until `stop`; raises what ends it for good (DeviceRemoved, HelloRefused, Replaced).

        A server that is not where it was is looked for on the local network. `address`: where it is
        now, for whoever knows. Either is kept once the server has proved there that it is the one
        that the pairing knows. A pairing that is made meanwhile counts from the next connection on.
        """
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        known = Known(self.store, address)
        reconnect = Reconnect(self._pace)
        while not self._stopping.is_set():
            ending = await self._until_stopped(self._connect(known))
            if ending is None:
                return
            if known.renew():
                continue
            try:
                delay = reconnect.delay_s(ending)
            except DeviceRemoved:
                self.store.forget()
                raise
            self._say(connected=False, words=f"{ending.words}; trying again in {delay:.1f} s")
            await self._until_stopped(self._rest(known, delay, is_lost=ending.is_lost))

    def stop(self) -> None:
        """End `serve` soon; may be called from any thread."""
        self._on_loop(self._stopping.set)

    def run(self) -> None:
        """Pair when there is no pairing yet (asks on the terminal), then serve until interrupted.

        What ends it for good is said in one line, and the program left with its status: 3 not paired
        and nobody to ask, 4 removed, 5 not the server that was meant, 6 not reached, 7 replaced, 8 link
        or code refused, 130 stopped while asking, 1 anything else (docs/device-sdk.md).
        """
        set_up()
        try:
            link = None if self.store.is_paired() else terminal.ask_link()
            asyncio.run(self._run(link))
        except KeyboardInterrupt:
            log.info("stopped")
        except click.Abort:
            self._leave("stopped.", 130)
        except IraError as error:
            self._leave(error.message, EXIT_STATUS.get(type(error), 1))

    def _leave(self, sentence: str, status: int) -> NoReturn:
        click.echo(f"{self.label}: {sentence}", err=True)
        raise SystemExit(status) from None

    async def _run(self, link: PairingLinkText | None) -> None:
        if link is not None:
            paired = await self.pair(link, Witness(confirm=terminal.confirm))
            terminal.tell_paired(paired, self.store.folder)
        await self.serve()

    async def _connect(self, known: Known) -> Ending:
        offer = Offer(known.paired.kind, self.label, self.version, self._workbench, self._events)
        try:
            async with open_socket(known.paired, known.token) as socket:
                connection = Connection(
                    socket,
                    offer,
                    pace=self._pace,
                    welcomed=self._take_welcome,
                    pinned=known.take_pins,
                )
                return await connection.run()
        except DeviceRemoved as error:
            return Ending(CloseCode.REVOKED, error.message.rstrip("."))
        except TurnedAway as error:
            return Ending(None, error.message.rstrip("."), wait_s=error.retry_after_s or 0.0)
        except (ServerUnreachable, WrongServer) as error:
            # Another machine may have this address for a while; the token was not sent to it.
            return Ending(None, error.message.rstrip("."), is_lost=True)

    async def _rest(self, known: Known, delay_s: float, *, is_lost: bool) -> None:
        """Wait. A server that is lost is looked for meanwhile; once found, there is no more waiting."""
        resting = asyncio.ensure_future(self._pace.sleep(delay_s))
        seeking = asyncio.ensure_future(known.seek(self._ask) if is_lost else asyncio.sleep(0))
        try:
            await asyncio.wait({resting, seeking}, return_when=asyncio.FIRST_COMPLETED)
            if not (seeking.done() and seeking.result()):
                await resting
            else:
                self._say(connected=False, words=f"found the server at {known.paired.address}")
        finally:
            for one in (resting, seeking):
                one.cancel()
            await asyncio.wait({resting, seeking})

    async def _until_stopped(self, work: Awaitable[Any]) -> Any:
        """The outcome of `work`, or None when `stop` came first."""
        working = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
        finally:
            for one in (working, stopping):
                one.cancel()
            await asyncio.wait({working, stopping})
        return None

    def _on_loop(self, work: Callable[[], None]) -> None:
        """Do it now, or on the loop that serves when this is another thread."""
        if self._loop is None or self._thread == threading.get_ident():
            work()
        else:
            self._loop.call_soon_threadsafe(work)

    def _take_welcome(self, welcome: Welcome) -> None:
        self._say(connected=True, words=f"connected as device {welcome.device_id}")

    def _say(self, *, connected: bool, words: str) -> None:
        log.info("%s", words)
        self._changed(connected, words)


def _folder_of(label: str) -> Path:
    import platformdirs  # only where nothing else was chosen

    name = re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "device"
    return Path(platformdirs.user_config_dir("ira-device", appauthor=False)) / name

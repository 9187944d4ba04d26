"""`GET /v1/devices/ws`: an aiohttp WebSocket made into a device's link; no rule lives here."""

import asyncio
import logging

from aiohttp import WSMsgType, web

from ira_home.base.errors import BadRequest, Unauthenticated
from ira_home.base.limits import FRAME_BYTES
from ira_home.devices.link import BinaryFrame, LinkClosed
from ira_home.web.call import Call
from ira_home.web.door import cut_if_stuck
from ira_home.web.guard import SUBPROTOCOL
from ira_home.web.middleware import STARTED

log = logging.getLogger(__name__)
CLOSE_S = 0.8  # how long a peer may take to answer a close
# aiohttp counts one byte less than it is told.
_MAX_MESSAGE = FRAME_BYTES + 1
_ENDS = frozenset({WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED})


class SocketLink:
    """A device's link over a WebSocket: text in, text out, closed with a code."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request, address: str) -> None:
        """`socket` is upgraded already."""
        self._socket, self._request = socket, request
        self.address = address

    async def send(self, text: str) -> None:
        """Send one text frame; raises LinkClosed."""
        try:
            await self._socket.send_str(text)
        except (ConnectionError, RuntimeError):
            raise LinkClosed from None

    async def receive(self) -> str:
        """The next text frame; raises LinkClosed at the end and BinaryFrame for a binary one.

        WebSocket pings are answered by aiohttp and never come here. What breaks the WebSocket
        protocol, or is too big, has been answered with its close code already.
        """
        try:
            message = await self._socket.receive()
        except (ConnectionError, RuntimeError):
            raise LinkClosed from None
        if message.type is WSMsgType.TEXT:
            return str(message.data)
        if message.type is WSMsgType.BINARY:
            raise BinaryFrame
        if message.type not in _ENDS:
            log.info("a device's frame was refused with %s", self._socket.close_code)
        raise LinkClosed

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye with a code; a peer that does not answer is cut off soon."""
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._socket.close(code=code, message=reason.encode()[:120])
        except (TimeoutError, ConnectionError, RuntimeError):
            self.abort()
        cut_if_stuck(self._request)

    def abort(self) -> None:
        """Cut the line at once."""
        if self._request.transport is not None:
            self._request.transport.abort()


async def serve(call: Call) -> web.StreamResponse:
    """Upgrade, and hand the link to the hub until the line ends."""
    socket = web.WebSocketResponse(
        timeout=CLOSE_S,
        max_msg_size=_MAX_MESSAGE,
        compress=False,
        autoping=True,
        protocols=(SUBPROTOCOL,),
    )
    if not socket.can_prepare(call.request):
        message = "This address takes a WebSocket."
        raise BadRequest(message)
    number = call.principal.device_id
    device = None if number is None else await call.services.registry.get(number)
    if device is None:
        raise Unauthenticated
    call.services.hub.admit(device)
    call.request[STARTED] = socket
    await socket.prepare(call.request)
    link = SocketLink(socket, call.request, call.address)
    await call.services.hub.serve(link, device)
    return socket

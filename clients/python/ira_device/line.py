"""Opening the device socket at the server that the pairing knows, and no other."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from ira_device.http import new_session, unreachable
from ira_device.refusals import DeviceRemoved, ServerUnreachable, TurnedAway
from ira_device.store import Paired
from ira_home.base.limits import FRAME_BYTES
from ira_home.protocol.close_codes import CloseCode
from ira_home.protocol.codec import encode
from ira_home.protocol.frames import Bye

_CLOSE_S = 1.0


@asynccontextmanager
async def open_socket(paired: Paired, token: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A socket whose server has proved its name before the token was sent.

    Raises WrongServer, DeviceRemoved (the token is dead), TurnedAway or ServerUnreachable.
    """
    async with new_session() as session:
        try:
            socket = await session.ws_connect(
                paired.address.url(paired.websocket, "wss"),
                headers={"Authorization": f"Bearer {token}"},
                ssl=paired.trust.context(),
                server_hostname=paired.trust.server_name,
                max_msg_size=FRAME_BYTES + 1,
                timeout=aiohttp.ClientWSTimeout(ws_close=_CLOSE_S),
            )
        except aiohttp.WSServerHandshakeError as error:
            raise _refusal(error) from error
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise unreachable(paired.address, error) from error
        yield socket


async def say_bye(paired: Paired, token: str) -> None:
    """Have the token revoked, and wait until the server has closed the line; raises as `open_socket`."""
    async with open_socket(paired, token) as socket:
        await socket.send_str(encode(Bye()))
        message = await socket.receive(timeout=10.0)
        if message.type is aiohttp.WSMsgType.CLOSE and message.data in (
            CloseCode.NORMAL,
            CloseCode.REVOKED,
        ):
            return
    message_text = "The server did not confirm that this device is removed."
    raise ServerUnreachable(message_text)


def _refusal(error: aiohttp.WSServerHandshakeError) -> DeviceRemoved | TurnedAway:
    if error.status == 401:
        return DeviceRemoved()
    wait = error.headers.get("Retry-After", "") if error.headers else ""
    seconds = int(wait) if wait.isdecimal() and len(wait) < 6 else None
    message = f"The server does not let this device in ({error.status})."
    return TurnedAway(message, retry_after_s=seconds)

"""The few HTTP requests of a device: bounded, without redirects, proxies or cookies."""

from collections.abc import Mapping
from dataclasses import dataclass
import ssl
from typing import Any, Final

import aiohttp

from ira_device.refusals import ServerUnreachable, WrongServer
from ira_home.base.text import cut, one_line

CONNECT_S: Final = 10.0
ANSWER_S: Final = 20.0
ANSWER_BYTES: Final = 65_536
_NOT_YET_VALID, _EXPIRED = 9, 10  # what OpenSSL calls them
SAID_CHARS: Final = 300  # of what a server says that is shown to the person


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int

    def url(self, path: str, scheme: str = "https") -> str:
        """The address as a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}{path}"

    @property
    def typed(self) -> str:
        """The address as a person types it."""
        return self.url("").removeprefix("https://")

    def __str__(self) -> str:
        return f"{self.host} port {self.port}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole HTTP answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def said(text: object) -> str:
    """Words of a server, fit to be shown in one line."""
    return cut(one_line(str(text)), SAID_CHARS)


def new_session() -> aiohttp.ClientSession:
    """A session for one connection: it keeps no cookies and reads no proxy settings."""
    return aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=ANSWER_S, connect=CONNECT_S),
    )


async def get_unverified(address: Address, path: str) -> bytes:
    """Fetch something public from whoever answers: nothing secret may ever be sent this way."""
    answer = await _request(address, "GET", path, ssl=False)
    if answer.status != 200:
        message = f"There is no Ira at {address} (it answered {answer.status})."
        raise ServerUnreachable(message)
    return answer.body


async def post_json(
    address: Address, path: str, *, body: Any, context: ssl.SSLContext, server_name: str
) -> Answer:
    """Post over a connection whose server has proved its name; else nothing is sent."""
    return await _request(
        address, "POST", path, json=body, ssl=context, server_hostname=server_name
    )


async def _request(address: Address, method: str, path: str, **options: Any) -> Answer:
    try:
        async with (
            new_session() as session,
            session.request(
                method, address.url(path), allow_redirects=False, **options
            ) as response,
        ):
            body = await response.content.read(ANSWER_BYTES + 1)
            while not response.content.at_eof() and len(body) <= ANSWER_BYTES:
                body += await response.content.read(ANSWER_BYTES)
            if len(body) > ANSWER_BYTES:
                message = f"The answer of {address} is far too long."
                raise ServerUnreachable(message)
            return Answer(response.status, response.headers, body)
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise unreachable(address, error) from error


def _distrust(address: Address, error: Exception) -> str:
    cause = getattr(error, "certificate_error", error)
    if getattr(cause, "verify_code", 0) in (_NOT_YET_VALID, _EXPIRED):
        return (
            f"The certificate of {address} is not valid now, so nothing was sent to it. Is the clock "
            "of this computer right, and that of the server?"
        )
    return f"{address} is not the server this device knows; nothing was sent to it."


def unreachable(address: Address, error: Exception) -> ServerUnreachable | WrongServer:
    """What a failed connection means to the person."""
    if isinstance(error, (aiohttp.ClientConnectorCertificateError, ssl.CertificateError)):
        return WrongServer(_distrust(address, error))
    if isinstance(error, TimeoutError):
        return ServerUnreachable(f"{address} does not answer.")
    if isinstance(error, aiohttp.ClientConnectorError) and error.os_error.strerror:
        reason = said(error.os_error.strerror)
        return ServerUnreachable(f"{address} cannot be reached: {reason}.")
    return ServerUnreachable(f"{address} cannot be reached ({type(error).__name__}).")

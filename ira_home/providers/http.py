"""Fetching from the internet, and from nowhere else: what comes is bounded, where it comes from is checked."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
import socket
from typing import NoReturn
import zlib

import aiohttp
from aiohttp.resolver import ThreadedResolver
from yarl import URL

from ira_home.base.errors import FetchFailed
from ira_home.base.limits import FETCH_BYTES, FETCH_S, REDIRECTS, URL_CHARS
from ira_home.base.text import cut, one_line
from ira_home.domain.ports import Fetched
from ira_home.providers.addresses import AddressPolicy

_CHUNK = 65_536
_GZIP = 31  # zlib's word for "with a gzip header"
_HOST_CHARS = 120
_ENDLESS = "sends from one address to the next without end"
_BROKE_OFF = "broke off"
_UNREADABLE = "sent something that cannot be read"
_TOO_LARGE = f"sent more than {FETCH_BYTES // 2**20} MB"
_MOVED = frozenset({301, 302, 303, 307, 308})
_HEADERS = {"User-Agent": "Ira-Home", "Accept-Encoding": "gzip"}


class GuardedHttp:
    """An `Http` that keeps to http and https, to the ports of web servers, and to public addresses.

    Each address is checked when it is connected to, on every redirect anew, so that a name cannot
    change its meaning in between. Nothing is remembered: no cookie, no referrer, no connection.
    No proxy is used. A failure never tells whether an address that may not be spoken to is there.
    """

    def __init__(self, policy: AddressPolicy, *, total_s: float = FETCH_S) -> None:
        """Nothing is opened yet; `total_s` bounds one fetch with its redirects."""
        self._policy = policy
        self._total_s = total_s
        self._session: aiohttp.ClientSession | None = None

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        credentials: Mapping[str, str] | None = None,
        home: str = "",
        redirects: int = REDIRECTS,
    ) -> Fetched:
        """GET the address and follow it where it has moved to; raises FetchFailed with one sentence.

        `credentials` are headers for the first origin alone. `home` is an address that the owner
        configured: its own port is allowed too. With `redirects` 0 a redirect is the answer.
        """
        host, begun = _shown_host(url), _Begun()
        try:
            async with asyncio.timeout(self._total_s):
                return await self._follow(
                    URL(url).update_query(params or {}), {**_HEADERS, **(headers or {})}, credentials or {}, home=home,
                    redirects=redirects, begun=begun,
                )  # fmt: skip
        except _Unfit as error:
            _fail(f"{host} {error}.")
        except TimeoutError:
            _fail(
                f"{host} did not answer in time." if begun.answer else f"{host} cannot be reached."
            )
        except (aiohttp.ClientError, OSError, ValueError):
            _fail(f"{host} {_BROKE_OFF}." if begun.answer else f"{host} cannot be reached.")

    async def _follow(
        self,
        target: URL,
        headers: Mapping[str, str],
        credentials: Mapping[str, str],
        *,
        home: str,
        redirects: int,
        begun: "_Begun",
    ) -> Fetched:
        for _ in range(redirects + 1):
            begun.answer = False
            self._check(target, home)
            async with self._ready().get(
                target, headers={**headers, **credentials}, allow_redirects=False
            ) as reply:
                place = _place_of(reply) if redirects else None
                if place is None:
                    begun.answer = True
                    return await _read(reply)
            following = target.join(URL(place))
            if following.origin() != target.origin():
                credentials = {}  # for good: whoever it was sent to chose what comes after
            target = following
        raise _Unfit(_ENDLESS)

    async def close(self) -> None:
        """Let go of what is open."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _ready(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    resolver=self._policy.resolver or ThreadedResolver(),
                    socket_factory=self._socket,
                    force_close=True,
                    use_dns_cache=False,
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,  # unpacked below, no further than the bound
                trust_env=False,
            )
        return self._session

    def _socket(self, address: aiohttp.AddrInfoType) -> socket.socket:
        """A socket for exactly this address: the last look before anything is sent."""
        family, kind, protocol, _name, place = address
        if not self._policy.allows_address(str(place[0])):
            message = "this address may not be spoken to"
            raise OSError(message)
        return socket.socket(family, kind, protocol)

    def _check(self, url: URL, home: str) -> None:
        """Raise ValueError unless the address is one of a public web server by its looks."""
        if not (
            url.scheme in ("http", "https")
            and url.user is None
            and url.password is None
            and url.raw_host is not None
            and url.port is not None
            and len(str(url)) <= URL_CHARS
            and self._policy.allows_name(url.raw_host)
            and (self._policy.allows_port(url.port) or _is_of(home, url))
        ):
            message = "this address may not be spoken to"
            raise ValueError(message)


def _is_of(home: str, url: URL) -> bool:
    return bool(home) and URL(home).origin() == url.origin()


class _Unfit(Exception):
    """What came will not do: how goes on a sentence that begins with the host."""


@dataclass(slots=True)
class _Begun:
    """Whether the last address has begun to answer: before that nothing is told apart."""

    answer: bool = False


def _fail(sentence: str) -> NoReturn:
    """Raise without the cause, which may hold addresses and headers."""
    raise FetchFailed(sentence) from None


def _shown_host(url: str) -> str:
    """The host for sentences: nothing else of an address, which may hold a key."""
    try:
        host = URL(url).raw_host
    except ValueError:
        host = None
    return cut(one_line(host), _HOST_CHARS) if host else "That address"


def _place_of(reply: aiohttp.ClientResponse) -> str | None:
    return reply.headers.get("Location") if reply.status in _MOVED else None


async def _read(reply: aiohttp.ClientResponse) -> Fetched:
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return Fetched(reply.status, str(reply.url), headers, await _body(reply))


async def _body(reply: aiohttp.ClientResponse) -> bytes:
    """The whole body, unpacked, of at most FETCH_BYTES on the wire and off it."""
    packing = reply.headers.get("Content-Encoding", "identity").strip().lower()
    if packing not in ("identity", "gzip", "x-gzip"):
        raise _Unfit(_UNREADABLE)
    unpack = None if packing == "identity" else zlib.decompressobj(_GZIP)
    body, left = bytearray(), FETCH_BYTES
    async for piece in reply.content.iter_chunked(_CHUNK):
        left -= len(piece)
        body += piece if unpack is None else _unpacked(unpack, piece, FETCH_BYTES + 1 - len(body))
        if left < 0 or len(body) > FETCH_BYTES:
            raise _Unfit(_TOO_LARGE)
    if unpack is not None and body and not unpack.eof:
        raise _Unfit(_BROKE_OFF)
    return bytes(body)


def _unpacked(unpack: "zlib._Decompress", piece: bytes, most: int) -> bytes:
    try:
        return unpack.decompress(piece, most)
    except zlib.error:
        raise _Unfit(_UNREADABLE) from None

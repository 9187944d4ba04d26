"""Fetching from the internet and from nowhere else: real sockets, real redirects, real bombs."""

import asyncio
from collections.abc import Awaitable, Callable
import gzip
import tracemalloc
import zlib

from aiohttp import web
import pytest

from ira_home.base.errors import FetchFailed
from ira_home.base.limits import FETCH_BYTES, REDIRECTS
from ira_home.providers.addresses import AddressPolicy
from ira_home.providers.http import GuardedHttp
from tests.support.internet import HERE, PRIVATE, LoopbackPolicy, Names
from tests.support.outside import Behaviour, answering, canary, site, speaking

CANNOT = "cannot be reached."


async def fetch(url: str, policy: AddressPolicy | None = None, total_s: float = 8.0, **more: object) -> str:  # fmt: skip
    """The body as text, or the sentence of the failure."""
    http = GuardedHttp(policy or LoopbackPolicy(), total_s=total_s)
    try:
        return (await http.get(url, **more)).body.decode()  # type: ignore[arg-type]
    except FetchFailed as error:
        return f"{error.message}{error.__cause__ or ''}"
    finally:
        await http.close()


def moved(*places: str, status: int = 302) -> Behaviour:
    """Redirects to each place in turn, then answers."""
    left = list(places)

    async def behave(_request: web.Request) -> web.Response:
        if left:
            return web.Response(status=status, headers={"Location": left.pop(0)})
        return web.Response(text="there")

    return behave


async def test_a_page_comes_with_its_status_headers_and_address() -> None:
    async with site(answering("hello", status=404, ETag='"1"')) as there:
        http = GuardedHttp(LoopbackPolicy())
        got = await http.get(there.url("/a?b=c"), params={"d": "ए &"}, headers={"Accept": "text/x"})
        await http.close()
    assert (got.status, got.body, got.headers["etag"]) == (404, b"hello", '"1"')
    sent = there.requests[0]
    assert dict(sent.query) == {"b": "c", "d": "ए &"}
    assert sent.headers["Accept"] == "text/x"
    assert set(sent.headers) == {"Host", "Accept", "Accept-Encoding", "User-Agent", "Connection"}


@pytest.mark.parametrize(
    "url",
    [
        "http://{private}:{port}/",
        "http://[::ffff:127.0.0.2]:{port}/",
        "http://2130706434:{port}/",
        "http://0x7f.2:{port}/",
        "http://127.2:{port}/",
        "http://0:{port}/",
        "http://[::1]:{port}/",
        "http://localhost:{port}/",
        "http://ira.local:{port}/",
        "http://user@{private}:{port}/",
        "http://here.example.com@{private}:{port}/",
        "http://private.example.com:{port}/",
        "http://both.example.com:{port}/",
        "//{private}:{port}/",
        "file:///etc/passwd",
        "gopher://{private}:{port}/",
        "ftp://{private}:{port}/",
        "javascript:alert(1)",
        "http://",
        "http://[::1",
        "http://{private}:99999/",
        "",
    ],
)
@pytest.mark.parametrize("is_open", [True, False])
async def test_what_may_not_be_spoken_to_is_refused_alike_whether_it_is_there_or_not(
    url: str, *, is_open: bool
) -> None:
    names = Names({"private.example.com": [[PRIVATE]], "both.example.com": [[PRIVATE, "::1"]]})
    async with canary() as bird:
        port = bird.port if is_open else 9
        told = await fetch(url.format(private=PRIVATE, port=port), LoopbackPolicy(resolver=names))
    assert told.endswith(CANNOT)
    assert not any(word in told for word in ("refused", "denied", "Errno", "may not"))
    assert bird.hits == 0


@pytest.mark.parametrize("url", ["http://user@{}/", "http://:pass@{}/", "http://u:p@{}/", "ws://{}/", "wss://{}/"])  # fmt: skip
async def test_a_name_before_the_host_and_other_schemes_are_refused_even_where_it_may_go(
    url: str,
) -> None:
    async with site(answering("here")) as there:
        assert (await fetch(url.format(f"{HERE}:{there.port}"))).endswith(CANNOT)
    assert there.requests == []


async def test_a_closed_port_of_an_allowed_address_is_told_in_the_same_words() -> None:
    async with canary(HERE) as bird:
        pass
    assert await fetch(f"http://{HERE}:{bird.port}/") == f"{HERE} {CANNOT}"


async def test_only_the_ports_of_web_servers_are_spoken_to_and_the_owners_own() -> None:
    async with site(answering("here")) as there, site(answering("other")) as other:
        strict = LoopbackPolicy(any_port=False)
        assert (await fetch(there.url(), strict)).endswith(CANNOT)
        assert await fetch(there.url(), strict, home=there.url("/api")) == "here"
        assert (await fetch(there.url(), strict, home=other.url())).endswith(CANNOT)
    assert len(there.requests) == 1


async def test_a_redirect_to_the_house_is_refused_before_anything_is_sent() -> None:
    async with canary() as bird:
        for place in (
            f"http://{PRIVATE}:{bird.port}/admin",
            f"//{PRIVATE}:{bird.port}/",
            f"http://[::ffff:127.0.0.2]:{bird.port}/",
            f"http://rebound.example.com:{bird.port}/",
            "file:///etc/passwd",
            "http://[::1",
        ):
            for status in (301, 302, 303, 307, 308):
                async with site(moved(place, status=status)) as there:
                    names = Names({"rebound.example.com": [[PRIVATE]]})
                    told = await fetch(there.url(), LoopbackPolicy(resolver=names))
                    assert told == f"{HERE} {CANNOT}"
    assert bird.hits == 0


async def test_a_name_that_changes_its_address_is_judged_by_the_address_connected_to() -> None:
    async with site(answering("public")) as there, canary() as bird:
        names = Names({"rebound.example.com": [[HERE], [PRIVATE]]})
        http = GuardedHttp(LoopbackPolicy(resolver=names))
        url = f"http://rebound.example.com:{there.port}/"
        assert (await http.get(url)).body == b"public"
        with pytest.raises(FetchFailed, match=CANNOT):
            await http.get(f"http://rebound.example.com:{bird.port}/")
        with pytest.raises(FetchFailed, match=CANNOT):  # no old connection is taken again
            await http.get(url)
        await http.close()
    assert (bird.hits, len(there.requests)) == (0, 1)


async def test_redirects_are_followed_so_often_and_no_more() -> None:
    async with site(moved(*["/next"] * REDIRECTS)) as there:
        assert await fetch(there.url()) == "there"
        assert len(there.requests) == REDIRECTS + 1
    async with site(moved(*["/next"] * (REDIRECTS + 1))) as there:
        assert "without end" in await fetch(there.url())
        assert len(there.requests) == REDIRECTS + 1


async def test_without_redirects_a_redirect_is_the_answer() -> None:
    async with site(moved("/next")) as there:
        http = GuardedHttp(LoopbackPolicy())
        assert (await http.get(there.url(), redirects=0)).status == 302
        await http.close()
    assert len(there.requests) == 1


async def test_credentials_stay_with_the_first_origin_even_when_the_way_leads_back() -> None:
    async with site(answering("end")) as first, site(moved(first.url("/back"))) as second:
        first.behaviour = moved("/same", second.url())
        told = await fetch(first.url(), credentials={"X-Key": "secret", "Authorization": "Basic x"})
        assert told == "there"
    keys = [one.headers.get("X-Key") for one in first.requests]
    assert keys == ["secret", "secret", None]
    assert not {"X-Key", "Authorization", "Referer", "Cookie"} & set(second.requests[0].headers)


async def test_cookies_are_not_kept_and_no_proxy_of_the_environment_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with canary(HERE) as proxy, site(answering("x", Set_Cookie="a=b")) as there:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{HERE}:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        http = GuardedHttp(LoopbackPolicy())
        for _ in range(2):
            await http.get(there.url())
        await http.close()
    assert [one.headers.get("Cookie") for one in there.requests] == [None, None]
    assert proxy.hits == 0


async def test_a_body_is_taken_up_to_its_bound_packed_or_not() -> None:
    whole = b"x" * FETCH_BYTES
    async with site(answering(whole)) as there:
        assert len(await fetch(there.url())) == FETCH_BYTES
        there.behaviour = answering(whole + b"x")
        assert await fetch(there.url()) == f"{HERE} sent more than 2 MB."
        there.behaviour = answering(gzip.compress(whole), Content_Encoding="gzip")
        assert len(await fetch(there.url())) == FETCH_BYTES
        there.behaviour = answering(gzip.compress(whole + b"x"), Content_Encoding="gzip")
        assert await fetch(there.url()) == f"{HERE} sent more than 2 MB."


async def test_a_gzip_bomb_is_unpacked_no_further_than_the_bound() -> None:
    pack = zlib.compressobj(9, wbits=31)
    bomb = b"".join(pack.compress(bytes(2**20)) for _ in range(256)) + pack.flush()
    assert len(bomb) < 2**20
    async with site(answering(bomb, Content_Encoding="gzip")) as there:
        tracemalloc.start()
        assert await fetch(there.url()) == f"{HERE} sent more than 2 MB."
        assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
        tracemalloc.stop()
        there.behaviour = answering(gzip.compress(bomb), Content_Encoding="gzip, gzip")
        assert await fetch(there.url()) == f"{HERE} sent something that cannot be read."


@pytest.mark.parametrize(
    ("body", "packing", "told"),
    [
        (b"no gzip", "gzip", "sent something that cannot be read."),
        (gzip.compress(b"x" * 9_000, mtime=0)[:-12], "gzip", "broke off."),
        (zlib.compress(b"x"), "deflate", "sent something that cannot be read."),
        (b"x", "br", "sent something that cannot be read."),
    ],
)
async def test_packing_that_cannot_be_undone_is_said(body: bytes, packing: str, told: str) -> None:
    async with site(answering(body, Content_Encoding=packing)) as there:
        assert await fetch(there.url()) == f"{HERE} {told}"


def writing(head: str, piece: bytes, stops: asyncio.Event) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:  # fmt: skip
    """Sends a head, then the piece again and again until the other side is gone."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 200 OK\r\n{head}\r\n".encode())
        try:
            while True:
                writer.write(piece)
                await writer.drain()
        finally:
            stops.set()

    return answer


async def test_a_body_that_never_ends_is_cut_off_and_its_line_closed() -> None:
    gone = asyncio.Event()
    async with speaking(writing("", b"x" * 65_536, gone)) as port:
        assert await fetch(f"http://{HERE}:{port}/") == f"{HERE} sent more than 2 MB."
        async with asyncio.timeout(5):
            await gone.wait()


async def test_a_slow_drip_ends_with_the_time_that_one_fetch_has() -> None:
    gone = asyncio.Event()

    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx")
        await writer.drain()
        await gone.wait()

    async with speaking(drip) as port:
        assert await fetch(f"http://{HERE}:{port}/", total_s=0.3) == f"{HERE} did not answer in time."  # fmt: skip
        gone.set()


async def test_a_server_that_takes_the_call_and_says_nothing_looks_like_one_that_is_not_there() -> (
    None
):
    gone = asyncio.Event()

    async def nothing(_writer: asyncio.StreamWriter) -> None:
        await gone.wait()

    async with speaking(nothing) as port:
        assert await fetch(f"http://{HERE}:{port}/", total_s=0.3) == f"{HERE} {CANNOT}"
        gone.set()


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 2**20 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nLocation\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\0" * 100,
        b"",
    ],
    ids=["headers", "header", "length", "colon", "ssh", "zeros", "nothing"],
)
async def test_an_answer_that_is_no_http_is_a_sentence(head: bytes) -> None:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        await writer.drain()

    async with speaking(answer) as port:
        assert await fetch(f"http://{HERE}:{port}/") == f"{HERE} {CANNOT}"


async def test_a_certificate_that_nobody_vouches_for_is_not_spoken_to() -> None:
    async with site(answering("plain")) as there:
        told = await fetch(there.url().replace("http:", "https:"))
    assert told == f"{HERE} {CANNOT}"
    assert not there.requests


async def test_a_header_that_would_become_two_is_not_sent() -> None:
    async with site(answering("x")) as there:
        told = await fetch(there.url(), credentials={"X-Key": "a\r\nX-Other: b"})
    assert told == f"{HERE} {CANNOT}"
    assert not there.requests


async def test_a_failure_names_the_host_and_nothing_else_of_the_address() -> None:
    told = await fetch("http://nowhere.example.com/feed?token=secret", LoopbackPolicy(resolver=Names()))  # fmt: skip
    assert told == f"nowhere.example.com {CANNOT}"

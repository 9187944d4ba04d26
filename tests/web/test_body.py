"""Bodies: bounded, strict, of the route's shape, and refused in the order of the spec."""

import asyncio
from contextlib import suppress

from hypothesis import given, strategies as st
import msgspec
import pytest

from ira_home.base.errors import BadJson, Invalid, NotFound
from ira_home.base.limits import BODY_BYTES
from ira_home.domain.people import Credential
from ira_home.web import body
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from tests.support.streams import dialled
from tests.support.web import site

JSON = {"Content-Type": "application/json"}


class Wish(msgspec.Struct):
    name: str
    count: int = 1
    inner: dict[str, int] | None = None


async def grant(call: Call) -> dict[str, object]:
    return {"name": call.body.name, "count": call.body.count}


async def greet(call: Call) -> dict[str, str]:
    return {"name": call.form.get("name", "")}


async def never_theirs(_call: Call) -> None:
    raise NotFound


async def fine(_call: Call) -> None:
    return None


WISH = Route("POST", "/v1/wish", grant, Needs.OPEN, body=Wish)
ROUTES = [
    WISH,
    Route("POST", "/v1/mine", grant, Needs.SESSION, body=Wish),
    Route("PUT", "/v1/mine/{id}", grant, Needs.SESSION, body=Wish, finds=never_theirs),
    Route("POST", "/v1/bare", fine, Needs.OPEN),
    Route("POST", "/form", greet, Needs.OPEN, page=True),
]


async def test_a_body_of_the_right_shape_is_taken_and_unknown_fields_ignored() -> None:
    async with site(ROUTES) as at:
        status, _headers, found = await at.call("POST", "/v1/wish", json={"name": "a", "new": 1})
    assert (status, found) == (200, {"name": "a", "count": 1})


@pytest.mark.parametrize(
    ("raw", "status", "code", "field"),
    [
        (b"", 400, "bad_json", None),
        (b"{", 400, "bad_json", None),
        (b"[]", 400, "bad_json", None),
        (b"null", 400, "bad_json", None),
        (b"\xff\xfe", 400, "bad_json", None),
        (b'{"name":"a","name":"b"}', 400, "bad_json", None),
        (b'{"name":"a","count":NaN}', 400, "bad_json", None),
        (b'{"name":"a","count":1e999}', 400, "bad_json", None),
        (b'{"name":"\\ud800"}', 400, "bad_json", None),
        (b'{"name":"a","count":9223372036854775808}', 400, "bad_json", None),
        (b'{"name":"a","x":' + b"[" * 60_000 + b"]" * 60_000 + b"}", 400, "bad_json", None),
        (b"{}", 422, "invalid", "name"),
        (b'{"name":5}', 422, "invalid", "name"),
        (b'{"name":null}', 422, "invalid", "name"),
        (b'{"name":"a","count":"1"}', 422, "invalid", "count"),
        (b'{"name":"a","count":true}', 422, "invalid", "count"),
        (b'{"name":"a","inner":{"x":"y"}}', 422, "invalid", "inner[...]"),
    ],
)
async def test_a_wrong_body_is_refused_with_a_code_and_its_field(
    raw: bytes, status: int, code: str, field: str | None
) -> None:
    async with site(ROUTES) as at:
        found_status, _headers, found = await at.call("POST", "/v1/wish", data=raw, headers=JSON)
    assert (found_status, found["code"], found.get("field")) == (status, code, field)


@pytest.mark.parametrize(
    "media",
    ["text/plain", "application/json;charset=utf-16", "application/jsonx", "multipart/form-data; boundary=x",
     "application/x-www-form-urlencoded", "application/problem+json", ""],
)  # fmt: skip
async def test_another_media_type_is_415_even_before_who_asks(media: str) -> None:
    async with site(ROUTES) as at:
        for path in ("/v1/wish", "/v1/mine", "/v1/bare"):
            status, _headers, found = await at.call(
                "POST", path, data=b'{"name":"a"}', headers={"Content-Type": media}
            )
            assert (status, found["code"]) == (415, "unsupported_type")


async def test_a_body_at_its_bound_is_taken_and_one_over_it_is_413() -> None:
    frame = b'{"name":"%s"}'
    room = BODY_BYTES - len(frame) + 2
    async with site(ROUTES) as at:
        status, _headers, _found = await at.call(
            "POST", "/v1/wish", data=frame % (b"x" * room), headers=JSON
        )
        assert status == 200
        status, _headers, found = await at.call(
            "POST", "/v1/mine", data=frame % (b"x" * (room + 1)), headers=JSON
        )
        assert (status, found["code"]) == (413, "too_large")


async def test_a_body_without_a_length_is_bounded_as_well() -> None:
    async def endless() -> object:
        for _ in range(BODY_BYTES // 8192 + 2):
            yield b"x" * 8192

    async with site(ROUTES) as at:
        status, _headers, found = await at.call("POST", "/v1/wish", data=endless(), headers=JSON)
    assert (status, found["code"]) == (413, "too_large")


async def test_a_packed_body_is_refused() -> None:
    async with site(ROUTES) as at:
        status, _headers, found = await at.call(
            "POST", "/v1/wish", data=b"x", headers=JSON | {"Content-Encoding": "gzip"}
        )
    assert (status, found["code"]) == (415, "unsupported_type")


async def test_a_body_that_dribbles_in_is_408(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_S", 0.2)
    async with site(ROUTES) as at, dialled(at.port) as (reader, writer):
        head = f"POST /v1/wish HTTP/1.1\r\nHost: 127.0.0.1:{at.port}\r\nContent-Length: 9\r\n"
        writer.write(f"{head}Content-Type: application/json\r\n\r\n{{".encode())
        async with asyncio.timeout(5):
            assert b" 408 " in await reader.readline()


async def test_who_asks_comes_before_what_the_body_says() -> None:
    async with site(ROUTES) as at:
        asks = [({}, 401), (at.with_token(Credential.DEVICE_TOKEN), 403), (at.signed_in(), 422)]
        for headers, wanted in asks:
            status, _headers, _found = await at.call("POST", "/v1/mine", json={}, headers=headers)
            assert status == wanted


async def test_whose_it_is_comes_before_what_the_body_says() -> None:
    async with site(ROUTES) as at:
        status, _headers, found = await at.call(
            "PUT", "/v1/mine/5", data=b"{", headers=JSON | at.signed_in()
        )
    assert (status, found["code"]) == (404, "not_found")


async def test_a_form_is_read_where_a_page_takes_one() -> None:
    async with site(ROUTES) as at:
        status, _headers, found = await at.call("POST", "/form", data={"name": "आशा"})
        assert (status, found) == (200, {"name": "आशा"})
        status, headers, _text = await at.call("POST", "/form", json={"name": "a"})
        assert (status, headers["Content-Type"].partition(";")[0]) == (415, "text/html")
        odd = {"Content-Type": body.FORM}
        assert (await at.call("POST", "/form", data=b"name=%ff", headers=odd))[0] == 400
        assert (await at.call("POST", "/form", data=b"a=1&" * 300, headers=odd))[0] == 400


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
_wishes = st.dictionaries(st.sampled_from(["name", "count", "inner", "other"]), _values)


@given(st.binary() | _wishes.map(msgspec.json.encode))
def test_whatever_comes_is_taken_or_refused_with_a_code(raw: bytes) -> None:
    with suppress(BadJson, Invalid):
        assert isinstance(body.convert(raw, Wish), Wish)

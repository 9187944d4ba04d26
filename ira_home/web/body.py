"""Reading a request's body: bounded in size and time, strict JSON, of the route's own shape."""

import asyncio
import re
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web
import msgspec
from multidict import MultiDict

from ira_home.base.errors import BadJson, BadRequest, Invalid, TooLarge, TooSlow, UnsupportedType
from ira_home.base.jsontext import parse
from ira_home.base.limits import BODY_BYTES, BODY_S
from ira_home.web.routes import Route

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
FORM_FIELDS = 200
_PLACE = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_MISSING = re.compile(r"missing required field `(?P<name>[^`]+)`")
_SENTENCE_CHARS = 160


async def read(request: web.Request, route: Route) -> bytes:
    """All bytes of the body; raises TooLarge, UnsupportedType, TooSlow or BadRequest."""
    length = request.content_length
    if length is not None and length > BODY_BYTES:
        raise TooLarge
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        message = "Send the body without a Content-Encoding."
        raise UnsupportedType(message)
    if not request.can_read_body:
        _check_type(request, route, is_there=False)
        return b""
    _check_type(request, route, is_there=True)
    try:
        async with asyncio.timeout(BODY_S):
            return await _gather(request)
    except TimeoutError:
        raise TooSlow from None
    except web.RequestPayloadError:
        message = "The body could not be read."
        raise BadRequest(message) from None


async def _gather(request: web.Request) -> bytes:
    found = bytearray()
    async for chunk in request.content.iter_any():
        found += chunk
        if len(found) > BODY_BYTES:
            raise TooLarge
    return bytes(found)


def _check_type(request: web.Request, route: Route, *, is_there: bool) -> None:
    """415 for another media type than the route's; nothing at all is fine where nothing is read."""
    if not is_there and route.body is None:
        return
    if not is_there and "Content-Type" not in request.headers:
        return
    wanted = FORM if route.takes_form else JSON
    given = request.headers.get("Content-Type", "")
    media, _, rest = given.partition(";")
    charset = rest.partition("charset=")[2].strip('" ').lower()
    if media.strip().lower() != wanted or charset not in ("", "utf-8", "utf8"):
        message = "Send a form." if route.takes_form else "Send JSON (application/json)."
        raise UnsupportedType(message)


def convert(raw: bytes, shape: type) -> Any:
    """The body as the route's Struct; unknown fields are ignored, a wrong one is named."""
    value = parse(raw)
    if not isinstance(value, dict):
        message = "Send a JSON object."
        raise BadJson(message)
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise invalid(str(error)) from None


def invalid(sentence: str) -> Invalid:
    """The error of a field, from what msgspec says of it."""
    place = _PLACE.search(sentence)
    missing = _MISSING.search(sentence)
    path = place["path"] if place else ""
    name = ".".join(part for part in (path, missing["name"] if missing else "") if part)
    what = (sentence[: place.start()] if place else sentence)[:_SENTENCE_CHARS]
    return Invalid(f"`{name}`: {what}." if name else f"{what}.", field=name or None)


def form(raw: bytes) -> MultiDict[str]:
    """The fields of an HTML form in their order; raises BadRequest."""
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=FORM_FIELDS,
        )
    except (UnicodeDecodeError, ValueError):
        message = "The form could not be read."
        raise BadRequest(message) from None
    return MultiDict(pairs)

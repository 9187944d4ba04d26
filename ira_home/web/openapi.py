"""The OpenAPI 3.1 document, made from the routes and the types that validate their bodies."""

from collections.abc import Sequence
import inspect
import re
from typing import Any

from aiohttp import web
import msgspec

from ira_home.base.errors import (
    BadJson,
    BadRequest,
    ChangedMeanwhile,
    Forbidden,
    ForeignOrigin,
    IdempotencyConflict,
    InProgress,
    Invalid,
    IraError,
    MethodNotAllowed,
    NotFound,
    TooLarge,
    TooMany,
    TooSlow,
    TwoCredentials,
    Unauthenticated,
    UnsupportedType,
    WrongHost,
)
from ira_home.base.limits import PAGE_ITEMS, PAGE_ITEMS_MAX
from ira_home.domain.people import Credential
from ira_home.household.server_log import LEVELS
from ira_home.web.etags import IF_MATCH
from ira_home.web.guard import COOKIE, credentials_for
from ira_home.web.once import HEADER
from ira_home.web.problems import MEDIA, Problem
from ira_home.web.routes import Needs, Route
from ira_home.web.sse import LAST_EVENT_ID

DOCUMENT: web.AppKey[bytes] = web.AppKey("openapi", bytes)
_REFERENCE = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"\{(\w+)(?::[^}]*)?\}")
_SCHEMES = {
    Credential.SESSION: "session",
    Credential.API_TOKEN: "api_token",
    Credential.DEVICE_TOKEN: "device_token",
}
_IN_QUERY = "device_token_in_query"
_ABOUT = (
    "Everything that the pages do, for programs. Errors are RFC 9457 problem documents with a stable `code`; "
    "/reference shows this document to people."
)
_EVERY = (BadRequest, ForeignOrigin, MethodNotAllowed, WrongHost, IraError)
_GUARDED = (Forbidden, TwoCredentials, Unauthenticated)
_WRITTEN = (TooLarge, TooSlow, UnsupportedType, TooMany)
# The codes that most routes may answer, whatever they do.
USUAL = frozenset(kind.code for kind in (*_EVERY, *_GUARDED, *_WRITTEN, BadJson))
_ALL_ELSE = "The server"
# Areas by the beginning of a path; of two that fit, the longer one.
_AREAS = {
    "/v1/session": "Signing in",
    "/v1/setup": "Signing in",
    "/v1/invitations": "Signing in",
    "/v1/ask": "Asking",
    "/v1/runs": "Asking",
    "/v1/actions": "Asking",
    "/v1/me/actions": "Asking",
    "/v1/me/conversations": "Conversations",
    "/v1/me/search": "Conversations",
    "/v1/devices": "Devices",
    "/v1/me/devices": "Devices",
    "/v1/me/pairings": "Devices",
    "/v1/me/events": "Events",
    "/v1/me": "Mine",
    "/v1/admin": "The house",
}
AREAS = (*dict.fromkeys(_AREAS.values()), _ALL_ELSE)
_RUNS = "/v1/runs/"  # the one kind of thing whose id is no number
_TEXT = {"type": "string"}
_NUMBER = {"type": "integer", "minimum": 1}
# Every parameter by its name: what it is, and what it may be.
_PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "id": ("Which one, as its list tells", _NUMBER),
    "name": ("The name of the tool", _TEXT),
    "skill": ("The name of the skill", _TEXT),
    "token": ("The secret of the invitation, or of the device", _TEXT),
    "cursor": ("`next_cursor` of the page before", _TEXT),
    "limit": (
        f"How many items; more than {PAGE_ITEMS_MAX} are {PAGE_ITEMS_MAX}",
        _NUMBER | {"default": PAGE_ITEMS},
    ),
    "level": ("The least level of the lines", {"enum": list(LEVELS), "default": "info"}),
    "q": ("Words to look for", _TEXT),
    "knows": ("`yes` from a page of this server whose browser knows the certificate", _TEXT),
    "after": ("The id of the last event that was heard", _TEXT),
    HEADER: ("Any text of your own: what comes again under it acts once", _TEXT),
    IF_MATCH: ("The `ETag` of what is changed: 412 when somebody was faster", _TEXT),
    LAST_EVENT_ID: ("The id of the last event that was heard", _TEXT),
}
_RETRY_AFTER = {"description": "Seconds to wait", "schema": {"type": "integer"}}
_SECURITY_SCHEMES = {
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
    "api_token": {"type": "http", "scheme": "bearer", "description": "irat_…"},
    "device_token": {"type": "http", "scheme": "bearer", "description": "irad_…"},
    _IN_QUERY: {"type": "apiKey", "in": "query", "name": "token"},
}


def document(routes: Sequence[Route], version: str) -> dict[str, Any]:
    """The whole document; pages are not part of it."""
    shown = [route for route in routes if not route.page]
    types = _types(shown)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    known = dict(zip(map(_key, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in shown:
        path = _PARAMETER.sub(r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ira Home",
            "version": version,
            "summary": "The HTTP interface of a house",
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in AREAS],
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": components, "securitySchemes": _SECURITY_SCHEMES},
    }


def encoded(routes: Sequence[Route], version: str) -> bytes:
    """The document as it is sent."""
    return msgspec.json.encode(document(routes, version))


def problems_of(route: Route) -> dict[int, list[str]]:
    """Every error that a route may answer: status to its codes."""
    found: dict[int, set[str]] = {}
    for kind in (*_common(route), *route.problems):
        found.setdefault(kind.status, set()).add(kind.code)
    return {status: sorted(codes) for status, codes in sorted(found.items())}


def _common(route: Route) -> list[type[IraError]]:
    kinds: list[type[IraError]] = [*_EVERY]
    if route.needs is Needs.GUEST:
        kinds += [Forbidden, TwoCredentials]
    elif not route.needs.is_open:
        kinds += _GUARDED
    if route.is_unsafe:
        kinds += _WRITTEN
    if route.body is not None:
        kinds += [BadJson, Invalid]
    if HEADER in route.headers:
        kinds += [IdempotencyConflict, InProgress]
    if IF_MATCH in route.headers:
        kinds.append(ChangedMeanwhile)
    if route.headers or route.query:
        kinds.append(Invalid)
    if _PARAMETER.search(route.path):
        kinds.append(NotFound)
    return kinds


def _types(routes: Sequence[Route]) -> list[Any]:
    found: dict[str, Any] = {_key(Problem): Problem}
    for route in routes:
        for kind in (route.body, route.reply):
            if kind is not None:
                found[_key(kind)] = kind
    return list(found.values())


def _key(kind: Any) -> str:
    return f"{getattr(kind, '__module__', '')}.{kind!r}"


def area_of(path: str) -> str:
    """The part of the house that a path belongs to, one of AREAS."""
    fits = [start for start in _AREAS if path == start or path.startswith(f"{start}/")]
    return _AREAS[max(fits, key=len)] if fits else _ALL_ELSE


def _operation(route: Route, known: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "summary": route.summary,
        "operationId": _name(route),
        "tags": [area_of(route.path)],
        "description": f"{inspect.getdoc(route.handler) or route.summary}\n\nFor {route.needs.value}.",
        "responses": {str(route.status): _success(route, known)} | _failures(route, known),
        "security": [{name: []} for name in _schemes(route)],
    }
    if parameters := _parameters(route):
        made["parameters"] = parameters
    if route.body is not None:
        content = {"application/json": {"schema": known[_key(route.body)]}}
        made["requestBody"] = {"required": True, "content": content}
    return made


def _schemes(route: Route) -> list[str]:
    good = credentials_for(route.needs)
    in_query = [_IN_QUERY] if route.needs is Needs.DEVICE_SOCKET else []
    return [name for credential, name in _SCHEMES.items() if credential in good] + in_query


def _name(route: Route) -> str:
    words = re.findall(r"[a-z0-9]+", route.path.replace("/v1/", "/"))
    return "_".join([route.method.lower(), *words])


def _parameters(route: Route) -> list[dict[str, Any]]:
    found = [_parameter(name, "path", route) for name in _PARAMETER.findall(route.path)]
    found += [_parameter(name, "query", route) for name in route.query]
    return found + [_parameter(name, "header", route) for name in route.headers]


def _parameter(name: str, place: str, route: Route) -> dict[str, Any]:
    about, schema = _PARAMETERS[name]
    if name == "id" and route.path.startswith(_RUNS):
        schema = _TEXT
    made: dict[str, Any] = {"name": name, "in": place, "description": about, "schema": schema}
    return made | ({"required": True} if place == "path" else {})


def _success(route: Route, known: dict[str, Any]) -> dict[str, Any]:
    if route.status in (101, 204) or not route.media:
        return {"description": "Done."}
    schema = {"type": "string"} if route.reply is None else known[_key(route.reply)]
    return {"description": "Done.", "content": {route.media: {"schema": schema}}}


def _failures(route: Route, known: dict[str, Any]) -> dict[str, Any]:
    return {
        str(status): _failure(status, codes, known[_key(Problem)])
        for status, codes in problems_of(route).items()
    }


def _failure(status: int, codes: list[str], problem: dict[str, Any]) -> dict[str, Any]:
    schema = {"allOf": [problem, {"properties": {"code": {"enum": codes}}}]}
    made = {
        "description": f"Codes: {', '.join(codes)}.",
        "content": {MEDIA: {"schema": schema}},
    }
    if status == TooMany.status:
        made["headers"] = {"Retry-After": _RETRY_AFTER}
    return made

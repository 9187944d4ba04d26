"""The OpenAPI 3.1 document, made from the routes and the types that validate their bodies."""

from collections.abc import Sequence
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
from ira_home.domain.people import Credential
from ira_home.web.etags import IF_MATCH
from ira_home.web.guard import COOKIE, credentials_for
from ira_home.web.once import HEADER
from ira_home.web.problems import MEDIA, Problem
from ira_home.web.routes import Needs, Route

DOCUMENT: web.AppKey[bytes] = web.AppKey("openapi", bytes)
_REFERENCE = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"\{(\w+)(?::[^}]*)?\}")
_SCHEMES = {
    Credential.SESSION: "session",
    Credential.API_TOKEN: "api_token",
    Credential.DEVICE_TOKEN: "device_token",
}
_IN_QUERY = "device_token_in_query"
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
        "info": {"title": "Ira Home", "version": version},
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
    kinds: list[type[IraError]] = [BadRequest, ForeignOrigin, MethodNotAllowed, WrongHost, IraError]
    if route.needs is Needs.GUEST:
        kinds += [Forbidden, TwoCredentials]
    elif not route.needs.is_open:
        kinds += [Forbidden, TwoCredentials, Unauthenticated]
    if route.is_unsafe:
        kinds += [TooLarge, TooSlow, UnsupportedType, TooMany]
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


def _operation(route: Route, known: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "summary": route.summary,
        "operationId": _name(route),
        "description": f"For {route.needs.value}.",
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
    text = {"type": "string"}
    return [
        *(
            {"name": name, "in": "path", "required": True, "schema": text}
            for name in _PARAMETER.findall(route.path)
        ),
        *({"name": name, "in": "query", "schema": text} for name in route.query),
        *({"name": name, "in": "header", "schema": text} for name in route.headers),
    ]


def _success(route: Route, known: dict[str, Any]) -> dict[str, Any]:
    if route.status in (101, 204) or not route.media:
        return {"description": "Done."}
    schema = {"type": "string"} if route.reply is None else known[_key(route.reply)]
    return {"description": "Done.", "content": {route.media: {"schema": schema}}}


def _failures(route: Route, known: dict[str, Any]) -> dict[str, Any]:
    content = {MEDIA: {"schema": known[_key(Problem)]}}
    return {
        str(status): {"description": f"Codes: {', '.join(codes)}.", "content": content}
        for status, codes in problems_of(route).items()
    }

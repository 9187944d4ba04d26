"""Who comes with which credential, and whether the route is for them (spec, decided 3 to 6)."""

from dataclasses import dataclass
from typing import TypeVar

from aiohttp import web

from ira_home.access.permissions import require
from ira_home.base.errors import Forbidden, PasswordNeeded, TwoCredentials, Unauthenticated
from ira_home.base.limits import SESSION_TOTAL_S
from ira_home.base.tokens import DEVICE
from ira_home.domain.people import Credential, Permission, Principal
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.services import Services

COOKIE = "__Host-ira"
SUBPROTOCOL = "ira.device"  # of the device socket, for pages in a browser
Response = TypeVar("Response", bound=web.StreamResponse)

_SESSION = frozenset({Credential.SESSION})
_TALKERS = frozenset({Credential.SESSION, Credential.API_TOKEN, Credential.DEVICE_TOKEN})
_RULES: dict[Needs, tuple[frozenset[Credential], Permission | None]] = {
    Needs.SESSION: (_SESSION, None),
    Needs.DEVICES: (_SESSION, Permission.DEVICES),
    Needs.CONSOLE: (_SESSION, Permission.CONSOLE),
    Needs.ASK: (_TALKERS, Permission.ASK),
    Needs.ACTIONS: (_TALKERS, Permission.ACTIONS),
    Needs.DEVICE_SOCKET: (frozenset({Credential.DEVICE_TOKEN}), None),
}


def credentials_for(needs: Needs) -> frozenset[Credential]:
    """The credentials with which such a route may be called; none where none is needed."""
    return _RULES[needs][0] if needs in _RULES else frozenset()


@dataclass(frozen=True, slots=True)
class Presented:
    """The credentials that came with a request, unchecked."""

    cookie: str | None
    bearer: str | None


def set_session(response: Response, token: str) -> Response:
    """Put the session's cookie on the response."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(SESSION_TOTAL_S),
        path="/",
        secure=True,
        httponly=True,
        samesite="Strict",
    )
    return response


def drop_session(response: Response) -> Response:
    """Take the session's cookie away."""
    response.del_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="Strict")
    return response


def cookie_of(request: web.BaseRequest) -> str | None:
    """The session's cookie; two of the name are two credentials."""
    found = []
    for line in request.headers.getall("Cookie", []):
        for part in line.split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                found.append(value.strip('"'))
    if len(found) > 1:
        raise TwoCredentials
    return found[0] if found else None


def _header_token(request: web.BaseRequest) -> str | None:
    lines = request.headers.getall("Authorization", [])
    if len(lines) > 1:
        raise TwoCredentials
    if not lines:
        return None
    scheme, _, token = lines[0].partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated
    return token.strip()


def _offered_tokens(request: web.BaseRequest) -> list[str]:
    """The device tokens that a page offers behind the subprotocol: it can set no other header."""
    lines = request.headers.getall("Sec-WebSocket-Protocol", [])
    first, *others = [part.strip() for line in lines for part in line.split(",")] or [""]
    return [one for one in others if one.startswith(DEVICE)] if first == SUBPROTOCOL else []


def presented(request: web.Request, *, of_page: bool) -> Presented:
    """The credentials of a request; raises TwoCredentials.

    `of_page`: what a page in a browser can send with a WebSocket counts, too: ?token= (decided 5) and
    a token beside the subprotocol. A browser cannot keep its cookie out of such a request, so the
    cookie does not count beside them.
    """
    header, cookie = _header_token(request), cookie_of(request)
    sent = [*request.query.getall("token", []), *_offered_tokens(request)] if of_page else []
    if len(sent) + (header is not None) > 1 or (header is not None and cookie is not None):
        raise TwoCredentials
    if sent:
        return Presented(None, sent[0])
    return Presented(cookie, header)


async def admit(request: web.Request, route: Route, services: Services) -> Principal | None:
    """The principal of a request to this route; raises 400, 401 or 403 in that order."""
    if route.needs is Needs.OPEN:
        return None
    found = presented(request, of_page=route.needs is Needs.DEVICE_SOCKET)
    if route.needs is Needs.GUEST:
        return await _guest(found, services)
    principal = await _authenticated(found, services)
    credentials, permission = _RULES[route.needs]
    if principal.credential not in credentials:
        message = "This credential may not be used here."
        raise Forbidden(message)
    if permission is not None:
        require(principal, permission)
    return principal


async def _guest(found: Presented, services: Services) -> Principal | None:
    if found.bearer is not None:
        message = "A token may not be used here."
        raise Forbidden(message)
    if found.cookie is None:
        return None
    try:
        return await services.credentials.session(found.cookie)
    except Unauthenticated:
        return None


async def _authenticated(found: Presented, services: Services) -> Principal:
    if found.bearer is not None:
        return await services.credentials.bearer(found.bearer)
    if found.cookie is None:
        raise Unauthenticated
    return await services.credentials.session(found.cookie)


async def is_verified(call: Call) -> None:
    """Raise PasswordNeeded unless the password was given in this session in the last ten minutes."""
    if not await call.services.sessions.is_verified(call.principal):
        raise PasswordNeeded

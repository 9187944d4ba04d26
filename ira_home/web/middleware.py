"""What every request passes: own host, own origin, the error boundary, the access log, the headers."""

from collections.abc import Awaitable, Callable
import logging

from aiohttp import web

from ira_home.base.clock import Clock
from ira_home.base.errors import BadRequest, ForeignOrigin, IraError, WrongHost
from ira_home.base.log import field
from ira_home.web.dispatch import route_of
from ira_home.web.guard import cookie_of
from ira_home.web.headers import content_policy, protect
from ira_home.web.hosts import HostList
from ira_home.web.problems import coded, plain_page, problem, problem_page
from ira_home.web.routes import UNSAFE

log = logging.getLogger("ira_home.web.access")
# Asked at every request: a network card or a certificate may have changed since the last one.
HOSTS: web.AppKey[Callable[[], HostList]] = web.AppKey("hosts")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
# Set by a handler whose answer has begun: no other answer can be sent any more.
STARTED = web.RequestKey("started", web.StreamResponse)
_OWN_SITES = frozenset({"same-origin", "none"})
# Asked again and again; a look at the log that made a line of its own would call for the next one.
_QUIET = frozenset(
    {
        "/healthz",
        "/readyz",
        "/trust-ping",
        "/sw.js",
        "/address/arrivals",
        "/house/log",
        "/v1/admin/server-log",
    }
)
_FILES = "/static/"
_PLAIN = frozenset(
    {"/", "/trust", "/pair", "/ca.crt"}
)  # of the plain listener, which has no routes
_METHODS = frozenset({"GET", "HEAD"}) | UNSAFE


def local_address(request: web.BaseRequest) -> str:
    """The address of this machine that the connection came in on."""
    name = request.transport.get_extra_info("sockname") if request.transport else None
    return str(name[0]) if isinstance(name, tuple) else ""


def check_host(request: web.Request, hosts: HostList) -> None:
    """Raise WrongHost unless the request names this server, and BadRequest for an odd target."""
    named = request.headers.getall("Host", [])
    if len(named) != 1 or not hosts.is_own(named[0], local_address(request)):
        raise WrongHost
    if not request.raw_path.startswith("/"):
        message = "Send the path of the address only."
        raise BadRequest(message)


def check_origin(request: web.Request, hosts: HostList) -> None:
    """Raise ForeignOrigin for another site's page, and for a cookie that could be its doing.

    A cookie authenticates a browser, and browsers say where a form, a fetch or a socket comes
    from; a program that says nothing has no cookie.
    """
    is_upgrade = "upgrade" in request.headers.get("Connection", "").lower()
    acts = request.method in UNSAFE or is_upgrade
    is_api = request.path.startswith("/v1/")
    if not (acts or is_api):
        return
    origins = request.headers.getall("Origin", [])
    local = local_address(request)
    if len(origins) > 1 or any(not hosts.is_own_origin(one, local) for one in origins):
        raise ForeignOrigin
    if request.headers.get("Sec-Fetch-Site", "none").lower() not in _OWN_SITES:
        raise ForeignOrigin
    if acts and not origins and cookie_of(request) is not None:
        raise ForeignOrigin


def _wants_page(request: web.Request) -> bool:
    route = route_of(request)
    if route is not None:
        return route.page
    looks = "text/html" in request.headers.get("Accept", "")
    return looks and not request.path.startswith("/v1/")


def shown_method(request: web.Request) -> str:
    """The method for the log."""
    return request.method if request.method in _METHODS else field(request.method)


def shown_path(request: web.Request) -> str:
    """The path for the log: the route's own where there is one, for a path can hold a secret."""
    route = route_of(request)
    if route is not None:
        return route.path
    return request.path if request.path in _PLAIN else field(request.path)


async def _refusal(request: web.Request, error: IraError) -> web.StreamResponse:
    if not _wants_page(request):
        return problem(error)
    if isinstance(error, WrongHost):
        return plain_page(error)
    return await problem_page(request, error)


async def _answer(request: web.Request, handler: Handler, hosts: HostList) -> web.StreamResponse:
    try:
        check_host(request, hosts)
        check_origin(request, hosts)
        return await handler(request)
    except Exception as error:  # noqa: BLE001 - a boundary: logged with its stack, answered by code
        begun: web.StreamResponse | None = request.get(STARTED)
        if isinstance(error, ConnectionError) and _has_hung_up(request):
            # silent-ok: what this answers reaches nobody.
            return web.Response(status=400) if begun is None else begun
        said = coded(error, shown_method(request), shown_path(request))
        if begun is not None:
            begun.force_close()
            return begun
        return await _refusal(request, said)


def _has_hung_up(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def boundary(clock: Clock) -> Callable[..., Awaitable[web.StreamResponse]]:
    """The outermost middleware: nothing but answers leaves it, and each makes one line."""

    @web.middleware
    async def pass_through(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = clock.monotonic()
        response = await _answer(request, handler, request.app[HOSTS]())
        spent_ms = (clock.monotonic() - began) * 1000
        is_quiet = request.path in _QUIET or request.path.startswith(_FILES)
        level = logging.DEBUG if is_quiet else logging.INFO
        method, path = shown_method(request), shown_path(request)
        log.log(level, "%s %s %d %.0f ms", method, path, response.status, spent_ms)
        return response

    return pass_through


async def put_headers(request: web.BaseRequest, response: web.StreamResponse) -> None:
    """The signal before any answer is sent: its security headers."""
    if not isinstance(request, web.Request):
        protect(response, content_policy(None))
        return
    hosts, named = request.app[HOSTS](), request.headers.get("Host", "")
    if hosts.is_own(named, local_address(request)):
        protect(response, content_policy(named, hosts.other_origins))
    else:
        protect(response, content_policy(None))

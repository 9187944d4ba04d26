"""From a request to a route's handler and back: body, guard, lookup, conversion, answer."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from aiohttp import web
import msgspec

from ira_home.base.errors import MethodNotAllowed
from ira_home.web.body import convert, form, read
from ira_home.web.call import SERVICES, Call
from ira_home.web.guard import admit
from ira_home.web.routes import Route

WebHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_ROUTES: WeakKeyDictionary[Any, Route] = WeakKeyDictionary()
ENCODER = msgspec.json.Encoder()


def route_of(request: web.Request) -> Route | None:
    """The route that a request was matched to, or None."""
    return _ROUTES.get(request.match_info.handler)


def json_answer(value: object, status: int = 200) -> web.Response:
    """A JSON answer."""
    return web.Response(status=status, body=ENCODER.encode(value), content_type="application/json")


def answer(route: Route, made: object) -> web.StreamResponse:
    """What a handler returned, as a response."""
    if isinstance(made, web.StreamResponse):
        return made
    if made is None:
        return web.Response(status=204)
    return json_answer(made, route.status)


def handler_of(route: Route) -> WebHandler:
    """The route as aiohttp calls it; the order is that of the spec (decided 3)."""

    async def handle(request: web.Request) -> web.StreamResponse:
        call = Call(request, request.app[SERVICES])
        if route.is_unsafe:
            call.raw = await read(request, route)
        call.visitor = await admit(request, route, call.services)
        if route.finds is not None:
            await route.finds(call)
        if route.body is not None:
            call.body = convert(call.raw, route.body)
        if route.takes_form:
            call.form = form(call.raw)
        return answer(route, await route.handler(call))

    _ROUTES[handle] = route
    return handle


async def admit_again(call: Call) -> None:
    """Ask the guard once more: a credential may have ended since the request came in."""
    route = route_of(call.request)
    if route is not None and not route.needs.is_open:
        await admit(call.request, route, call.services)


def refusal_of(routes: Sequence[Route]) -> WebHandler:
    """What answers any other method of an address: first who asks, then 405."""
    allowed = sorted({route.method for route in routes})
    strictest = next((r for r in routes if not r.needs.is_open), routes[0])

    async def refuse(request: web.Request) -> web.StreamResponse:
        if not strictest.needs.is_open:
            await admit(request, strictest, request.app[SERVICES])
        raise MethodNotAllowed(allowed=allowed)

    return refuse


def add_routes(app: web.Application, routes: Sequence[Route]) -> None:
    """Put every route into the application's router."""
    by_path: dict[str, list[Route]] = {}
    for route in routes:
        by_path.setdefault(route.path, []).append(route)
    for path, same in by_path.items():
        resource: Any = app.router.add_resource(path)
        for route in same:
            handler = handler_of(route)
            resource.add_route(route.method, handler)
            if route.method == "GET" and route.needs.is_open:
                resource.add_route("HEAD", handler)
        resource.add_route("*", refusal_of(same))

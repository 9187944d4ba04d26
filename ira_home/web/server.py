"""The web application put together, and its two listeners."""

from collections.abc import Sequence
import ssl

from aiohttp import web

from ira_home.base.discover import declared
from ira_home.base.limits import BODY_BYTES
from ira_home.web.call import SERVICES
from ira_home.web.dispatch import add_routes
from ira_home.web.door import Door
from ira_home.web.hosts import host_list
from ira_home.web.middleware import HOSTS, boundary, put_headers
from ira_home.web.openapi import DOCUMENT, encoded
from ira_home.web.plain import build_plain_app
from ira_home.web.problems import PROBLEM_PAGE
from ira_home.web.routes import Route, discovered
from ira_home.web.services import Services

API, PAGES = "ira_home.web.api", "ira_home.web.pages"


def all_routes() -> tuple[Route, ...]:
    """Every route there is: one file is one noun, found by its ROUTES."""
    return discovered(API, PAGES)


def build_app(services: Services, routes: Sequence[Route] | None = None) -> web.Application:
    """The application of the https listener, of the routes given or of all there are."""
    chosen = all_routes() if routes is None else routes
    app = web.Application(middlewares=[boundary(services.clock)], client_max_size=BODY_BYTES)
    app[SERVICES] = services
    app[HOSTS] = lambda: host_list(services.addresses, is_tls=True)
    app[DOCUMENT] = encoded(chosen, services.version)
    if routes is None:
        for _module, made in declared(PAGES, "PROBLEM_PAGE"):
            app[PROBLEM_PAGE] = made
    app.on_response_prepare.append(put_headers)
    add_routes(app, chosen)
    return app


async def open_https(
    services: Services, *, hosts: Sequence[str], port: int, context: ssl.SSLContext
) -> Door:
    """Listen for everything; raises OSError when an address cannot be had."""
    app, plain = build_app(services), build_plain_app(services, on_tls_port=True)
    return await Door.open(app, host=hosts, port=port, context=context, plain=plain)


async def open_http(services: Services, *, hosts: Sequence[str], port: int) -> Door:
    """Listen for the first steps of a phone; raises OSError when an address cannot be had."""
    return await Door.open(build_plain_app(services), host=hosts, port=port)

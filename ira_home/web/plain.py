"""The plain HTTP listener: the first steps of a phone, and nothing that could be overheard."""

import base64
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
import hashlib

from aiohttp import web
from markupsafe import Markup

from ira_home.base.errors import HttpsRequired
from ira_home.web.hosts import HTTPS, HostList, host_list, read_host
from ira_home.web.middleware import HOSTS, boundary, put_headers
from ira_home.web.pages.arrived import note
from ira_home.web.pages.assets import assets
from ira_home.web.pages.trust import opened_for
from ira_home.web.pages.view import frame_of, render
from ira_home.web.pages.words import LANGUAGES, accepted, words_of
from ira_home.web.services import Addresses, Services

CA_MEDIA = "application/x-x509-ca-cert"
PAGES = ("/", "/trust", "/pair")
CERTIFICATES = ("/ca.crt", "/next-ca.crt")
_SHEETS = ("tokens.css", "components.css", "trust.css")
# A phone may have no letters for Hindi, and no other file is served here: they come with the page.
_FACE = (
    '@font-face{{font-family:"Ira Deva";unicode-range:U+0900-097F,U+200C-200D,U+25CC;'
    'src:url(data:font/woff2;base64,{letters}) format("woff2")}}'
)
# The page stands alone: no script, no form, no other file; its one style is named by its hash.
_POLICY = (
    "default-src 'none'; style-src 'sha256-{hash}'; font-src data:; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


@cache
def _style() -> str:
    files = assets().files
    letters = base64.b64encode(files["ira-deva-regular.woff2"].body).decode()
    return "".join(files[name].body.decode() for name in _SHEETS) + _FACE.format(letters=letters)


@cache
def _policy() -> str:
    digest = hashlib.sha256(_style().encode()).digest()
    return _POLICY.format(hash=base64.b64encode(digest).decode())


@cache
def _picture() -> str:
    return base64.b64encode(assets().files["mark.svg"].body).decode()


def https_origin(addresses: Addresses, host: str) -> str:
    """The https address of the server under the name by which it was called."""
    named = read_host(host, HTTPS)
    name = named.name if named is not None else "localhost"
    shown = f"[{name}]" if ":" in name else name
    port = "" if addresses.https_port == HTTPS else f":{addresses.https_port}"
    return f"https://{shown}{port}"


def _language(request: web.Request) -> str:
    """What the page's own link asks for, else what the browser does; a cookie is never sent here."""
    asked = request.query.get("lang", "")
    return asked if asked in LANGUAGES else accepted(request.headers.get("Accept-Language", ""))


def page(request: web.Request, services: Services) -> web.Response:
    """How to trust this server, and where to go then. It reads no code and asks for nothing."""
    note(request, services)
    html = render(
        "plain.html",
        words_of(_language(request)),
        frame_of(request),
        {
            # The program's own style sheets, and its own picture.
            "style": Markup(f"<style>{_style()}</style>"),  # noqa: S704
            "picture": f"data:image/svg+xml;base64,{_picture()}",
            "path": request.path,
            "trust": services.trust,
            "https": https_origin(services.addresses, request.headers["Host"]),
            "opened": opened_for(request.headers.get("User-Agent", "")),
        },
    )
    headers = {"Content-Security-Policy": _policy()}
    return web.Response(text=html, content_type="text/html", headers=headers)


def build_plain_app(services: Services, *, on_tls_port: bool = False) -> web.Application:
    """The application of the plain port; everything but its pages is 403, never a redirect.

    Certificate and addresses are asked for at each request: both change while the server runs.
    `on_tls_port`: the same for who speaks plain HTTP to the port of https.
    """

    def hosts() -> HostList:
        known = services.addresses
        port = known.https_port if on_tls_port else known.http_port
        return host_list(replace(known, http_port=port), is_tls=False)

    app = web.Application(middlewares=[boundary(services.clock)])
    app[HOSTS] = hosts
    app.on_response_prepare.append(put_headers)

    async def show(request: web.Request) -> web.StreamResponse:
        return page(request, services)

    async def certificate(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=services.trust.ca_der, content_type=CA_MEDIA)

    async def next_certificate(_request: web.Request) -> web.StreamResponse:
        found = services.trust.next_ca
        if found is None:
            raise HttpsRequired
        return web.Response(body=found.der, content_type=CA_MEDIA)

    for path in PAGES:
        _add(app, path, show)
    for path, handler in zip(CERTIFICATES, (certificate, next_certificate), strict=True):
        _add(app, path, handler)
    app.router.add_route("*", "/{path:.*}", _refuse)
    return app


def _add(
    app: web.Application,
    path: str,
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
) -> None:
    resource = app.router.add_resource(path)
    for method in ("GET", "HEAD"):
        resource.add_route(method, handler)
    resource.add_route("*", _refuse)


async def _refuse(_request: web.Request) -> web.StreamResponse:
    raise HttpsRequired

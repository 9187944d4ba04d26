"""The plain HTTP listener: the first steps of a phone, and nothing that could be overheard."""

import base64
from collections.abc import Awaitable, Callable
from functools import cache
import hashlib
from html import escape
from importlib import resources
from string import Template

from aiohttp import web

from ira_home.base.clock import Clock
from ira_home.base.errors import HttpsRequired
from ira_home.web.hosts import HTTPS, HostList, read_host
from ira_home.web.middleware import HOSTS, boundary, put_headers
from ira_home.web.services import Addresses, Trust

CA_MEDIA = "application/x-x509-ca-cert"
PAGES = ("/", "/trust", "/pair")
CERTIFICATES = ("/ca.crt",)
_FONT = "static/ira-deva-regular.woff2"
# A phone may have no letters for Hindi, and no other file is served here: they come with the page.
_FACE = (
    '@font-face{{font-family:"Ira Deva";unicode-range:U+0900-097F,U+200C-200D,U+25CC;'
    'src:url(data:font/woff2;base64,{letters}) format("woff2")}}'
)
_STYLE = (
    'body{font:1.05rem/1.5 "Ira Deva",system-ui,sans-serif;margin:0;color:#1d2430;background:#fff}'
    "main{max-width:40rem;margin:0 auto;padding:1.5rem}"
    "pre,code{font:.95rem/1.5 ui-monospace,monospace;white-space:pre-wrap;"
    "overflow-wrap:anywhere;background:#f1f3f7;padding:.1rem .3rem;border-radius:.3rem}"
    ":lang(hi){line-height:1.7}pre{padding:.8rem}li{margin:.5rem 0}a{color:#0b57d0}h2{font-size:1.1rem}"
    "@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#14171d}"
    "pre,code{background:#232833}a{color:#8ab4f8}}"
)
# The page stands alone: no script, no form, no other file; its one style is named by its hash.
_POLICY = (
    "default-src 'none'; style-src 'sha256-{hash}'; font-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


@cache
def _template() -> Template:
    return Template(
        resources.files("ira_home.web").joinpath("plain.html").read_text(encoding="utf-8")
    )


@cache
def _style() -> str:
    letters = resources.files("ira_home.web").joinpath(_FONT).read_bytes()
    return _FACE.format(letters=base64.b64encode(letters).decode()) + _STYLE


@cache
def _policy() -> str:
    digest = hashlib.sha256(_style().encode()).digest()
    return _POLICY.format(hash=base64.b64encode(digest).decode())


def https_origin(addresses: Addresses, host: str) -> str:
    """The https address of the server under the name by which it was called."""
    named = read_host(host, HTTPS)
    name = named.name if named is not None else "localhost"
    shown = f"[{name}]" if ":" in name else name
    port = "" if addresses.https_port == HTTPS else f":{addresses.https_port}"
    return f"https://{shown}{port}"


def page(addresses: Addresses, trust: Trust, host: str) -> web.Response:
    """How to trust this server, and where to go then. It reads no code and asks for nothing."""
    text = _template().substitute(
        style=_style(),
        identity=escape(trust.identity),
        fingerprint=escape(trust.fingerprint),
        https=escape(https_origin(addresses, host)),
    )
    return web.Response(
        text=text, content_type="text/html", headers={"Content-Security-Policy": _policy()}
    )


def build_plain_app(addresses: Addresses, trust: Trust, clock: Clock) -> web.Application:
    """The application of the plain port; everything but its pages is 403, never a redirect."""
    app = web.Application(middlewares=[boundary(clock)])
    app[HOSTS] = HostList(addresses, is_tls=False)
    app.on_response_prepare.append(put_headers)

    async def show(request: web.Request) -> web.StreamResponse:
        return page(addresses, trust, request.headers["Host"])

    async def certificate(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=trust.ca_der, content_type=CA_MEDIA)

    for path in PAGES:
        _add(app, path, show)
    for path in CERTIFICATES:
        _add(app, path, certificate)
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

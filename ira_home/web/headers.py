"""The headers that every answer carries, errors and streams too."""

from functools import lru_cache

from aiohttp import web

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src {connect}; media-src 'self' blob:; worker-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html ira"
)
# No HSTS, ever: it would close the plain port, from which a phone gets the certificate.
_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With no-referrer browsers send `Origin: null` from forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # A phone's browser that is a device of its person answers where it is.
    "Permissions-Policy": "camera=(self), microphone=(self), geolocation=(self), payment=(), usb=()",
    "Cache-Control": "no-store",
}


@lru_cache(maxsize=64)
def content_policy(host: str | None, others: tuple[str, ...] = ()) -> str:
    """The CSP of a page; `host` (already on the allow-list) and `others` may be connected to.

    Older Safari does not match wss: with 'self', so the socket's address is named; an IPv6 address
    cannot be named in a policy.
    """
    sources = ["'self'", *others]
    if host is not None and not host.startswith("["):
        sources.append(f"wss://{host}")
    return _POLICY.format(connect=" ".join(sources))


def protect(response: web.StreamResponse, policy: str) -> None:
    """Put the headers on; one that a handler has set itself stays."""
    for name, value in _FIXED.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers["Server"] = "Ira"

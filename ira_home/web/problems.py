"""Errors as answers: RFC 9457 problem documents with a stable code, or a page where a page was asked for."""

from collections.abc import Awaitable, Callable
from html import escape
from http import HTTPStatus
import logging

from aiohttp import web
import msgspec

from ira_home.base.errors import (
    BadRequest,
    IraError,
    MethodNotAllowed,
    NotFound,
    TooLarge,
    Unauthenticated,
    Unavailable,
)
from ira_home.base.log import field

log = logging.getLogger(__name__)
ProblemPage = Callable[[web.Request, IraError], Awaitable[web.Response]]
PROBLEM_PAGE: web.AppKey[ProblemPage] = web.AppKey("problem_page")
MEDIA = "application/problem+json"
_BY_STATUS: dict[int, type[IraError]] = {404: NotFound, 405: MethodNotAllowed, 413: TooLarge}


class Problem(msgspec.Struct, omit_defaults=True):
    """An error: `code` is stable and for programs, `detail` a sentence for people."""

    status: int
    code: str
    title: str
    detail: str
    type: str = "about:blank"
    field: str | None = None
    retry_after: int | None = None


def document(error: IraError) -> dict[str, object]:
    """The problem document of an error; its details are members of their own."""
    found: dict[str, object] = {
        "type": "about:blank",
        "status": error.status,
        "code": error.code,
        "title": HTTPStatus(error.status).phrase,
        "detail": error.message,
    }
    if error.retry_after_s is not None:
        found["retry_after"] = error.retry_after_s
    return error.details | found


def set_headers(response: web.StreamResponse, error: IraError) -> None:
    """The headers that go with an error whatever its form."""
    if error.retry_after_s is not None:
        response.headers["Retry-After"] = str(max(1, error.retry_after_s))
    if error.status == Unauthenticated.status:
        response.headers["WWW-Authenticate"] = 'Bearer realm="Ira"'
    allowed = error.details.get("allowed")
    if isinstance(allowed, list):
        response.headers["Allow"] = ", ".join(allowed)


def problem(error: IraError) -> web.Response:
    """The answer to a program."""
    body = msgspec.json.encode(document(error), enc_hook=str)
    response = web.Response(status=error.status, body=body, content_type=MEDIA)
    set_headers(response, error)
    return response


def plain_page(error: IraError) -> web.Response:
    """The answer to a person where no page of its own is made for errors."""
    text = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{error.status}</title><h1>{escape(error.message)}</h1>"
        '<p><a href="/">Ira</a></p></html>'
    )
    response = web.Response(status=error.status, text=text, content_type="text/html")
    set_headers(response, error)
    return response


async def problem_page(request: web.Request, error: IraError) -> web.Response:
    """The answer to a person who looks at pages."""
    made = request.app.get(PROBLEM_PAGE)
    if made is None:
        return plain_page(error)
    response = await made(request, error)
    set_headers(response, error)
    return response


def coded(error: Exception, method: str, path: str) -> IraError:
    """What may be said of any error; an unexpected one is logged here, with its stack."""
    if isinstance(error, web.HTTPException):
        kind = _BY_STATUS.get(error.status, BadRequest if error.status < 500 else IraError)
        return kind()
    if not isinstance(error, IraError):
        log.error("%s %s failed", method, path, exc_info=error)
        return IraError()
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Unavailable):
        log.warning("%s %s: %s %s", method, path, error.code, field(error.message))
    return error

"""One clear sentence for each way in which a model's server can fail; no key and no content in any."""

import re
from typing import Any
from urllib.parse import urlsplit

from ira_home.base.errors import ModelFailed
from ira_home.base.text import cut, one_line
from ira_home.providers.provider import Endpoint

_RETRY_MAX_S = 3_600
_NAME_CHARS = 80
_NO_TOOLS = re.compile(
    "not support (?:tools|tool|function)|tools? (?:is|are) not supported", re.IGNORECASE
)
_TOO_LONG = re.compile(
    "context.{0,20}(?:length|window|size)|maximum context|too many tokens|too long", re.IGNORECASE
)
_NO_MONEY = re.compile("insufficient_quota|billing|credit", re.IGNORECASE)


def server_of(endpoint: Endpoint) -> str:
    """Host and port of the model's server: never a user name, a path or a query of its address."""
    try:
        parts = urlsplit(endpoint.url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the model's server"
    return f"{parts.hostname}{port}" if parts.hostname else "the model's server"


def problem_of(endpoint: Endpoint) -> str | None:
    """What keeps this endpoint from being asked at all, as a sentence."""
    host = _host(endpoint.url)
    if host is None:
        return "The address of the model must begin with http:// or https:// and name a server."
    if not endpoint.model:
        return "No model is named in the settings."
    if not endpoint.key and host == "api.openai.com":
        return "No key is set for the model. Set one in the settings, or choose the built-in brain."
    return None


def _host(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        _port = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.scheme in ("http", "https") else None


def refused(status: int, body: Any, *, endpoint: Endpoint, retry_after: str | None) -> ModelFailed:
    """The failure for an HTTP status; `body` is only looked at for its kind, never repeated."""
    model = cut(one_line(endpoint.model), _NAME_CHARS)
    said = str(body)[:4_000]
    wait = _seconds(retry_after) if status in (429, 503) else None
    return ModelFailed(f"{_sentence(status, said, model)} ({status})", retry_after_s=wait)


def _sentence(status: int, said: str, model: str) -> str:
    if status == 429:
        if _NO_MONEY.search(said):
            return "The account at the model's server has no credit left"
        return "The model's server takes no more requests for now"
    if status in (400, 413, 422):
        return _not_accepted(said, model)
    if status >= 500:
        return "The model's server has a fault of its own"
    return {
        401: "The model's server refused the key",
        402: "The account at the model's server has no credit left",
        403: f'The model\'s server does not let this key use the model "{model}"',
        404: f'The model\'s server knows no model "{model}", or its address is wrong',
        408: "The model did not answer in time",
    }.get(status, "The model's server gave an answer that is not understood")


def _not_accepted(said: str, model: str) -> str:
    if _NO_TOOLS.search(said):
        return f'The model "{model}" cannot call tools; choose another one'
    if _TOO_LONG.search(said):
        return "This conversation is too long for the model; start a new one"
    return "The model's server did not accept the request"


def _seconds(text: str | None) -> int | None:
    if text is None or not text.isascii() or not text.isdigit():
        return None
    return min(int(text[:6]), _RETRY_MAX_S)


def unreachable(endpoint: Endpoint) -> ModelFailed:
    """Nobody listens there, the name is unknown, or the certificate is not trusted."""
    return ModelFailed(f"The model's server at {server_of(endpoint)} cannot be reached.")


def too_slow() -> ModelFailed:
    """No connection, or no next piece, within the time allowed."""
    return ModelFailed("The model did not answer in time.")


def broken_off() -> ModelFailed:
    """The answer ended before its end."""
    return ModelFailed("The model's answer broke off.")


def unreadable() -> ModelFailed:
    """What came is no chat completion."""
    return ModelFailed("The model's server sent something that cannot be read.")


def cut_off() -> ModelFailed:
    """The model reached its own length limit."""
    return ModelFailed("The model's answer was cut off: it reached its length limit.")


def filtered() -> ModelFailed:
    """The provider's filter stopped the answer."""
    return ModelFailed("The model's server stopped this answer by its content rules.")


def reported() -> ModelFailed:
    """An error came inside the stream."""
    return ModelFailed("The model's server reported a fault while it answered.")

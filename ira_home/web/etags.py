"""ETag and If-Match: two people who change one thing see each other's change."""

import hashlib

from aiohttp import web

from ira_home.base.errors import ChangedMeanwhile
from ira_home.base.jsontext import canonical
from ira_home.web.call import Call
from ira_home.web.dispatch import json_answer

IF_MATCH = "If-Match"


def etag_of(*values: object) -> str:
    """The strong tag of what can be changed."""
    return f'"{hashlib.sha256(canonical(list(values))).hexdigest()[:24]}"'


def check(call: Call, etag: str) -> None:
    """Raise ChangedMeanwhile when the caller saw another version; without If-Match all is well."""
    wanted = call.request.headers.get(IF_MATCH)
    if wanted is None or wanted.strip() == "*":
        return
    if etag not in (one.strip() for one in wanted.split(",")):
        raise ChangedMeanwhile


def tagged(value: object, etag: str) -> web.Response:
    """A JSON answer with its tag."""
    response = json_answer(value)
    response.headers["ETag"] = etag
    return response

"""Export my data, delete my data."""

from typing import Any

from aiohttp import web

from ira_home.base.errors import PasswordNeeded, PasswordWrong, TooMany, Unavailable
from ira_home.web.call import Call
from ira_home.web.dispatch import json_answer
from ira_home.web.guard import is_verified
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Password

FILE_NAME = "ira-my-data.json"


async def export(call: Call) -> web.Response:
    """Everything of this person as one file."""
    response = json_answer(await call.services.export(call.person_id))
    response.headers["Content-Disposition"] = f'attachment; filename="{FILE_NAME}"'
    return response


async def delete(call: Call) -> dict[str, Any]:
    """Delete everything of this person but the account; the answer is the receipt."""
    asked: Password = call.body
    return await call.services.delete_data(call.principal, asked.password)


ROUTES = (
    Route(
        "GET",
        "/v1/me/export",
        export,
        Needs.SESSION,
        summary="Export my data",
        reply=dict[str, Any],
        finds=is_verified,
        problems=(PasswordNeeded,),
    ),
    Route(
        "DELETE",
        "/v1/me/data",
        delete,
        Needs.SESSION,
        summary="Delete my data",
        body=Password,
        reply=dict[str, Any],
        problems=(PasswordWrong, TooMany, Unavailable),
    ),
)

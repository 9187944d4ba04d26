"""The OpenAPI document."""

from typing import Any

from aiohttp import web

from ira_home.web.call import Call
from ira_home.web.openapi import DOCUMENT
from ira_home.web.routes import Needs, Route


async def show(call: Call) -> web.Response:
    """OpenAPI 3.1, made from the routes and the types that validate."""
    return web.Response(body=call.request.app[DOCUMENT], content_type="application/json")


ROUTES = (
    Route(
        "GET",
        "/v1/openapi.json",
        show,
        Needs.OPEN,
        summary="This document",
        reply=dict[str, Any],
    ),
)

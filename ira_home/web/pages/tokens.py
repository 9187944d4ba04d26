"""API tokens on my page: made with the PIN and shown once, ended at once."""

from aiohttp import web

from ira_home.base.errors import IraError, NotFound
from ira_home.base.ids import ApiTokenId
from ira_home.web.call import Call
from ira_home.web.pages.faults import fault_of
from ira_home.web.pages.me import back_to_me, page_of_me
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route


async def make(call: Call) -> web.Response:
    """Make a token and show it, this once."""
    form = call.form
    try:
        token, row = await call.services.api_tokens.make(
            call.principal,
            name=form.get("name", ""),
            scopes=form.getall("scope", []),
            pin=form.get("pin") or None,
        )
    except IraError as error:
        return await page_of_me(call, fault_of(error, words_for(call.request)), "tokens")
    response = await show(call, "token.html", nav="me", token=token, row=row)
    response.headers["Cache-Control"] = "no-store"
    return response


async def end(call: Call) -> web.Response:
    """End a token."""
    try:
        await call.services.api_tokens.end(call.principal, ApiTokenId(call.number("id")))
    except NotFound:
        # silent-ok: it was ended meanwhile, which is what was asked for.
        return go("/me#tokens")
    return go("/me?saved=tokens#tokens")


ROUTES = (
    Route("POST", "/me/tokens", make, Needs.SESSION, page=True, summary="Make an API token."),
    Route("GET", "/me/tokens", back_to_me, Needs.SESSION, page=True),
    Route(
        "POST", "/me/tokens/{id}/end", end, Needs.SESSION, page=True, summary="End an API token."
    ),
    Route("GET", "/me/tokens/{id}/end", back_to_me, Needs.SESSION, page=True),
)

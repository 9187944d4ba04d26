"""Errors as pages: the same plain sentence whatever page they came from."""

from aiohttp import web

from ira_home.base.errors import IraError, NotFound, Unauthenticated
from ira_home.web.call import SERVICES, Call
from ira_home.web.guard import drop_session
from ira_home.web.pages.faults import sentence
from ira_home.web.pages.view import go, quoted, show, words_for


async def problem_page(request: web.Request, error: IraError) -> web.Response:
    """The page of an error; whoever is not signed in is sent to do that, and comes back."""
    if isinstance(error, Unauthenticated) and request.method in {"GET", "POST"}:
        back = request.path_qs if request.method == "GET" else "/"
        return drop_session(go(f"/signin?next={quoted(back)}"))
    words = words_for(request)
    title = "problem.lost" if isinstance(error, NotFound) else "problem.title"
    call = Call(request, request.app[SERVICES])
    return await show(
        call,
        "problem.html",
        status=error.status,
        title=words.t(title),
        text=sentence(error, words),
    )


PROBLEM_PAGE = problem_page

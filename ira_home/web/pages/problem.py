"""Errors as pages: the same plain sentence whatever page they came from."""

from aiohttp import web

from ira_home.base.errors import IraError, NotFound, Unauthenticated
from ira_home.web.guard import drop_session
from ira_home.web.pages.faults import sentence
from ira_home.web.pages.view import frame_of, go, quoted, render, words_for


async def problem_page(request: web.Request, error: IraError) -> web.Response:
    """The page of an error; whoever is not signed in is sent to do that, and comes back.

    It asks nothing of the house below, which may be what is broken.
    """
    if isinstance(error, Unauthenticated) and request.method in {"GET", "POST"}:
        back = request.path_qs if request.method == "GET" else "/"
        return drop_session(go(f"/signin?next={quoted(back)}"))
    words = words_for(request)
    is_lost = isinstance(error, NotFound)
    said = {
        "title": words.t("problem.lost" if is_lost else "problem.title"),
        "text": sentence(error, words),
    }
    html = render("problem.html", words, frame_of(request), said)
    return web.Response(text=html, status=error.status, content_type="text/html")


PROBLEM_PAGE = problem_page

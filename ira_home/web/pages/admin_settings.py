"""Which brain answers and which service searches: chosen here, and tried. A key is written, never shown."""

from aiohttp import web

from ira_home.base.errors import IraError
from ira_home.domain.house import MODEL_PROVIDERS
from ira_home.domain.search import TRIED
from ira_home.web.call import Call
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.house import brain_fault
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

_PLACE = "/house/brain"
SAVED = frozenset({"brain", "search"})


async def page(call: Call) -> web.Response:
    """The page."""
    return await _page(call)


async def _page(
    call: Call, fault: Fault | None = None, *, at: str = "", tried: str = ""
) -> web.Response:
    """`at` names the part that the fault, or what the trial `tried` told, stands in."""
    saved = call.request.query.get("saved", "")
    return await show(
        call,
        "house_brain.html",
        nav="house",
        status=200 if fault is None or fault.field == "tried" else fault.status,
        view=await call.services.house.get(),
        providers=MODEL_PROVIDERS,
        typed=call.form if fault is not None and fault.field != "tried" else {},
        saved=saved if saved in SAVED else "",
        tried=tried,
        fault=fault,
        at=at,
    )


def _key(call: Call, name: str) -> str | None:
    """The key of a form: a new one, "" to remove it, None to leave it."""
    if call.form.get(f"{name}_remove") == "yes":
        return ""
    return call.form.get(name, "").strip() or None


async def _keep(call: Call, at: str, *names: str) -> web.Response:
    """Keep the fields of a form and its key."""
    fields = {name: call.form[name].strip() for name in names if name in call.form}
    key = f"{'model' if at == 'brain' else at}_key"
    try:
        await call.services.house.change(call.principal, fields, **{key: _key(call, key)})
    except IraError as error:
        return await _page(call, fault_of(error, words_for(call.request)), at=at)
    return go(f"{_PLACE}?saved={at}#{at}")


async def save_brain(call: Call) -> web.Response:
    """Choose the brain; it answers from the next turn on."""
    return await _keep(call, "brain", "model_provider", "model_url", "model_name")


async def save_search(call: Call) -> web.Response:
    """Keep the address and the key of the search service."""
    return await _keep(call, "search", "search_url")


async def try_brain(call: Call) -> web.Response:
    """Ask the brain in force the smallest thing."""
    words = words_for(call.request)
    if fault := await brain_fault(call, words):
        return await _page(call, Fault("tried", fault, 200), at="brain")
    return await _page(call, at="brain", tried=words.t("settings.brain_answers"))


async def try_search(call: Call) -> web.Response:
    """Search for one word, which counts as one search."""
    words = words_for(call.request)
    try:
        hits = await call.services.search.search(TRIED, count=1)
    except IraError as error:
        text = error.message if words.lang == "en" else words.t("settings.search_failed")
        return await _page(call, Fault("tried", text, 200), at="search")
    said = words.t("settings.search_answers" if hits else "settings.search_empty")
    return await _page(call, at="search", tried=said)


async def back(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the page."""
    return go(_PLACE)


def _form(path: str, handler: "object", summary: str) -> tuple[Route, Route]:
    return (
        Route("POST", path, handler, Needs.CONSOLE, page=True, summary=summary),  # type: ignore[arg-type]
        Route("GET", path, back, Needs.CONSOLE, page=True),
    )


ROUTES = (
    Route(
        "GET", _PLACE, page, Needs.CONSOLE, page=True, summary="Brain and search.", query=("saved",)
    ),
    Route("POST", _PLACE, save_brain, Needs.CONSOLE, page=True, summary="Choose the brain."),
    *_form(f"{_PLACE}/test", try_brain, "Ask the brain whether it answers."),
    *_form("/house/search", save_search, "Keep the search service."),
    *_form("/house/search/test", try_search, "Search for one word."),
)

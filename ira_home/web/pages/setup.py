"""The first run until there is an owner: from this machine, or with the code its console shows."""

from aiohttp import web

from ira_home.base.errors import Forbidden, Invalid, IraError, SetUpAlready
from ira_home.domain.first_run import Step
from ira_home.domain.people import Permission
from ira_home.web.call import Call
from ira_home.web.guard import set_session
from ira_home.web.pages import first_steps
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.first_steps import ask
from ira_home.web.pages.front import remember_language
from ira_home.web.pages.view import LANG_COOKIE, go, show, words_for
from ira_home.web.pages.words import LANGUAGES
from ira_home.web.routes import Needs, Route

SETUP_COOKIE = "__Host-ira-setup"
_SIGN_IN = "/signin?next=%2Fsetup"


def _is_let_in(call: Call) -> bool:
    """Whether it comes from this machine, or from a browser that was given the set-up code."""
    if call.is_loopback and call.services.loopback_setup:
        return True
    return call.services.first_run.is_let_in(call.request.cookies.get(SETUP_COOKIE))


async def now(call: Call) -> web.Response:
    """The question where the first run goes on, in whichever browser it is opened."""
    services, visitor = call.services, call.visitor
    if not await services.accounts.is_set_up():
        if not _is_let_in(call):
            return await _gate(call)
        step = await services.first_run.step(None) or Step.LANGUAGE
        return await _with_language(call, step) or await _ASKED[step](call, None)
    open_step = await services.first_run.step(None if visitor is None else visitor.person)
    if open_step is None or (visitor is not None and Permission.CONSOLE not in visitor.permissions):
        return go("/")
    if visitor is None:
        return go(_SIGN_IN)
    return await _with_language(call, open_step) or await first_steps.page_of(open_step, call)


async def _with_language(call: Call, step: Step) -> web.Response | None:
    """Another browser goes on in the language of the first one, unless it has one of its own."""
    progress = await call.services.first_run.progress()
    if progress is None or progress.language not in LANGUAGES or LANG_COOKIE in call.request.cookies:  # fmt: skip
        return None
    return remember_language(go(f"/setup/{step}"), progress.language)


async def _gate(call: Call, fault: Fault | None = None) -> web.Response:
    status = 200 if fault is None else fault.status
    return await show(call, "setup_gate.html", status=status, fault=fault)


async def let_in(call: Call) -> web.Response:
    """Take the set-up code; this browser goes on with the first run."""
    try:
        given = await call.services.first_run.let_in(call.form.get("setup_code"), call.address)
    except IraError as error:
        return await _gate(call, fault_of(error, words_for(call.request), forbidden="setup_code"))
    response = go("/setup")
    response.set_cookie(
        SETUP_COOKIE, given, path="/", secure=True, httponly=True, samesite="Strict"
    )
    return response


async def _language(call: Call, fault: Fault | None = None) -> web.Response:
    return await ask(call, Step.LANGUAGE, fault, languages=LANGUAGES)


async def choose_language(call: Call) -> web.Response:
    """Keep the language of the first run, for this browser and for whichever goes on with it."""
    _require_let_in(call)
    language = call.form.get("lang", "")
    if language not in LANGUAGES:
        raise Invalid(field="lang")
    try:
        await call.services.first_run.choose_language(language)
    except SetUpAlready:
        # silent-ok: the owner came by another way meanwhile; the first run knows where it goes on.
        return go("/setup")
    return remember_language(go("/setup"), language)


async def _owner(call: Call, fault: Fault | None = None) -> web.Response:
    typed = {name: call.form.get(name, "") for name in ("name", "email")}
    return await ask(call, Step.OWNER, fault, typed=typed)


async def make_owner(call: Call) -> web.Response:
    """Make the owner and sign them in."""
    if await call.services.accounts.is_set_up():
        return go("/setup")
    _require_let_in(call)
    words, form = words_for(call.request), call.form
    email, password = form.get("email", ""), form.get("password", "")
    try:
        await call.services.first_run.set_up(
            setup_code=None,
            from_loopback=True,  # or let in, as was just seen
            address=call.address,
            email=email,
            name=form.get("name", ""),
            password=password,
            pin=None,
            language=words.lang,
        )
    except SetUpAlready:
        # silent-ok: somebody was faster, and signs in.
        return go("/setup")
    except IraError as error:
        return await _owner(call, fault_of(error, words))
    token, _principal = await call.services.sessions.sign_in(
        email=email,
        password=password,
        address=call.address,
        agent=call.request.headers.get("User-Agent", ""),
    )
    response = set_session(go("/setup"), token)
    response.del_cookie(SETUP_COOKIE, path="/", secure=True, httponly=True, samesite="Strict")
    return response


def _require_let_in(call: Call) -> None:
    if not _is_let_in(call):
        raise Forbidden


_ASKED = {Step.LANGUAGE: _language, Step.OWNER: _owner}


async def asked(call: Call) -> web.Response:
    """One of the two questions before there is an owner; whoever may not see it is where they may be."""
    step = Step(call.request.path.rpartition("/")[2])
    if await call.services.accounts.is_set_up() or not _is_let_in(call):
        return go("/setup")
    return await _ASKED[step](call, None)


async def back(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the first run."""
    return go("/setup")


_ABOUT = "The first run, "
ROUTES = (
    Route(
        "GET",
        "/setup",
        now,
        Needs.GUEST,
        page=True,
        summary=_ABOUT + "where it goes on.",
        query=("answers",),
    ),
    Route("POST", "/setup/code", let_in, Needs.GUEST, page=True, summary="Give the set-up code."),
    Route("GET", "/setup/code", back, Needs.GUEST, page=True),
    Route("GET", "/setup/language", asked, Needs.GUEST, page=True, summary=_ABOUT + "language."),
    Route(
        "POST",
        "/setup/language",
        choose_language,
        Needs.GUEST,
        page=True,
        summary="Choose the language of the first run.",
    ),
    Route("GET", "/setup/owner", asked, Needs.GUEST, page=True, summary=_ABOUT + "owner."),
    Route("POST", "/setup/owner", make_owner, Needs.GUEST, page=True, summary="Make the owner."),
)

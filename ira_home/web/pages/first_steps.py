"""The first run once there is an owner: home, PIN, brain and phones, each of which can be left for later."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from ira_home.base.errors import IraError
from ira_home.domain.first_run import STEPS, Step
from ira_home.domain.house import MODEL_PROVIDERS
from ira_home.web.call import Call
from ira_home.web.pages import home_fields, network, pins
from ira_home.web.pages.arrived import others
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.house import answer_fault
from ira_home.web.pages.trust import opened_for
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

NO_KEY, WITH_KEY = MODEL_PROVIDERS
SYSTEMS = ("android", "ios", "windows", "mac")


async def ask(call: Call, step: Step, fault: Fault | None = None, **values: Any) -> web.Response:
    """The page of a step."""
    return await show(
        call,
        f"setup_{step}.html",
        status=200 if fault is None else fault.status,
        step=step,
        all_steps=STEPS,
        fault=fault,
        **values,
    )


async def page_of(step: Step, call: Call) -> web.Response:
    """The page of a step that asks somebody who is signed in."""
    return await _PAGES[step](call, None)


async def _home(call: Call, fault: Fault | None = None) -> web.Response:
    house = await call.services.house.get()
    progress = await call.services.first_run.progress()
    is_new = progress is None or Step.HOME not in progress.answered
    words = words_for(call.request)
    own = words.t("setup.house_of", name=call.principal.person.name)
    return await ask(
        call,
        Step.HOME,
        fault,
        **home_fields.values_of(call, house, name=own if is_new else house.name, guess=is_new),
    )


async def save_home(call: Call) -> web.Response:
    """Name the house and its time zone."""
    try:
        await home_fields.keep(call)
    except IraError as error:
        return await _home(call, fault_of(error, words_for(call.request)))
    return await _answered(call, Step.HOME)


async def _pin(call: Call, fault: Fault | None = None) -> web.Response:
    needs_password = not await call.services.sessions.is_verified(call.principal)
    return await ask(call, Step.PIN, fault, needs_password=needs_password)


async def save_pin(call: Call) -> web.Response:
    """Set the owner's first PIN; the password is asked for again only when it was given long ago."""
    try:
        if "password" in call.form:
            await pins.set_pin(call)
        else:
            await call.services.sessions.set_first_pin(call.principal, pins.typed_pin(call.form))
    except IraError as error:
        return await _pin(call, fault_of(error, words_for(call.request)))
    return await _answered(call, Step.PIN)


async def _brain(call: Call, fault: Fault | None = None) -> web.Response:
    view, found = await call.services.house.get(), await call.services.local_brains.look()
    first = f"{found[0].url} {found[0].models[0]}" if found else NO_KEY
    kept = WITH_KEY if view.model_provider == WITH_KEY else first
    return await ask(
        call,
        Step.BRAIN,
        fault,
        found=found,
        chosen=call.form.get("choice", kept),
        view=view,
        typed=call.form,
    )


async def save_brain(call: Call) -> web.Response:
    """Try the brain that was chosen, and keep it if it answers."""
    fields, key = await _chosen(call)
    words, services = words_for(call.request), call.services
    try:
        choice = await services.house.model_with(call.principal, fields, key)
    except IraError as error:
        return await _brain(call, fault_of(error, words))
    if fault := await answer_fault(words, services.try_brain(choice)):
        return await _brain(call, Fault("tried", fault, 200))
    await services.house.change(call.principal, fields, model_key=key)
    is_model = choice.provider != NO_KEY
    return await _answered(call, Step.BRAIN, "?answers=yes" if is_model else "")


async def _chosen(call: Call) -> tuple[dict[str, str], str | None]:
    """The fields and the key of the form. A key is never sent to a server that it was not given for."""
    form, choice = call.form, call.form.get("choice", "")
    if choice == NO_KEY:
        return {"model_provider": NO_KEY}, None
    if choice == WITH_KEY:
        url, name = form.get("model_url", "").strip(), form.get("model_name", "").strip()
        typed = form.get("model_key", "").strip()
        is_same = url == (await call.services.house.get()).model_url
        key = typed or (None if is_same else "")
    else:
        url, _, name = choice.partition(" ")
        key = ""
    return {"model_provider": WITH_KEY, "model_url": url, "model_name": name}, key


async def _phones(call: Call, fault: Fault | None = None) -> web.Response:
    opened = opened_for(call.request.headers.get("User-Agent", ""))
    return await ask(
        call,
        Step.PHONES,
        fault,
        **network.entrance_of(call, "/trust"),
        arrivals=others(call),
        systems_here=SYSTEMS,
        # Mostly it is opened on the Ira PC for a phone.
        system="ios" if "ios" in opened else "android",
        brain=call.services.brain.name if call.request.query.get("answers") == "yes" else "",
    )


async def save_phones(call: Call) -> web.Response:
    """The last step; nothing is kept but that it was shown."""
    return await _answered(call, Step.PHONES)


async def skip(call: Call) -> web.Response:
    """Leave a step for later."""
    step = next((one for one in _PAGES if one == call.form.get("step")), None)
    return go("/setup") if step is None else await _answered(call, step)


async def _answered(call: Call, step: Step, told: str = "") -> web.Response:
    """Go on with the next open question; after the last one comes the sheet."""
    first_run = call.services.first_run
    was_open = await first_run.step(call.principal.person) is not None
    await first_run.answer(call.principal, step)
    person = await call.services.accounts.get(call.person_id)
    if await first_run.step(person) is None:
        return go("/house/sheet?ready=yes" if was_open else "/")
    return go(f"/setup{told}")


_PAGES: dict[Step, Callable[[Call, Fault | None], Awaitable[web.Response]]] = {
    Step.HOME: _home,
    Step.PIN: _pin,
    Step.BRAIN: _brain,
    Step.PHONES: _phones,
}
_SAVED = {
    Step.HOME: (save_home, "Name the house and its time zone."),
    Step.PIN: (save_pin, "Set the owner's first PIN."),
    Step.BRAIN: (save_brain, "Try the brain and keep it."),
    Step.PHONES: (save_phones, "End the first run."),
}


async def shown(call: Call) -> web.Response:
    """The step of the address, open or not; nothing once the first run is over."""
    if await call.services.first_run.step(call.principal.person) is None:
        return go("/setup")
    return await page_of(Step(call.request.path.rpartition("/")[2]), call)


async def back(_call: Call) -> web.Response:
    """Whoever opens the address of a form sees the first run."""
    return go("/setup")


ROUTES = (
    *(
        Route(
            "GET", f"/setup/{step}", shown, Needs.CONSOLE, page=True,
            summary=f"The first run, {step}.",
        )
        for step in _PAGES
    ),
    *(
        Route("POST", f"/setup/{step}", save, Needs.CONSOLE, page=True, summary=summary)
        for step, (save, summary) in _SAVED.items()
    ),
    Route("POST", "/setup/skip", skip, Needs.CONSOLE, page=True, summary="Leave it for later."),
    Route("GET", "/setup/skip", back, Needs.GUEST, page=True),
)  # fmt: skip

"""The house itself: its settings, its brain, and how it is doing."""

import asyncio
from typing import Any

import msgspec

from ira_home.base.errors import Invalid, IraError
from ira_home.base.limits import BRAIN_CHECK_S
from ira_home.control.operation import Nothing, Operation
from ira_home.domain.house import HouseSkill
from ira_home.household.house import KEYS
from ira_home.web.diagnosis import told
from ira_home.web.pages.words import words_of
from ira_home.web.services import Services


class Brain(msgspec.Struct):
    """Which brain answers from now on; an empty key removes the key, None leaves it."""

    provider: str
    url: str | None = None
    name: str | None = None
    key: str | None = None


class HouseChange(msgspec.Struct):
    """Settings of the house by name."""

    fields: dict[str, str]


# Which option of `ira brain use` sets a field.
_OPTIONS = {"model_url": "--url", "model_name": "--model"}


async def show(services: Services, _: Nothing) -> Any:
    """The house's settings in force, without the key."""
    return msgspec.to_builtins(await services.house.get())


async def kept(services: Services, _: Nothing) -> Any:
    """What the house itself keeps of its settings; of a key only that there is one."""
    found = await services.house.kept()
    return found | {name: "***" for name in KEYS if name in found}


async def change(services: Services, wanted: HouseChange) -> Any:
    """Change settings of the house."""
    return msgspec.to_builtins(await services.house.change(None, wanted.fields))


async def use_brain(services: Services, brain: Brain) -> Any:
    """Choose the brain; it answers from the next turn on."""
    fields = {
        "model_provider": brain.provider,
        "model_url": brain.url,
        "model_name": brain.name,
    }
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        view = await services.house.change(None, given, model_key=brain.key)
    except Invalid as error:
        field = str(error.details.get("field"))
        if option := _OPTIONS.get(field):
            message = f"{error.message} Give it with {option}."
            raise Invalid(message, field=field) from None
        raise
    return msgspec.to_builtins(view)


async def try_brain(services: Services, _: Nothing) -> Any:
    """Ask the brain in force the smallest thing."""
    return {"brain": services.brain.name, "answer": await services.brain.check()}


async def usage(services: Services, _: Nothing) -> Any:
    """What the models took, the latest month first."""
    return msgspec.to_builtins(await services.usage.list())


async def _brain_fault(services: Services) -> str | None:
    """Why the brain in force does not answer, if so."""
    try:
        async with asyncio.timeout(BRAIN_CHECK_S):
            await services.brain.check()
    except TimeoutError:
        return f"It did not answer within {BRAIN_CHECK_S:.0f} seconds."
    except IraError as error:
        return error.message
    return None


async def health(services: Services, _: Nothing) -> Any:
    """What only the opened house can tell: people, devices, broken tool files, brain, what keeps devices out."""
    people = await services.accounts.list()
    devices = await services.registry.list_all(None, 200)
    feeds = await services.feeds.health()
    fault, diagnosis = await asyncio.gather(_brain_fault(services), services.diagnose())
    return {
        "version": services.version,
        "set_up": await services.accounts.is_set_up(),
        "people": len(people),
        "without_pin": sum(not person.has_pin for person in people),
        "devices": len(devices.items),
        "brain": services.brain.name,
        "brain_fault": fault,
        "fingerprint": services.trust.fingerprint,
        "names": sorted(services.addresses.names),
        "serving": services.ready,
        "connecting": msgspec.to_builtins(told(diagnosis, words_of("en"))),
        "tools": [tool.name for tool in services.library.tools],
        "search_set_up": HouseSkill.WEB_SEARCH in await services.house.skills(),
        "feeds": len(feeds),
        "feed_faults": [one.fault for one in feeds if one.fault is not None],
        "broken_tools": [
            {"file": broken.file, "why": broken.sentence} for broken in services.library.broken
        ],
    }


OPERATIONS = (
    Operation("house.show", Nothing, show),
    Operation("house.kept", Nothing, kept),
    Operation("house.change", HouseChange, change),
    Operation("house.health", Nothing, health),
    Operation("brain.use", Brain, use_brain),
    Operation("brain.test", Nothing, try_brain),
    Operation("brain.usage", Nothing, usage),
)

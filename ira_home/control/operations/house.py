"""The house itself: its settings, its brain, and how it is doing."""

from typing import Any

import msgspec

from ira_home.control.operation import Nothing, Operation
from ira_home.household.house import MODEL_KEY
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


async def show(services: Services, _: Nothing) -> Any:
    """The house's settings in force, without the key."""
    return msgspec.to_builtins(await services.house.get())


async def kept(services: Services, _: Nothing) -> Any:
    """What the house itself keeps of its settings; of the model's key only that there is one."""
    found = await services.house.kept()
    return found | {MODEL_KEY: "***"} if MODEL_KEY in found else found


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
    view = await services.house.change(None, given, model_key=brain.key)
    return msgspec.to_builtins(view)


async def try_brain(services: Services, _: Nothing) -> Any:
    """Ask the brain in force the smallest thing."""
    return {"brain": services.brain.name, "answer": await services.brain.check()}


async def usage(services: Services, _: Nothing) -> Any:
    """What the models took, the latest month first."""
    return msgspec.to_builtins(await services.usage.list())


async def health(services: Services, _: Nothing) -> Any:
    """What only the opened house can tell: people, devices, broken tool files."""
    people = await services.accounts.list()
    devices = await services.registry.list_all(None, 200)
    return {
        "version": services.version,
        "set_up": await services.accounts.is_set_up(),
        "people": len(people),
        "without_pin": sum(not person.has_pin for person in people),
        "devices": len(devices.items),
        "brain": services.brain.name,
        "names": sorted(services.addresses.names),
        "serving": services.ready,
        "tools": [tool.name for tool in services.library.tools],
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

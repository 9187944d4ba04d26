"""The house's own settings."""

import msgspec

from ira_home.domain.house import HouseView
from ira_home.web.call import Call
from ira_home.web.etags import IF_MATCH, check, etag_of, tagged
from ira_home.web.routes import Needs, Route


class House(msgspec.Struct):
    """The house's settings; of the model's key only whether there is one."""

    name: str
    time_zone: str
    model_provider: str
    model_url: str
    model_name: str
    model_key_set: bool


class Changed(msgspec.Struct):
    """What to change; an empty `model_key` removes the key."""

    name: str | None = None
    time_zone: str | None = None
    model_provider: str | None = None
    model_url: str | None = None
    model_name: str | None = None
    model_key: str | None = None


def _answer(view: HouseView) -> object:
    shown = House(
        name=view.name,
        time_zone=view.time_zone,
        model_provider=view.model_provider,
        model_url=view.model_url,
        model_name=view.model_name,
        model_key_set=view.model_key_set,
    )
    return tagged(shown, etag_of(view.version))


async def show(call: Call) -> object:
    """The house's settings."""
    return _answer(await call.services.house.get())


async def change(call: Call) -> object:
    """Change some of them."""
    check(call, etag_of((await call.services.house.get()).version))
    asked = msgspec.structs.asdict(call.body)
    key = asked.pop("model_key")
    fields = {name: value for name, value in asked.items() if value is not None}
    return _answer(await call.services.house.change(call.principal, fields, model_key=key))


ROUTES = (
    Route(
        "GET",
        "/v1/admin/settings",
        show,
        Needs.CONSOLE,
        summary="The house's settings",
        reply=House,
    ),
    Route(
        "PATCH",
        "/v1/admin/settings",
        change,
        Needs.CONSOLE,
        summary="Change the house's settings",
        body=Changed,
        reply=House,
        headers=(IF_MATCH,),
    ),
)

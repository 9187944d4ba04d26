"""The house's own settings."""

import msgspec

from ira_home.base.errors import UnknownAddress
from ira_home.domain.house import HouseView
from ira_home.web.call import Call
from ira_home.web.etags import IF_MATCH, check, etag_of, tagged
from ira_home.web.routes import Needs, Route


class House(msgspec.Struct):
    """The house's settings; of a key only whether there is one.

    `advertise` is the address chosen for links and QR codes, empty for the best there is. `feeds` are the news feeds that the house keeps, `feeds_named` those of the server's own settings.
    """

    name: str
    time_zone: str
    model_provider: str
    model_url: str
    model_name: str
    model_key_set: bool
    search_url: str
    search_key_set: bool
    advertise: str
    feeds: list[str]
    feeds_named: list[str]


class Changed(msgspec.Struct):
    """What to change; an empty key removes it, and `feeds` takes the place of all that are kept.

    `advertise` is one of the addresses of `GET /v1/admin/network`, or empty for the best there is.
    """

    name: str | None = None
    time_zone: str | None = None
    model_provider: str | None = None
    model_url: str | None = None
    model_name: str | None = None
    model_key: str | None = None
    search_url: str | None = None
    search_key: str | None = None
    advertise: str | None = None
    feeds: list[str] | None = None


def _answer(view: HouseView) -> object:
    shown = House(
        name=view.name,
        time_zone=view.time_zone,
        model_provider=view.model_provider,
        model_url=view.model_url,
        model_name=view.model_name,
        model_key_set=view.model_key_set,
        search_url=view.search_url,
        search_key_set=view.search_key_set,
        advertise=view.advertise,
        feeds=list(view.feeds),
        feeds_named=list(view.feeds_named),
    )
    return tagged(shown, etag_of(view.version))


async def show(call: Call) -> object:
    """The house's settings."""
    return _answer(await call.services.house.get())


async def change(call: Call) -> object:
    """Change some of them."""
    check(call, etag_of((await call.services.house.get()).version))
    asked = msgspec.structs.asdict(call.body)
    keys = {name: asked.pop(name) for name in ("model_key", "search_key")}
    fields = {name: value for name, value in asked.items() if value is not None}
    if "feeds" in fields:
        fields["feeds"] = "\n".join(fields["feeds"])
    return _answer(await call.services.house.change(call.principal, fields, **keys))


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
        problems=(UnknownAddress,),
    ),
)

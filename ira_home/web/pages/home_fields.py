"""The name of the house and its time zone, in the first run and on the page of the house."""

from typing import Any
import zoneinfo

from ira_home.domain.house import HouseView
from ira_home.web.call import Call

FIELDS = ("name", "time_zone")
_AREAS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific",
)  # fmt: skip


def time_zones() -> list[str]:
    """The zones a person may live in, by name."""
    every = zoneinfo.available_timezones()
    return ["UTC", *sorted(name for name in every if name.partition("/")[0] in _AREAS)]


def values_of(call: Call, house: HouseView, *, name: str, guess: bool = False) -> dict[str, Any]:
    """What the fields need; `guess`: the zone is the browser's until somebody chose one."""
    form = call.form
    zone, zones = form.get("time_zone", house.time_zone), time_zones()
    return {
        "home_name": form.get("name", name),
        "zone": zone,
        "zones": zones if zone in zones else [zone, *zones],
        "guess_zone": guess and "time_zone" not in form,
        "set_outside": house.set_outside,
    }


async def keep(call: Call) -> None:
    """Keep what the fields say; raises Invalid, naming the field."""
    house = await call.services.house.get()
    fields = {
        name: call.form.get(name, "").strip() for name in FIELDS if name not in house.set_outside
    }
    await call.services.house.change(call.principal, fields)

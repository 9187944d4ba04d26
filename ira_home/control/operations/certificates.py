"""The house's certificates: what is in force, a new one, and the change to another authority."""

from typing import Any

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.limits import PAGE_ITEMS_MAX
from ira_home.control.operation import Nothing, Operation
from ira_home.web.services import Services


class NewCa(msgspec.Struct):
    """Another authority. `constrained`: it vouches for names and addresses of a home only; else as now.

    `now`: it takes over at once, and devices that have not heard of it must be paired again; where
    one is on its way already, that one does.
    """

    constrained: bool | None = None
    now: bool = False


async def show(services: Services, _: Nothing) -> Any:
    """By what the house is recognised, until when, and how far the change to another authority has come."""
    authority = services.authority
    return {
        "fingerprint": authority.fingerprint,
        "pin": authority.pin,
        "identity": authority.identity,
        "names": sorted(services.addresses.names),
        "not_after": rfc3339(authority.not_after),
        "constrained": authority.is_constrained,
        "fault": authority.fault,
        "own": _own(services),
        "next": await _next(services),
    }


def _own(services: Services) -> Any:
    own = services.authority.own
    if own is None or own.served is None:
        return None
    return {"names": sorted(own.served.names), "not_after": rfc3339(own.served.ends)}


async def _next(services: Services) -> Any:
    state, cas = services.authority.roll_over, services.authority.cas
    if state is None or len(cas) < 2:
        return None
    waits_for = await services.certificates.waits_for()
    page = await services.registry.list_all(None, PAGE_ITEMS_MAX)
    named = [one for one in page.items if one.device.id in waits_for]
    return {
        "fingerprint": cas[1].fingerprint,
        "pin": cas[1].pin,
        "constrained": cas[1].is_constrained,
        "since": rfc3339(state.since),
        "earliest": rfc3339(state.earliest),
        "latest": rfc3339(state.latest),
        "waits_for": len(waits_for),
        "devices": [
            {
                "id": one.device.id,
                "label": one.device.label,
                "person": one.device.person,
                "online": one.online,
            }
            for one in named
        ],
    }


async def renew(services: Services, _: Nothing) -> Any:
    """A new server certificate with a new key, of the same authority."""
    await services.certificates.renew()
    return await show(services, _)


async def new_ca(services: Services, wish: NewCa) -> Any:
    """Announce another authority; it takes over when every device has heard, or now."""
    keeper = services.certificates
    if services.authority.roll_over is None or not wish.now:
        await keeper.announce_next(constrained=wish.constrained)
        await _write_up(services)
    if await keeper.take_over(at_once=wish.now):
        await _write_up(services)
    return await show(services, Nothing())


async def give_up(services: Services, _: Nothing) -> Any:
    """The authority in force stays."""
    await services.certificates.give_up_next()
    await _write_up(services)
    return await show(services, _)


async def _write_up(services: Services) -> None:
    await services.authority_book.write_up(services.authority.pins, by_operator=True)


OPERATIONS = (
    Operation("certificates.show", Nothing, show),
    Operation("certificates.renew", Nothing, renew),
    Operation("certificates.new_ca", NewCa, new_ca),
    Operation("certificates.give_up", Nothing, give_up),
)

"""Grants, agreement to freer tools, renaming and revoking: who may do what to which device."""

import asyncio
from typing import Any

import pytest

from ira_home.base.errors import Forbidden, Invalid, NotFound, PinRequired, PinWrong
from ira_home.devices.outcomes import ToolWithdrawn
from ira_home.domain.audit import Change
from ira_home.domain.devices import Device, ToolState
from ira_home.domain.facts import DeviceChanged, DeviceRevoked, SkillSwitchedOff, ToolsChanged
from ira_home.domain.people import Principal, Role
from ira_home.domain.tools import Tier
from tests.support.device_house import LAMP, PIN, DeviceHouse, hello
from tests.support.links import MemoryLink
from tests.support.requirements import requirement

OFF_SWITCH = LAMP | {"name": "lamp_off", "description": "Switch the lamp off.", "tier": 2}


@pytest.fixture
async def person(house: DeviceHouse) -> Principal:
    return await house.person_with_pin()


@pytest.fixture
async def admin(house: DeviceHouse) -> Principal:
    return await house.person(Role.ADMIN)


@pytest.fixture
async def device(house: DeviceHouse, person: Principal) -> Device:
    return await house.paired(person)


async def states(house: DeviceHouse, person: Principal) -> dict[str, str]:
    listed = (await house.registry.list(person.person.id))[0]
    return {tool.name: state.value for tool, state in listed.tools}


async def tiers(house: DeviceHouse, person: Principal) -> dict[str, Tier]:
    offers = await house.hub.offers(person.person.id)
    return {tool.name: tool.tier for tool in offers[0].tools}


async def last_change(house: DeviceHouse) -> tuple[Change, str, str]:
    line = (await house.storage.changes.list(None, 1))[0]
    return line.change, line.subject, line.detail


async def again(link: MemoryLink, device: Device, *tools: dict[str, Any]) -> None:
    link.say(hello(device, list(tools)))
    await link.hear("welcome")


# --- grants


@requirement("grant.offered", "grant.on.pin", "grant.on.own", "grant.all_off")
async def test_a_skill_is_switched_on_by_its_person_with_the_pin(house: DeviceHouse, person: Principal, admin: Principal) -> None:  # fmt: skip
    device = await house.paired(person, skills=())
    await house.online(device)
    assert await states(house, person) == {"lamp_colour": "new"}
    for pin, error in ((None, PinRequired), ("999999", PinWrong)):
        with pytest.raises(error):
            await house.registry.switch(person, device.id, "lamp", on=True, pin=pin)
    for someone in (admin, await house.person(Role.OWNER)):
        with pytest.raises(NotFound):
            await house.registry.switch(someone, device.id, "lamp", on=True, pin=PIN)
        with pytest.raises(Forbidden):
            await house.registry.switch_off_as_admin(someone, device.id, "lamp", on=True)
    assert await states(house, person) == {"lamp_colour": "new"}
    listed = await house.registry.switch(person, device.id, "lamp", on=True, pin=PIN)
    assert listed.device.skills == {"lamp"}
    assert await states(house, person) == {"lamp_colour": "on"}
    assert await last_change(house) == (Change.SKILL_ON, f"device {device.id}", "lamp")


@requirement("grant.off.no_pin")
async def test_a_skill_is_switched_off_without_a_pin_and_at_once(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device)
    task = house.tasks.start(
        house.hub.call(
            device.id, person_id=device.person_id, tool="lamp_colour", args={}, here=False
        ),
        "call",
    )
    call = await link.hear("call")
    await house.registry.switch(person, device.id, "lamp", on=False)
    assert await states(house, person) == {"lamp_colour": "off"}
    assert house.told(SkillSwitchedOff) == [SkillSwitchedOff(device.person_id, device.id, "lamp")]
    with pytest.raises(ToolWithdrawn):
        await house.hub.call(
            device.id, person_id=device.person_id, tool="lamp_colour", args={}, here=False
        )
    link.say({"type": "result", "id": call["id"], "ok": True, "content": "red"})
    assert await task == "red"
    assert len(link.of("call")) == 1


@requirement("grant.off.admin")
async def test_an_admin_switches_off_anyones_skill_and_staff_nobodys(house: DeviceHouse, person: Principal, admin: Principal, device: Device) -> None:  # fmt: skip
    staff = await house.person()
    with pytest.raises(NotFound):
        await house.registry.switch(staff, device.id, "lamp", on=False)
    with pytest.raises(Forbidden):
        await house.registry.switch_off_as_admin(staff, device.id, "lamp")
    assert (await house.registry.list(person.person.id))[0].device.skills == {"lamp"}
    await house.registry.switch_off_as_admin(admin, device.id, "lamp")
    assert (await house.registry.list(person.person.id))[0].device.skills == set()
    with pytest.raises(NotFound):
        await house.registry.switch_off_as_admin(admin, device.id + 99, "lamp")  # type: ignore[arg-type]


async def test_a_skill_that_is_off_stays_off_when_the_device_comes_again(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device)
    await house.registry.switch(person, device.id, "lamp", on=False)
    await again(link, device, LAMP)
    assert link.of("welcome")[-1]["skills"] == []
    link = await house.online(device)
    assert await states(house, person) == {"lamp_colour": "off"}


@requirement("grant.off.known")
async def test_skills_are_known_from_the_last_report_when_the_device_is_away(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device, [LAMP, LAMP | {"name": "calls_missed"}])
    link.drop()
    await asyncio.sleep(0)
    house.roster.forget(person.person.id)
    listed = (await house.registry.list(person.person.id))[0]
    assert listed.skills_known == ("calls", "lamp")
    assert [(tool.name, state) for tool, state in listed.tools] == [
        ("lamp_colour", ToolState.ON),
        ("calls_missed", ToolState.NEW),
    ]


@pytest.mark.parametrize("skill", ["", "Lamp", "a-b", "x" * 42, "../x"])
async def test_a_misnamed_skill_is_invalid(
    house: DeviceHouse, person: Principal, device: Device, skill: str
) -> None:
    with pytest.raises(Invalid):
        await house.registry.switch(person, device.id, skill, on=False)


async def test_decisions_on_one_device_are_bounded(
    house: DeviceHouse, person: Principal, device: Device
) -> None:
    for number in range(63):
        await house.registry.switch(person, device.id, f"s{number}", on=False)
    with pytest.raises(Invalid):
        await house.registry.switch(person, device.id, "one_more", on=False)
    await house.registry.switch(person, device.id, "lamp", on=False)


# --- freer definitions


@requirement("tier.from_hello")
@pytest.mark.parametrize(
    "freer",
    [
        {"tier": 0}, {"tier": 1}, {"description": "Break the lamp."}, {"title": "Lamp"}, {"examples": ["off"]},
        {"parameters": {"type": "object"}},
    ],
)  # fmt: skip
async def test_a_freer_definition_waits_for_the_pin(house: DeviceHouse, person: Principal, device: Device, freer: dict[str, Any]) -> None:  # fmt: skip
    link = await house.online(device, [OFF_SWITCH])
    before = (await house.hub.offers(person.person.id))[0].tools[0]
    await again(link, device, OFF_SWITCH | freer)
    held = (await house.hub.offers(person.person.id))[0].tools[0]
    assert (held.tier, held.description, held.parameters) == (
        before.tier,
        before.description,
        before.parameters,
    )
    assert held.digest != before.digest
    assert await states(house, person) == {"lamp_off": "freer"}
    link = await house.online(device, [OFF_SWITCH | freer])
    assert await tiers(house, person) == {"lamp_off": Tier.YES}
    for pin, error in ((None, PinRequired), ("999999", PinWrong)):
        with pytest.raises(error):
            await house.registry.agree(person, device.id, "lamp_off", pin)
    assert await states(house, person) == {"lamp_off": "freer"}
    await house.registry.agree(person, device.id, "lamp_off", PIN)
    assert await states(house, person) == {"lamp_off": "on"}
    assert await tiers(house, person) == {"lamp_off": Tier(freer.get("tier", 2))}
    assert await last_change(house) == (Change.TOOL_AGREED, f"device {device.id}", "lamp_off")


async def test_a_stricter_definition_holds_at_once_and_is_no_way_back(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device, [OFF_SWITCH])
    await again(link, device, OFF_SWITCH | {"tier": 3, "outward": True})
    assert await states(house, person) == {"lamp_off": "on"}
    assert await tiers(house, person) == {"lamp_off": Tier.PIN}
    await again(link, device, OFF_SWITCH)
    held = (await house.hub.offers(person.person.id))[0].tools[0]
    assert (held.tier, held.outward, held.freer) == (Tier.PIN, True, True)


async def test_leaving_a_tool_out_for_a_while_forgets_nothing(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device, [OFF_SWITCH])
    await again(link, device)
    await again(link, device, OFF_SWITCH | {"tier": 0})
    assert await tiers(house, person) == {"lamp_off": Tier.YES}


async def test_a_tool_that_moves_to_another_skill_needs_both(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device, [OFF_SWITCH])
    await again(link, device, OFF_SWITCH | {"skill": "harbour", "tier": 0})
    assert await states(house, person) == {"lamp_off": "new"}
    await house.registry.switch(person, device.id, "harbour", on=True, pin=PIN)
    assert await states(house, person) == {"lamp_off": "freer"}
    assert await tiers(house, person) == {"lamp_off": Tier.YES}
    await house.registry.switch(person, device.id, "lamp", on=False)
    assert await states(house, person) == {"lamp_off": "off"}


async def test_the_first_grant_agrees_to_what_is_declared_then(
    house: DeviceHouse, person: Principal
) -> None:
    device = await house.paired(person, skills=())
    link = await house.online(device, [OFF_SWITCH])
    await again(link, device, OFF_SWITCH | {"description": "Switch it off."})
    await house.registry.switch(person, device.id, "lamp", on=True, pin=PIN)
    assert await states(house, person) == {"lamp_off": "on"}
    await house.registry.switch(person, device.id, "lamp", on=False)
    await again(link, device, OFF_SWITCH | {"tier": 0})
    await house.registry.switch(person, device.id, "lamp", on=True, pin=PIN)
    assert await states(house, person) == {"lamp_off": "freer"}
    assert await tiers(house, person) == {"lamp_off": Tier.YES}


async def test_agreements_are_never_forgotten_to_make_room(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    link = await house.online(device, [OFF_SWITCH])
    for batch in range(9):
        await again(link, device, *(LAMP | {"name": f"lamp_{batch}_{n}"} for n in range(40)))
    link.say(hello(device, [LAMP | {"name": f"lamp_x_{n}"} for n in range(40)]))
    assert await link.closed() == 4400
    await house.online(device, [OFF_SWITCH | {"tier": 0}])
    assert await tiers(house, person) == {"lamp_off": Tier.YES}


async def test_a_call_of_another_definition_is_not_sent(
    house: DeviceHouse, person: Principal, device: Device
) -> None:
    link = await house.online(device)
    shown = (await house.hub.offers(person.person.id))[0].tools[0].digest
    await again(link, device, LAMP | {"description": "Break the lamp."})
    with pytest.raises(ToolWithdrawn):
        await house.hub.call(
            device.id,
            person_id=device.person_id,
            tool="lamp_colour",
            args={},
            here=False,
            definition=shown,
        )
    with pytest.raises(ToolWithdrawn):
        await house.hub.call(
            device.id, person_id=device.person_id, tool="lamp_other", args={}, here=False
        )
    await link.settled()
    assert not link.of("call")


async def test_the_same_hello_again_voids_nothing_and_another_does(
    house: DeviceHouse, device: Device
) -> None:
    link = await house.online(device)
    before = len(house.told(ToolsChanged))
    await again(link, device, LAMP)
    link = await house.online(device)
    assert len(house.told(ToolsChanged)) == before
    await again(link, device, OFF_SWITCH)
    assert len(house.told(ToolsChanged)) == before + 1


async def test_a_tool_named_like_one_of_the_house_is_shadowed(house: DeviceHouse, person: Principal, device: Device) -> None:  # fmt: skip
    await house.online(device)
    house.registry._house_tools = lambda: {"lamp_colour"}
    assert await states(house, person) == {"lamp_colour": "shadowed"}


async def test_devices_that_offer_the_same_share_it_in_memory(
    house: DeviceHouse, person: Principal
) -> None:
    for label in ("a", "b"):
        await house.online(await house.paired(person, label=label))
    one, other = await house.hub.offers(person.person.id)
    assert one.tools[0] is other.tools[0]
    assert one.device.tools is other.device.tools


# --- names and ends


async def test_renaming_is_the_persons_own_and_told(house: DeviceHouse, person: Principal, admin: Principal, device: Device) -> None:  # fmt: skip
    with pytest.raises(NotFound):
        await house.registry.rename(admin, device.id, "Mine")
    for bad in ("", "  ", "x" * 61, "\u202e\u200b"):
        with pytest.raises(Invalid):
            await house.registry.rename(person, device.id, bad)
    listed = await house.registry.rename(person, device.id, "  Harbour\nbox ")
    assert listed.device.label == "Harbour box"
    assert house.told(DeviceChanged)[-1] == DeviceChanged(device.person_id, device.id)
    link = await house.online(device, label="Somebody else")
    assert link.of("welcome")[0]["label"] == "Harbour box"


@requirement("token.revoke.own", "token.revoke.admin")
async def test_revoking_is_for_the_person_an_admin_and_the_operator(house: DeviceHouse, person: Principal, admin: Principal) -> None:  # fmt: skip
    staff = await house.person()
    devices = [await house.paired(person, label=str(n)) for n in range(3)]
    for who, as_admin, error in (
        (staff, False, NotFound),
        (staff, True, Forbidden),
        (admin, False, NotFound),
    ):
        with pytest.raises(error):
            await house.registry.revoke(who, devices[0].id, admin=as_admin)
    await house.registry.revoke(person, devices[0].id)
    await house.registry.revoke(admin, devices[1].id, admin=True)
    await house.registry.revoke(None, devices[2].id)
    assert await house.registry.list(person.person.id) == []
    assert [fact.device_id for fact in house.told(DeviceRevoked)] == [one.id for one in devices]
    again: list[tuple[Principal | None, bool]] = [(person, False), (admin, True), (None, False)]
    for anyone, as_admin in again:
        with pytest.raises(NotFound):
            await house.registry.revoke(anyone, devices[0].id, admin=as_admin)


@requirement("token.revoke.account")
async def test_removing_an_account_ends_its_devices(
    house: DeviceHouse, person: Principal, device: Device
) -> None:
    link = await house.online(device)
    await house.accounts.remove(None, person.person.id)
    assert await link.closed() == 4403
    assert await house.registry.get(device.id) is None
    late = await house.connect(device)
    assert await late.closed() == 4403


async def test_admins_see_devices_without_their_tools(house: DeviceHouse, person: Principal, admin: Principal, device: Device) -> None:  # fmt: skip
    mine = await house.paired(admin, label="Admin's")
    await house.online(device)
    page = await house.registry.list_all(None, 1)
    assert [(one.device.id, one.online) for one in page.items] == [(mine.id, False)]
    rest = await house.registry.list_all(page.next_cursor, 5)
    shown = rest.items[0]
    assert (shown.device.id, shown.online, shown.device.email, shown.device.skills) == (
        device.id, True, person.person.email, ("lamp",),
    )  # fmt: skip
    assert not hasattr(shown.device, "tools")


async def test_a_roster_read_before_a_change_is_not_believed(house: DeviceHouse, person: Principal, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """The read of a person's devices is held up until the label has changed."""
    house.roster.forget(person.person.id)
    read, go_on, was_read = house.storage.devices.of_person, asyncio.Event(), asyncio.Event()

    async def slow(person_id: Any) -> list[Device]:
        found = await read(person_id)
        was_read.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(house.storage.devices, "of_person", slow)
    reading = house.tasks.start(house.roster.of(person.person.id), "read")
    async with asyncio.timeout(5):
        await was_read.wait()
        await house.storage.write(lambda tx: house.storage.devices.rename(tx, device.id, "New"))
        house.roster.forget(person.person.id)
        go_on.set()
        cards = await reading
    assert cards[device.id].device.label == "New"

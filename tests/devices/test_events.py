"""Events: which are good, how often, how long they are kept and whom they reach."""

from datetime import time

import pytest

from ira_home.base.errors import NotFound, ProtocolError
from ira_home.devices.outcomes import EventTooSoon
from ira_home.domain.devices import Device, EventKind
from ira_home.domain.events import QuietHours, Way
from ira_home.domain.facts import EventKept
from ira_home.domain.settings import PersonSettings
from ira_home.protocol.frames import Event
from tests.support.device_house import DeviceHouse
from tests.support.requirements import requirement


@pytest.fixture
async def device(house: DeviceHouse) -> Device:
    return await house.paired(await house.person())


def event(title: str = "Done", text: str = "All well.", **more: object) -> Event:
    return Event(**({"event": "task_done", "title": title, "text": text} | more))  # type: ignore[arg-type]


@requirement("event.frame", "event.kinds")
@pytest.mark.parametrize(
    "kind", ["watch_done", "task_progress", "task_done", "task_failed", "task_reply"]
)
async def test_each_kind_is_kept_and_told(house: DeviceHouse, device: Device, kind: str) -> None:
    kept = await house.events.accept(device, event(event=kind, data={"id": "t1"}))
    assert (kept.event, kept.title, kept.text, kept.device) == (
        kind,
        "Done",
        "All well.",
        "Office Mac",
    )
    assert house.told(EventKept) == [EventKept(kept, {"id": "t1"}, to_phones=True)]
    page = await house.events.list(device.person_id, None, 10)
    assert page.items == (kept,)


async def test_what_a_person_chose_decides_on_phones_and_bell_but_not_on_the_list(
    house: DeviceHouse, device: Device
) -> None:
    """It is 15:00 in the house's zone."""

    async def choose(settings: PersonSettings) -> None:
        store = house.storage.settings
        await house.storage.write(lambda tx: store.put(tx, device.person_id, settings))

    afternoon = QuietHours(time(14), time(16))
    only_listed = {EventKind.TASK_DONE: frozenset[Way]()}
    expected = []
    for settings, to_phones in (
        (PersonSettings(quiet=afternoon), False),
        (PersonSettings(quiet=afternoon, time_zone="Europe/Berlin"), True),
        (PersonSettings(quiet=QuietHours(time(22), time(7))), True),
        (PersonSettings(events=only_listed), False),
        (PersonSettings(events={EventKind.TASK_DONE: frozenset(Way)}, quiet=afternoon), True),
    ):
        await choose(settings)
        expected.append(to_phones)
        await house.events.accept(device, event())
        house.clock.advance(30)
    assert [fact.to_phones for fact in house.told(EventKept)] == expected
    assert len((await house.events.list(device.person_id, None, 10)).items) == 5
    for settings, counted in (
        (PersonSettings(), 5),
        (PersonSettings(quiet=afternoon), 0),
        (PersonSettings(events=only_listed), 0),
    ):
        await choose(settings)
        assert await house.events.unread(device.person_id) == counted


@pytest.mark.parametrize(
    "bad",
    [
        event(event="hack"), event(event="TASK_DONE"), event(event=""), event(event="task_done\n"), event(title=""),
        event(title="** **"), event(title="<b></b>"), event(title="\u200b"), event(data={"x": "y" * 8_192}),
    ],
)  # fmt: skip
async def test_a_bad_event_is_not_kept_and_uses_up_nothing(
    house: DeviceHouse, device: Device, bad: Event
) -> None:
    with pytest.raises(ProtocolError):
        await house.events.accept(device, bad)
    assert (await house.events.list(device.person_id, None, 10)).items == ()
    await house.events.accept(device, event())


@requirement("limit.events")
async def test_one_event_in_30_seconds(house: DeviceHouse, device: Device) -> None:
    await house.events.accept(device, event("first"))
    for seconds in (0, 29):
        house.clock.advance(seconds)
        with pytest.raises(EventTooSoon):
            await house.events.accept(device, event("second"))
    house.clock.advance(1)
    await house.events.accept(device, event("third"))
    titles = [one.title for one in (await house.events.list(device.person_id, None, 10)).items]
    assert titles == ["third", "first"]


async def test_the_30_seconds_live_through_a_restart(house: DeviceHouse, device: Device) -> None:
    await house.events.accept(device, event())
    house.events._accepted.clear()
    house.clock.advance(20)
    with pytest.raises(EventTooSoon):
        await house.events.accept(device, event())
    house.clock.advance(10)
    await house.events.accept(device, event())


async def test_a_wall_clock_turned_changes_no_pause(house: DeviceHouse, device: Device) -> None:
    await house.events.accept(device, event())
    house.clock.set_wall(house.clock.now().replace(year=2030))
    with pytest.raises(EventTooSoon):
        await house.events.accept(device, event())
    house.clock.set_wall(house.clock.now().replace(year=2020))
    house.clock.advance(31)
    await house.events.accept(device, event())


async def test_the_limit_is_each_devices_own(house: DeviceHouse, device: Device) -> None:
    other = await house.paired(await house.person())
    await house.events.accept(device, event())
    await house.events.accept(other, event())


@requirement("event.title.cut", "event.text.cut")
async def test_events_are_cut_after_stripping(house: DeviceHouse, device: Device) -> None:
    kept = await house.events.accept(device, event("t" * 500, "**" + "é" * 5_000))
    assert (len(kept.title), len(kept.text)) == (120, 1_000)
    assert kept.title.endswith("…")
    house.clock.advance(30)
    kept = await house.events.accept(
        device, event("**" + "t" * 120 + "**", "<b>" + "é" * 1_000 + "</b>")
    )
    assert (kept.title, kept.text) == ("t" * 120, "é" * 1_000)


async def test_a_title_is_one_line_and_a_text_may_be_empty(
    house: DeviceHouse, device: Device
) -> None:
    kept = await house.events.accept(device, event("one\ntwo", ""))
    assert (kept.title, kept.text) == ("one two", "")


@requirement("event.kept.200")
async def test_only_a_persons_200_newest_are_kept(house: DeviceHouse, device: Device) -> None:
    stranger = await house.paired(await house.person())
    await house.events.accept(stranger, event("theirs"))
    for number in range(203):
        house.clock.advance(30)
        await house.events.accept(device, event(str(number)))
    rows = await house.storage.database.all("SELECT title FROM device_events ORDER BY id")
    assert [row["title"] for row in rows] == ["theirs", *map(str, range(3, 203))]


@requirement("event.kept.7d")
async def test_events_are_kept_seven_days(house: DeviceHouse, device: Device) -> None:
    first = await house.events.accept(device, event("old"))
    house.clock.advance(7 * 86_400 - 1)
    assert (await house.events.list(device.person_id, None, 10)).items == (first,)
    house.clock.advance(1)
    assert (await house.events.list(device.person_id, None, 10)).items == ()
    assert await house.events.oldest_kept(device.person_id) is None
    await house.events.end_old()
    assert await house.storage.database.all("SELECT * FROM device_events") == []


@requirement("event.own")
async def test_lists_are_each_persons_own(house: DeviceHouse, device: Device) -> None:
    stranger = await house.person()
    kept = await house.events.accept(device, event())
    assert (await house.events.list(stranger.person.id, None, 10)).items == ()
    assert await house.events.after(stranger.person.id, kept.id) == ()
    assert await house.events.mark_read(stranger.person.id, kept.id) == 0
    assert await house.events.unread(device.person_id) == 1
    assert await house.events.mark_read(device.person_id, kept.id) == 1
    assert await house.events.unread(device.person_id) == 0


async def test_pages_and_what_came_after(house: DeviceHouse, device: Device) -> None:
    kept = []
    for number in range(5):
        house.clock.advance(30)
        kept.append(await house.events.accept(device, event(str(number))))
    page = await house.events.list(device.person_id, None, 2)
    assert page.items == (kept[4], kept[3])
    rest = await house.events.list(device.person_id, page.next_cursor, 10)
    assert (rest.items, rest.next_cursor) == ((kept[2], kept[1], kept[0]), None)
    assert await house.events.after(device.person_id, kept[2].id) == (kept[3], kept[4])
    assert await house.events.oldest_kept(device.person_id) == kept[0].id


async def test_a_revoked_device_announces_nothing(house: DeviceHouse, device: Device) -> None:
    await house.registry.revoke(None, device.id)
    with pytest.raises(NotFound):
        await house.events.accept(device, event())
    assert (await house.events.list(device.person_id, None, 10)).items == ()


async def test_an_event_carries_the_label_of_the_moment(house: DeviceHouse, device: Device) -> None:
    principal = await house.person()
    mine = await house.paired(principal)
    await house.registry.rename(principal, mine.id, "Harbour box")
    assert (await house.events.accept(mine, event())).device == "Harbour box"

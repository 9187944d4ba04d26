"""A device that is away, and being told when it is back."""

import pytest

from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import ConversationChanged
from tests.support.talk import Gadget, Talk


async def away(talk: Talk, gadget: Gadget) -> None:
    gadget.link.drop()
    await talk.until(lambda: not talk.house.hub.is_online(gadget.device.id))


async def test_a_person_who_asked_is_told_once_when_the_device_is_back(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    await away(talk, mac)
    talk.brain.call("device_tell_when_back", device="office mac")
    result = await talk.ask(asha, "batana jab Mac wapas aaye")
    assert "when Office Mac is connected again" in talk.brain.views[-1].steps[-1].text
    before = len(talk.house.told(ConversationChanged))
    again = await talk.connect(mac.device)
    await talk.until(lambda: len(talk.house.told(ConversationChanged)) > before)
    last = (await talk.entries(result.conversation_id))[-1]
    assert (last.kind, last.text) == (EntryKind.NOTE, "Office Mac phir se jud gaya hai.")
    await away(talk, again)
    third = await talk.connect(mac.device)
    await third.link.settled()
    notes = [e for e in await talk.entries(result.conversation_id) if e.kind is EntryKind.NOTE]
    assert len(notes) == 1


async def test_a_device_that_nobody_waits_for_comes_back_without_any_ado(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds may come back at once."""
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    await away(talk, mac)
    looked: list[object] = []
    monkeypatch.setattr(talk.workshop.toolboxes, "of", looked.append)
    await talk.connect(mac.device)
    await talk.until(lambda: not talk.assistant._tasks._running)
    assert looked == []


async def test_nobody_waits_for_a_device_that_is_there_or_is_not_theirs(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("device_tell_when_back", device="Office Mac")
    await talk.ask(asha, "tell me when the Mac is back")
    assert talk.brain.views[-1].steps[-1].text == "Office Mac is connected now."
    talk.brain.call("device_tell_when_back", device="Office Mac")
    await talk.ask(ravi, "tell me when the Mac is back")
    assert "no device of that name" in talk.brain.views[-1].steps[-1].text


async def test_a_brain_knows_since_when_a_device_is_away(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    await away(talk, mac)
    await talk.ask(asha, "Hello")
    view = talk.brain.views[-1]
    assert [(one.device, str(one.since)) for one in view.devices_away] == [
        ("Office Mac", "2026-12-01 15:00:00+05:30")
    ]
    assert "Office Mac (mac), since 15:00" in view.system

"""A PIN in the chat is not used, not kept and not shown to any brain."""

from pathlib import Path

import pytest

from ira_home.base.limits import PROPOSAL_S
from ira_home.domain.conversations import EntryKind
from tests.support.talk import Talk

PINS = ("482193", "48 21 93", "४८२१९३")


async def everything(talk: Talk) -> str:
    """All that the database and the brain hold, as text."""
    tables = ("messages", "conversations", "pending_actions", "tool_log", "turns")
    rows = [
        str(tuple(row))
        for table in tables
        for row in await talk.house.storage.database.all(f"SELECT * FROM {table}")  # noqa: S608
    ]
    return "\n".join([*rows, *(str(view) for view in talk.brain.views)])


@pytest.mark.parametrize("pin", PINS)
async def test_a_pin_typed_while_its_card_is_open_is_nowhere(
    talk: Talk, tmp_path: Path, pin: str
) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    talk.brain.call("vault_empty")
    result = await talk.ask(asha, "Empty the vault")
    for text in (pin, f"yes, {pin}", f"here it is: {pin}", f"mera PIN {pin} hai"):
        await talk.ask(asha, text, result.conversation_id)
    await talk.ask(asha, f"a code {pin} elsewhere")
    assert not mac.calls
    assert pin not in await everything(talk)
    files = [tmp_path / name for name in ("ira.sqlite", "ira.sqlite-wal")]
    raw = b"".join(path.read_bytes() for path in files)
    assert pin.encode() not in raw


@pytest.mark.parametrize("pin", PINS)
async def test_a_message_that_speaks_of_a_pin_is_hidden_without_any_card(
    talk: Talk, pin: str
) -> None:
    asha = await talk.house.person()
    result = await talk.ask(asha, f"my PIN is {pin}, remember it")
    assert "never taken in the chat" in result.text
    assert talk.brain.views[-1].own_words == "my PIN is [PIN hidden], remember it"
    assert pin not in await everything(talk)


async def test_the_person_is_told_to_use_the_card(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("vault_empty")
    result = await talk.ask(asha, "Empty the vault")
    asked = len(talk.brain.views)
    for text in ("yes", "482193", "yes, my PIN is 482193", "pin 482193"):
        told = await talk.ask(asha, text, result.conversation_id)
        assert "card" in told.text
    assert len(talk.brain.views) == asked
    kinds = [one.kind for one in (await talk.entries(result.conversation_id))[-2:]]
    assert kinds == [EntryKind.PERSON, EntryKind.NOTE]


async def test_a_pin_that_comes_too_late_is_hidden_too(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("vault_empty")
    result = await talk.ask(asha, "Empty the vault")
    talk.house.clock.advance(PROPOSAL_S + 1)
    await talk.ask(asha, "482193", result.conversation_id)
    assert "482193" not in await everything(talk)


async def test_a_pin_typed_just_after_its_card_was_answered_is_hidden_too(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("vault_empty")
    result = await talk.ask(asha, "Empty the vault")
    await talk.ask(asha, "no", result.conversation_id)
    await talk.ask(asha, "482193", result.conversation_id)
    assert "482193" not in await everything(talk)
    talk.house.clock.advance(PROPOSAL_S + 1)
    await talk.ask(asha, "look up order 594021", result.conversation_id)
    assert "594021" in await everything(talk)


async def test_numbers_are_left_alone_when_nothing_speaks_of_a_pin(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.ask(asha, "remind me at 1730 in room 4021")
    assert talk.brain.views[-1].own_words == "remind me at 1730 in room 4021"

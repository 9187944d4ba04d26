"""What a device returned is its person's alone, for as long as it is kept."""

import pytest

from ira_home.base.errors import NotFound
from ira_home.domain.conversations import PRIVATE_PLACEHOLDER, Entry, EntryKind
from ira_home.domain.trust import TrustLabel
from tests.support.talk import Talk

SAID, ARGUMENT = "vermilion", "Marigold"


async def transcript(talk: Talk, conversation_id: int) -> tuple[Entry, ...]:
    return (await talk.assistant.conversations.transcript(conversation_id)).entries  # type: ignore[arg-type]


async def test_an_admin_sees_a_placeholder_where_a_device_answered_or_an_answer_saw_it(
    talk: Talk,
) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    mac.contents["lantern_colour"] = {"summary": f"The lantern is {SAID}."}
    talk.brain.call("lantern_colour")
    talk.brain.say(f"It is {SAID}.")
    result = await talk.ask(asha, "Tell me the colour of the lantern")
    talk.brain.say(f"As I said, {SAID}.")
    await talk.ask(asha, "say it again", result.conversation_id)
    shown = await transcript(talk, result.conversation_id)
    assert SAID not in str(shown)
    assert [one.text for one in shown if one.kind is EntryKind.PERSON] == [
        "Tell me the colour of the lantern",
        "say it again",
    ]
    hidden = {one.text for one in shown if one.kind is not EntryKind.PERSON}
    assert hidden == {PRIVATE_PLACEHOLDER}
    own = await talk.assistant.conversations.entries(asha.person.id, result.conversation_id)
    assert sum(SAID in one.text for one in own) == 3


async def test_the_placeholder_does_not_tell_how_much_there_was(talk: Talk) -> None:
    asha = await talk.house.person()
    mac = await talk.gadget(asha)
    sizes = set()
    for chars in (1, 5_000):
        mac.contents["lantern_colour"] = {"summary": "x" * chars}
        talk.brain.call("lantern_colour")
        talk.brain.say("x" * chars)
        result = await talk.ask(asha, "Tell me the colour of the lantern")
        shown = await transcript(talk, result.conversation_id)
        sizes.add(tuple(len(one.text) + len(one.source) for one in shown))
    assert len(sizes) == 1


async def test_arguments_of_an_action_are_hidden_from_everyone_else(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("parcel_send", name=ARGUMENT)
    result = await talk.ask(asha, "Send the parcel")
    await talk.ask(asha, "yes", result.conversation_id)
    assert ARGUMENT not in str(await transcript(talk, result.conversation_id))
    assert ARGUMENT not in str(await talk.assistant.conversations.list_all())
    talk.house.clock.advance(1)
    talk.brain.call("parcel_send", name=ARGUMENT)
    result = await talk.ask(asha, "Send the parcel")
    talk.house.clock.advance(121)
    await talk.workshop.watch.expire_due()
    assert ARGUMENT not in str(await transcript(talk, result.conversation_id))
    page = await talk.house.storage.tool_log.list_all(None, 100)
    assert ARGUMENT not in str(page)


async def test_what_no_device_had_a_part_in_stays_readable(talk: Talk) -> None:
    asha = await talk.house.person()
    talk.brain.say("Good morning.")
    result = await talk.ask(asha, "Hello")
    shown = await transcript(talk, result.conversation_id)
    assert [one.text for one in shown] == ["Hello", "Good morning."]


async def test_the_label_outlives_the_turn(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("lantern_colour")
    result = await talk.ask(asha, "Tell me the colour of the lantern")
    for text in ("thank you", "and again"):
        await talk.ask(asha, text, result.conversation_id)
    entries = await talk.entries(result.conversation_id)
    answers = [one for one in entries if one.kind is EntryKind.IRA]
    assert len(answers) == 3
    for one in answers:
        assert (one.label, one.source, one.private) == (TrustLabel.DEVICE, "Office Mac", True)


async def test_a_search_finds_one_s_own_words_and_answers_only(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    mac = await talk.gadget(asha)
    mac.contents["lantern_colour"] = {"summary": f"only {SAID} inside"}
    talk.brain.call("lantern_colour")
    talk.brain.say("The lantern has a colour.")
    await talk.ask(asha, "Tell me the colour of the lantern, है ना")
    search = talk.assistant.conversations.search
    assert [one.kind for one in (await search(asha.person.id, "lantern colour")).items] == [
        EntryKind.IRA,
        EntryKind.PERSON,
    ]
    assert len((await search(asha.person.id, "है")).items) == 1
    assert len((await search(asha.person.id, "lant")).items) == 2
    assert (await search(asha.person.id, SAID)).items == ()
    assert (await search(ravi.person.id, "lantern")).items == ()


@pytest.mark.parametrize(
    "q", ['"', "a OR b", "NEAR(", "*", "text:", "-", "'; --", "( )", "^x", '"" ""']
)
async def test_nothing_typed_into_the_search_is_an_operator(talk: Talk, q: str) -> None:
    asha = await talk.house.person()
    await talk.ask(asha, "Hello there")
    assert (await talk.assistant.conversations.search(asha.person.id, q)).items == ()


async def test_a_long_search_comes_in_pages(talk: Talk) -> None:
    asha = await talk.house.person()
    first = await talk.ask(asha, "lantern one")
    for number in range(4):
        await talk.ask(asha, f"lantern {number}", first.conversation_id)
    search = talk.assistant.conversations.search
    page = await search(asha.person.id, "lantern", None, 3)
    rest = await search(asha.person.id, "lantern", page.next_cursor, 3)
    assert [len(page.items), len(rest.items), rest.next_cursor] == [3, 2, None]


async def test_deleting_a_conversation_is_one_s_own_right_only(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    result = await talk.ask(asha, "Hello lantern")
    conversations = talk.assistant.conversations
    with pytest.raises(NotFound):
        await conversations.delete(ravi.person.id, result.conversation_id)
    await conversations.delete(asha.person.id, result.conversation_id)
    for read in (conversations.entries, conversations.delete):
        with pytest.raises(NotFound):
            await read(asha.person.id, result.conversation_id)
    assert (await conversations.search(asha.person.id, "lantern")).items == ()
    assert await talk.house.storage.database.all("SELECT * FROM messages") == []


async def test_conversations_come_in_pages_the_last_changed_first(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    made = []
    for number in range(5):
        talk.house.clock.advance(1)
        made.append((await talk.ask(asha, f"Hello {number}")).conversation_id)
    await talk.ask(ravi, "Hello")
    talk.house.clock.advance(1)
    await talk.ask(asha, "once more", made[0])
    conversations = talk.assistant.conversations
    first = await conversations.list(asha.person.id, None, 3)
    second = await conversations.list(asha.person.id, first.next_cursor, 3)
    assert [one.id for one in (*first.items, *second.items)] == [made[0], *reversed(made[1:])]
    assert second.next_cursor is None
    everybody = await conversations.list_all()
    assert {one.email for one in everybody.items} == {asha.person.email, ravi.person.email}

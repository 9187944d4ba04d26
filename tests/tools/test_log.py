"""Reading "What Ira did"."""

from ira_home.tools.log import ToolLog
from tests.support.talk import Talk


async def test_each_call_is_a_line_in_words_of_its_person_s_own(talk: Talk) -> None:
    asha, ravi = await talk.house.person(), await talk.house.person()
    await talk.gadget(asha)
    talk.brain.call("lantern_colour")
    talk.brain.call("parcel_send", name="Marigold")
    result = await talk.ask(asha, "Tell me the colour of the lantern, send the parcel to Marigold")
    await talk.ask(asha, "yes", result.conversation_id)
    log = ToolLog(talk.house.storage)
    page = await log.list(asha.person.id, None, 2)
    rest = await log.list(asha.person.id, page.next_cursor, 2)
    lines = [*page.items, *rest.items]
    assert [log.sentence(one) for one in lines] == [
        "On Office Mac: parcel_send: done, after a yes",
        "On Office Mac: parcel_send: asked you first",
        "On Office Mac: lantern_colour: done",
    ]
    assert "हाँ कहने पर" in log.sentence(lines[0], "hi")
    assert rest.next_cursor is None
    assert (await log.list(ravi.person.id, None, 9)).items == ()
    assert len((await log.list_all(None, 9)).items) == 3


async def test_a_tool_that_a_brain_invents_leaves_no_name_behind(talk: Talk) -> None:
    asha = await talk.house.person()
    talk.brain.call('steal "secret words"')
    result = await talk.ask(asha, "Hello")
    assert result.tools == ()
    assert await talk.log(asha) == []
    names = [one.tool for one in await talk.entries(result.conversation_id) if one.tool]
    assert set(names) == {"unknown"}


async def test_a_label_stands_escaped_where_no_wrapper_is_around_it(talk: Talk) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha, label="Study <b>")
    await talk.gadget(asha, label="Attic")
    talk.brain.call("lantern_colour")
    await talk.ask(asha, "Tell me the colour of the lantern")
    told = talk.brain.views[-1].steps[-1].text
    assert "Study &lt;b>, Attic" in told

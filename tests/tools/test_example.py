"""The example of docs/tools.md works as it stands there."""

from pathlib import Path
import re

import pytest

from tests.support.requirements import requirement
from tests.support.talk import open_talk

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"


@pytest.fixture
def example() -> str:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@requirement("business.own", "business.tool", "business.tier")
async def test_the_example_of_the_docs_answers_and_books(tmp_path: Path, example: str) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "dentists.py").write_text(example, encoding="utf-8")
    async with open_talk(tmp_path) as talk:
        assert not talk.workshop.library.broken
        asha = await talk.house.person()
        talk.brain.call("appointments_free", day="2026-12-02", dentist="Dr. Rao")
        await talk.ask(asha, "When is Dr. Rao free tomorrow?")
        assert talk.brain.views[-1].steps[-1].text == "Free on 02 December:\nDr. Rao: 10:00, 11:30"
        talk.brain.call("appointment_book", dentist="Dr. Rao", time="10:00")
        result = await talk.ask(asha, "book Dr. Rao at 10:00")
        assert result.proposals[0].text.startswith("Book an appointment\ndentist: Dr. Rao")
        await talk.ask(asha, "yes", result.conversation_id)
        rows = await talk.house.storage.database.all("SELECT * FROM own_dentists_bookings")
        assert [tuple(row) for row in rows] == [(1, "Dr. Rao", "10:00", asha.person.id)]
        talk.brain.call("appointment_book", dentist="Dr. Iyer", time="10:00")
        result = await talk.ask(asha, "book Dr. Iyer at 10:00")
        await talk.ask(asha, "yes", result.conversation_id)
        told = talk.brain.views[-1].steps[-1]
        assert told.text == "That did not work: Dr. Iyer is not free at 10:00"

"""The example of docs/tools.md works as it stands there, asked what the page tells to ask."""

from pathlib import Path

from tests.support.home import hands_of_now, open_home
from tests.support.keeping import check_promises
from tests.support.pages import fenced, promises, read
from tests.support.requirements import requirement

PAGE = read("docs/tools.md")


@requirement("business.own", "business.tool", "business.tier")
async def test_the_example_of_the_docs_answers_and_books(tmp_path: Path) -> None:
    tools = tmp_path / "data" / "tools"
    tools.mkdir(parents=True)
    (tools / "dentists.py").write_text(fenced(PAGE, "python")[0], encoding="utf-8")
    async with open_home(tmp_path / "data", clock=hands_of_now()) as home:
        assert not home.services.library.broken
        owner = await home.owner()
        told = promises(PAGE)
        assert len(told) >= 5
        await check_promises(owner, told)
        rows = await home.storage.database.all("SELECT * FROM own_dentists_bookings")
        assert [(row["dentist"], row["user_id"]) for row in rows] == [("Dr Rao", owner.person.id)]
        # The same again is refused, in the tool's own words.
        booking = next(one for one in told if one.tool == "appointment_book")
        asked = (await owner.ask(booking.said)).body
        said = (await owner.ask("yes", asked["conversation_id"])).body
        assert said["tools"][0]["outcome"] == "failed"
        assert "Dr Rao has somebody else then." in said["text"]

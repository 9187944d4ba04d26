"""What is told of a conversation to its person, to others, and to admins."""

from pathlib import Path

import pytest

from ira_home.domain.people import Role
from tests.web.scripted import lamp, scripted


async def test_an_admin_reads_placeholders_and_the_person_everything(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member, other, admin = (
            await home.person(),
            await home.person(),
            await home.person(Role.ADMIN),
        )
        device = await lamp(member)
        number = (await member.ask("lamp_colour")).body["conversation_id"]
        mine = await member.call("GET", f"/v1/me/conversations/{number}")
        assert "crimson" in mine.text
        assert (await other.call("GET", f"/v1/me/conversations/{number}")).status == 404
        theirs = await admin.call("GET", f"/v1/admin/conversations/{number}")
        assert theirs.status == 200
        assert theirs.body["person"] == member.person.email
        assert "(private device output)" in theirs.text
        assert "lamp_colour" in theirs.body["messages"][0]["text"]
        for path in ("/v1/admin/conversations", "/v1/admin/log", "/v1/admin/changes"):
            assert "crimson" not in theirs.text + (await admin.call("GET", path)).text
        await device.hang_up()


@pytest.mark.parametrize(
    ("chosen", "asked_for", "sentence"),
    [
        ("auto", "", "On Office Mac: lamp_colour: done"),
        ("auto", "hi-IN,en;q=0.5", "Office Mac पर: lamp_colour: हो गया"),
        ("hi", "en", "Office Mac पर: lamp_colour: हो गया"),
        ("hinglish", "", "Office Mac par: lamp_colour: ho gaya"),
        ("en", "hi", "On Office Mac: lamp_colour: done"),
    ],
)
async def test_what_ira_did_is_said_in_the_language_of_whoever_reads_it(
    tmp_path: Path, chosen: str, asked_for: str, sentence: str
) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member, owner = await home.person(), await home.owner()
        device = await lamp(member)
        await member.ask("lamp_colour")
        asking = {"Accept-Language": asked_for}
        for who, path in ((member, "/v1/me/log"), (owner, "/v1/admin/log")):
            await who.call("PATCH", "/v1/me/settings", {"reply_language": chosen})
            (line,) = (await who.call("GET", path, headers=asking)).body["items"]
            assert line["sentence"] == sentence
        await device.hang_up()


async def test_what_ira_did_is_told_to_its_person_and_to_admins(tmp_path: Path) -> None:
    async with scripted(tmp_path) as (home, _brain):
        member, other, owner = await home.person(), await home.person(), await home.owner()
        device = await lamp(member)
        await member.ask("lamp_colour")
        line = (await member.call("GET", "/v1/me/log")).body["items"][0]
        assert (line["tool"], line["device"], line["channel"]) == (
            "lamp_colour",
            "Office Mac",
            "web",
        )
        assert (line["tier"], line["confirmed"], line["outcome"]) == (0, "none", "done")
        assert set(line) == {
            "id", "at", "person", "channel", "tool", "device", "tier", "confirmed", "outcome",
            "seconds", "sentence",
        }  # fmt: skip
        assert (await other.call("GET", "/v1/me/log")).body["items"] == []
        everyone = await owner.call("GET", "/v1/admin/log")
        assert everyone.body["items"][0]["tool"] == "lamp_colour"
        assert "crimson" not in everyone.text
        await device.hang_up()

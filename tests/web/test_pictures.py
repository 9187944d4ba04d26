"""A picture that a device returned is its person's: shown, exported, deleted; and seen by nobody else."""

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ira_home.domain.people import Role
from tests.support.callers import DeviceLine, Member
from tests.support.home import PASSWORD, Home
from tests.support.pictures import JPEG, PNG, carried
from tests.support.requirements import requirement
from tests.web.scripted import LAMP, scripted

CAMERA: dict[str, Any] = LAMP | {"name": "photo_take", "description": "Take a photo.", "tier": 1}
VAULT = CAMERA | {"name": "vault_shot", "description": "Photograph the vault.", "tier": 2}
PICTURE = carried(JPEG)
TAKEN = {"summary": "A photo was taken.", "picture": PICTURE}
DATA = PICTURE["data"]


@dataclass
class Scene:
    """A member with a camera, and a conversation in which it took a photo."""

    home: Home
    member: Member
    device: DeviceLine
    asked: Any

    @property
    def conversation(self) -> str:
        return f"/v1/me/conversations/{self.asked.body['conversation_id']}"

    async def picture(self) -> dict[str, Any]:
        messages = (await self.member.call("GET", self.conversation)).body["messages"]
        [found] = [one["picture"] for one in messages if one["picture"] is not None]
        assert [one["kind"] for one in messages if one["picture"]] == ["result"]
        return dict(found)

    async def path(self) -> str:
        return f"/v1/me/pictures/{(await self.picture())['id']}"


@asynccontextmanager
async def scene(folder: Path, content: Any = None) -> AsyncIterator[Scene]:
    async with scripted(folder) as (home, _brain):
        member = await home.person()
        device = await member.online([CAMERA, VAULT], kind="android", label="Asha's phone")
        device.answers = dict.fromkeys(("photo_take", "vault_shot"), content or TAKEN)
        try:
            yield Scene(home, member, device, await member.ask("photo_take"))
        finally:
            await device.hang_up()


async def test_its_person_is_shown_it_and_the_brain_only_that_there_is_one(tmp_path: Path) -> None:
    async with scene(tmp_path) as one:
        assert one.asked.body["text"].startswith("A photo was taken.\nPicture: 3 x 2, shown to")
        shown = await one.picture()
        assert shown == {"id": shown["id"], "media_type": "image/jpeg", "width": 3, "height": 2}
        async with one.member.http.get(
            one.home.base + await one.path(), headers=one.member.headers()
        ) as reply:
            assert (reply.status, await reply.read()) == (200, JPEG)
            said = reply.headers
        assert said["Content-Type"] == "image/jpeg"
        assert said["X-Content-Type-Options"] == "nosniff"
        assert said["Cache-Control"] == "no-store"
        assert said["Content-Disposition"] == f'inline; filename="ira-{shown["id"]}.jpg"'
        assert "sandbox" in said["Content-Security-Policy"]
        assert "default-src 'none'" in said["Content-Security-Policy"]


async def test_its_bytes_reach_no_text(tmp_path: Path) -> None:
    async with scene(tmp_path) as one:
        for path in (one.conversation, "/v1/me/log", "/v1/me/conversations"):
            assert DATA not in (await one.member.call("GET", path)).text
        rows = await one.home.storage.database.all("SELECT text FROM messages")
        assert len(rows) == 4
        assert not [row for row in rows if DATA[:40] in row["text"]]


@requirement("privacy.nobody", "privacy.placeholder", "page.photo")
async def test_nobody_else_sees_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as one:
        path = await one.path()
        others = [await one.home.person(), await one.home.owner()]
        others.append(await one.home.person(Role.ADMIN))
        for other in others:
            assert (await other.call("GET", path)).status == 404
        assert (await one.home.caller().call("GET", path)).status == 401
        assert (await one.device.caller.call("GET", path)).status == 403
        theirs = await others[1].call("GET", path.replace("/me/pictures", "/admin/pictures"))
        assert theirs.status == 404
        number = one.asked.body["conversation_id"]
        read = await others[1].call("GET", f"/v1/admin/conversations/{number}")
        assert read.status == 200
        assert {message["picture"] for message in read.body["messages"]} == {None}
        assert "(private device output)" in read.text


async def test_a_tool_that_waits_for_a_yes_returns_one_too(tmp_path: Path) -> None:
    async with scene(tmp_path) as one:
        one.asked = await one.member.ask("vault_shot")
        assert (await one.member.confirm(one.asked.body["proposals"][0])).status == 200
        assert (await one.member.call("GET", await one.path())).status == 200
        page = await one.member.call("GET", f"/chat/{one.asked.body['conversation_id']}")
        assert await one.path() in page.text


async def test_one_that_is_no_picture_is_not_kept(tmp_path: Path) -> None:
    svg = b64encode(b"<svg onload='alert(1)'/>").decode()
    bad = {
        "summary": "Taken.",
        "picture": carried(JPEG, media_type="image/svg+xml") | {"data": svg},
    }
    async with scene(tmp_path, bad) as one:
        assert "not shown, because it is no JPEG, PNG or WebP picture" in one.asked.body["text"]
        assert one.asked.body["tools"][0]["outcome"] == "done"
        assert svg not in one.asked.text
        assert await one.home.storage.database.all("SELECT id FROM pictures") == []


@requirement("privacy.export")
async def test_the_export_holds_it(tmp_path: Path) -> None:
    async with scene(tmp_path, TAKEN | {"picture": carried(PNG)}) as one:
        await one.member.call("POST", "/v1/session/verify", {"password": PASSWORD})
        export = (await one.member.call("GET", "/v1/me/export")).body
        [picture] = export["pictures"]
        assert b64decode(picture["data"]) == PNG
        assert picture["media_type"] == "image/png"
        entries = export["conversations"][0]["entries"]
        assert [e["kind"] for e in entries if e["id"] == picture["message_id"]] == ["result"]


@requirement("privacy.delete")
@pytest.mark.parametrize("how", ["conversation", "data", "account"])
async def test_it_goes_with_its_conversation_its_persons_data_and_their_account(
    tmp_path: Path, how: str
) -> None:
    async with scene(tmp_path) as one:
        path = await one.path()
        if how == "conversation":
            assert (await one.member.call("DELETE", one.conversation)).status == 204
            assert (await one.member.call("GET", path)).status == 404
        elif how == "data":
            gone = await one.member.call("DELETE", "/v1/me/data", {"password": PASSWORD})
            assert gone.body["deleted"]["pictures"] == 1
            assert (await one.member.call("GET", path)).status == 404
        else:
            owner = await one.home.owner()
            gone = await owner.call("DELETE", f"/v1/admin/users/{one.member.person.id}")
            assert gone.status == 204
        assert await one.home.storage.database.all("SELECT id FROM pictures") == []


async def test_it_stays_when_the_device_that_took_it_is_removed(tmp_path: Path) -> None:
    async with scene(tmp_path) as one:
        path = await one.path()
        await one.member.call("DELETE", f"/v1/me/devices/{one.device.number}")
        assert (await one.member.call("GET", path)).status == 200


async def test_the_chat_shows_it_under_its_answer(tmp_path: Path) -> None:
    async with scene(tmp_path) as one:
        page = await one.member.call("GET", f"/chat/{one.asked.body['conversation_id']}")
        path = await one.path()
        assert f'<img src="{path}" width="3" height="2"' in page.text
        assert 'alt="Picture from Asha&#39;s phone,' in page.text

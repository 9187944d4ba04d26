"""A run that is still going when whoever asked loses the right: it calls nothing and asks nothing more."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ira_home.assistant.runs import Run, RunResult
from ira_home.domain.people import Role
from tests.support.callers import Caller, DeviceLine, Member
from tests.support.home import PASSWORD, PIN, Home
from tests.support.requirements import requirement
from tests.web.scripted import Scripted, lamp, scripted

NEW = "another-lantern-river-5"


@dataclass
class Scene:
    """A person whose device is there, somebody who asks as them, and a brain that waits."""

    home: Home
    brain: Scripted
    member: Member
    device: DeviceLine

    async def again(self) -> Caller:
        """The person in another browser."""
        cookie, _ = await self.home.services.sessions.sign_in(
            email=self.member.person.email, password=PASSWORD, address="127.0.0.1", agent="other"
        )
        return self.home.caller(cookie=cookie)

    async def begun(self, asker: Caller, words: str) -> Run:
        """A run that has asked the brain, which waits."""
        async with asker.stream("/v1/ask/stream", method="POST", body={"text": words}) as stream:
            start: Any = await stream.next()
        await asyncio.wait_for(self.brain.asked.acquire(), 5)
        return self.home.services.assistant.run(self.member.person.id, start.data["run_id"])

    async def go_on(self, run: Run) -> RunResult:
        """What comes of the run once the brain goes on."""
        assert self.brain.hold is not None
        self.brain.hold.set()
        return await asyncio.wait_for(run.result(), 5)

    async def lines(self) -> list[tuple[str, str]]:
        page = await self.home.services.tool_log.list(self.member.person.id, None, 9)
        return [(one.tool, one.outcome.value) for one in page.items]


@asynccontextmanager
async def scene(folder: Path, role: Role = Role.STAFF) -> AsyncIterator[Scene]:
    async with scripted(folder) as (home, brain):
        _ = await home.owner()
        member = await home.person(role)
        device = await lamp(member)
        brain.hold = asyncio.Event()
        try:
            yield Scene(home, brain, member, device)
        finally:
            await device.hang_up()


async def signed_out(at: Scene) -> None:
    assert (await at.member.call("DELETE", "/v1/session")).status == 204


async def signed_out_from_elsewhere(at: Scene) -> None:
    other = await at.again()
    listed = (await other.call("GET", "/v1/me/sessions")).body["items"]
    (first,) = [one["id"] for one in listed if not one["current"]]
    assert (await other.call("DELETE", f"/v1/me/sessions/{first}")).status == 204


async def password_changed_elsewhere(at: Scene) -> None:
    body = {"old": PASSWORD, "new": NEW}
    assert (await (await at.again()).call("PUT", "/v1/me/password", body)).status in (200, 204)


async def password_reset(at: Scene) -> None:
    await at.home.services.accounts.reset_password(None, at.member.person.id, NEW)


async def demoted(at: Scene) -> None:
    await at.home.services.accounts.change(None, at.member.person.id, role=Role.STAFF)


async def removed(at: Scene) -> None:
    await at.home.services.accounts.remove(None, at.member.person.id)


async def token_ended(at: Scene) -> None:
    (token,) = (await at.member.call("GET", "/v1/me/tokens")).body["items"]
    assert (await at.member.call("DELETE", f"/v1/me/tokens/{token['id']}")).status == 204


async def phone_removed(at: Scene) -> None:
    listed = (await at.member.call("GET", "/v1/me/devices")).body["items"]
    (phone,) = [one["id"] for one in listed if one["label"] == "Phone"]
    assert (await at.member.call("DELETE", f"/v1/me/devices/{phone}")).status in (200, 204)


async def by_session(at: Scene) -> Caller:
    return at.member


async def by_token(at: Scene) -> Caller:
    wish = {"name": "script", "scopes": ["ask", "actions"], "pin": PIN}
    made = await at.member.call("POST", "/v1/me/tokens", wish)
    assert made.status == 201, made
    return at.home.caller(bearer=made.body["token"])


async def by_phone(at: Scene) -> Caller:
    return at.home.caller(bearer=(await at.member.pair("android", "Phone")).token)


Way = tuple[Callable[[Scene], Awaitable[Caller]], Callable[[Scene], Awaitable[None]], Role]
WAYS: dict[str, Way] = {
    "signed out": (by_session, signed_out, Role.STAFF),
    "signed out from elsewhere": (by_session, signed_out_from_elsewhere, Role.STAFF),
    "password changed elsewhere": (by_session, password_changed_elsewhere, Role.STAFF),
    "password reset": (by_session, password_reset, Role.STAFF),
    "password reset, by token": (by_token, password_reset, Role.STAFF),
    "demoted": (by_session, demoted, Role.ADMIN),
    "demoted, by token": (by_token, demoted, Role.ADMIN),
    "token ended": (by_token, token_ended, Role.STAFF),
    "asking device removed": (by_phone, phone_removed, Role.STAFF),
    "person removed": (by_session, removed, Role.STAFF),
}


@requirement("token.revoke.at_once")
@pytest.mark.parametrize("tool", ["lamp_colour", "door_open"])
@pytest.mark.parametrize("way", WAYS)
async def test_nothing_is_called_or_asked_for_them_any_more(
    tmp_path: Path, way: str, tool: str
) -> None:
    asks, loses, role = WAYS[way]
    async with scene(tmp_path, role) as at:
        run = await at.begun(await asks(at), tool)
        await loses(at)
        result = await at.go_on(run)
        assert at.device.calls == []
        assert result.proposals == ()
        if way == "person removed":
            return
        assert "sign-in or account was ended or changed" in result.text
        assert await at.lines() == [(tool, "refused")]
        assert [(one.tool, one.outcome.value) for one in result.tools] == [(tool, "refused")]
        assert await at.home.services.proposals.list_open(at.member.person.id) == []


@requirement("tier.0")
async def test_a_new_name_or_a_password_changed_in_the_asking_session_stops_nothing(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path) as at:
        run = await at.begun(at.member, "lamp_colour")
        await at.home.services.accounts.change(None, at.member.person.id, name="New name")
        body = {"old": PASSWORD, "new": NEW}
        assert (await at.member.call("PUT", "/v1/me/password", body)).status in (200, 204)
        assert "crimson" in (await at.go_on(run)).text
        assert len(at.device.calls) == 1

"""Every page that the router has, in a house where each has something to show.

Nothing here lists the pages: a new one is found by its route. What an `{id}` in its path is of has to be told
once, in `_THINGS`; what stands in a page only after something happened is a scene of its own.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
import re
from typing import Any
from unittest import mock

from ira_home.domain.people import Role
from ira_home.web import carried as programs
from ira_home.web.guard import COOKIE
from ira_home.web.routes import Needs, Route
from ira_home.web.server import all_routes
from tests.pages.talker import Talker
from tests.support.callers import Caller, DeviceLine, Member
from tests.support.home import PASSWORD, PIN, Home, open_home
from tests.support.pictures import JPEG, carried

PROSE = (
    "Three things for **today**:\n\n- Call Ravi about the invoice\n- Order gloves\n\n1. First `ira doctor`\n2. Then rest\n\n"
    "More at https://example.com/notes and ![a picture](https://example.com/p.png) <b>not bold</b>."
)
# Which life's thing the last `{id}` (or the like) of a path is, by the path up to it.
_THINGS = {
    "/chat/": "conversation", "/devices/": "device", "/devices/code/": "pairing", "/house/people/": "person",
    "/house/people/invitations/": "invitation", "/house/devices/": "device", "/house/chats/": "conversation", "/me/sessions/": "session", "/me/tokens/": "token",
}  # fmt: skip
_NAMED = {"skill": "lantern", "tool": "lantern_colour", "version": "x", "name": "mark.svg"}
_PAGES = ("application/json", "text/html")  # the first where a route says nothing
_PART = re.compile(r"\{(\w+)(?::[^}]*)?\}")
_TOOLS: tuple[tuple[str, str, int], ...] = (
    ("lantern_colour", "Tell the colour of the lantern", 0),
    ("lantern_dim", "Dim the lantern a little", 1),
    ("parcel_send", "Send the parcel to Marigold", 2),
    ("vault_empty", "Empty the vault", 3),
    ("telescope_aim", "Aim the telescope at the moon", 0),
)


@dataclass
class House:
    """A home with everything in it, and who is at home there."""

    home: Home
    owner: Member
    staff: Member
    device: DeviceLine
    things: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """One page to look at: who looks, where, and what has to happen before."""

    name: str
    who: str  # owner, staff, nobody
    path: str
    before: Callable[[House], Awaitable[str]] | None = None

    async def address(self, house: House) -> str:
        """The path to open."""
        return self.path if self.before is None else await self.before(house)


@asynccontextmanager
async def lived_house(folder: Path) -> AsyncIterator[House]:
    """A house in use: devices, conversations, events, codes, people and invitations; it carries a program."""
    brain = Talker()
    brain.says["notes"] = PROSE
    async with AsyncExitStack() as stack:
        stack.enter_context(mock.patch.object(programs, "FOLDER", _downloads(folder)))
        home = await stack.enter_async_context(open_home(folder / "data", brain=brain))
        owner, staff = await home.owner(), await home.person()
        tools = [
            {"name": name, "description": about, "tier": tier, "parameters": {"type": "object", "properties": {}}}
            for name, about, tier in _TOOLS
        ]  # fmt: skip
        device = await owner.online(tools, skills=("lantern", "parcel", "vault"))
        stack.push_async_callback(device.hang_up)
        device.answers = {name: {"summary": "Green, as ever."} for name, _about, _tier in _TOOLS}
        device.answers["lantern_colour"]["picture"] = carried(JPEG)
        house = House(home, owner, staff, device)
        house.things = await _things(house)
        yield house


def _downloads(folder: Path) -> Path:
    made = folder / "downloads"
    made.mkdir()
    (made / "ira_home-0.1.0-py3-none-any.whl").write_bytes(b"PK")
    return made


async def _things(house: House) -> dict[str, str]:
    owner, device = house.owner, house.device
    first = (await owner.ask("lantern_colour please")).body["conversation_id"]
    await owner.ask("my notes", first)
    await owner.ask("lantern_dim now", first)
    for event in ("task_done", "task_failed"):
        await device.send({"type": "event", "event": event, "title": f"{event} here", "text": "Look."})  # fmt: skip
    wish = {"kind": "android", "label": "Asha's phone", "skills": ["phone"], "pin": PIN}
    code = (await owner.call("POST", "/v1/me/pairings", wish)).body
    script = {"name": "my script", "scopes": ["ask"], "pin": PIN}
    token = (await owner.call("POST", "/v1/me/tokens", script)).body
    guest = {"email": "guest@example.com", "role": Role.STAFF.value}
    await owner.call("POST", "/v1/admin/invitations", guest)
    [invitation] = (await owner.call("GET", "/v1/admin/invitations")).body["items"]
    await house.home.services.sessions.sign_in(
        email=owner.person.email, password=PASSWORD, address="192.168.1.40", agent="curl/8"
    )
    sessions = (await owner.call("GET", "/v1/me/sessions")).body["items"]
    return {
        "conversation": str(first),
        "device": str(device.number),
        "pairing": str(code["id"]),
        "person": str(house.staff.person.id),
        "invitation": str(invitation["id"]),
        "token": str(token["id"]),
        "session": str(max(one["id"] for one in sessions)),
    }


async def _card(tool: str, house: House) -> str:
    """A conversation in which a question waits."""
    asked = (await house.owner.ask(f"{tool} please")).body
    assert len(asked["proposals"]) == 1, asked
    return f"/chat/{asked['conversation_id']}"


async def _answered(house: House) -> str:
    asked = (await house.owner.ask("parcel_send please")).body
    [proposal] = asked["proposals"]
    await house.owner.confirm(proposal)
    return f"/chat/{asked['conversation_id']}"


async def _refused(house: House) -> str:
    asked = (await house.owner.ask("vault_empty please")).body
    [proposal] = asked["proposals"]
    await house.owner.call("POST", f"/v1/actions/{proposal['id']}/cancel", {})
    return f"/chat/{asked['conversation_id']}"


async def _joined(house: House) -> str:
    wish = {"kind": "android", "label": "Asha's phone", "skills": ["phone"], "pin": PIN}
    code = (await house.owner.call("POST", "/v1/me/pairings", wish)).body
    stranger = house.home.caller()
    await stranger.call("POST", "/v1/devices/pair", {"code": code["code"], "kind": "android"})
    return f"/devices/code/{code['id']}"


async def _no_downloads(_house: House) -> str:
    for one in await asyncio.to_thread(lambda: list(programs.FOLDER.iterdir())):
        one.unlink()
    return "/downloads"


# What the router alone does not show: questions that wait, searches, nothing found, a staff's pages.
MORE: tuple[Scene, ...] = (
    Scene("chat with a yes", "owner", "", lambda house: _card("parcel_send", house)),
    Scene("chat with a pin", "owner", "", lambda house: _card("vault_empty", house)),
    Scene("chat answered", "owner", "", _answered),
    Scene("chat refused", "owner", "", _refused),
    Scene("code joined", "owner", "", _joined),
    Scene("chats found", "owner", "/chats?q=lantern"),
    Scene("chats nothing", "owner", "/chats?q=nothing"),
    Scene("staff downloads none", "staff", "", _no_downloads),
    Scene("connect looked", "owner", "/connect?look=yes"),
    Scene("house looked", "owner", "/house?look=yes"),
    Scene("me saved", "owner", "/me?saved=settings"),
    Scene("devices first", "owner", "/devices/add?first=1"),
    Scene("nowhere", "owner", "/nowhere"),
    Scene("nowhere nobody", "nobody", "/nowhere"),
    Scene("staff chat", "staff", "/chat"),
    Scene("staff devices", "staff", "/devices"),
    Scene("staff did", "staff", "/did"),
    Scene("staff events", "staff", "/events"),
    Scene("staff me", "staff", "/me"),
    Scene("staff connect", "staff", "/connect"),
    Scene("staff forbidden", "staff", "/house"),
)


def filled(route: Route, things: Mapping[str, str]) -> str:
    """The path of a route with a thing of this house in each place."""

    def thing(match: re.Match[str]) -> str:
        if (name := match[1]) in _NAMED:
            return _NAMED[name]
        before = _PART.sub("1", route.path[: match.start()])
        assert before in _THINGS, (
            f"{route.path}: tell in tests/pages/every.py what {{{name}}} is of"
        )
        return things[_THINGS[before]]

    return _PART.sub(thing, route.path)


def page_routes() -> list[Route]:
    """Every route that answers a browser's GET, but for those that say they are a file."""
    return [one for one in all_routes() if one.page and one.method == "GET" and one.media in _PAGES]


async def is_page(caller: Caller, path: str) -> bool:
    """Whether this is a page for whoever asks; not what leads on, and no file. Anything else is a fault."""
    reply = await caller.call("GET", path, headers={"Accept": "text/html"})
    assert reply.status in (200, 302, 303, 304), (path, reply.status)
    return reply.status == 200 and reply.headers["Content-Type"].startswith("text/html")


async def scenes(house: House) -> list[Scene]:
    """Every page of the router for its owner, and for nobody where it leads the owner on; then MORE."""
    found: list[Scene] = []
    nobody = house.home.caller()
    for route in page_routes():
        path = filled(route, house.things)
        name = _PART.sub(r"\1", route.path).strip("/").replace("/", " ")
        for who, caller in (("owner", house.owner), ("nobody", nobody)):
            if await is_page(caller, path):
                found.append(Scene(name, who, path))
                break
    return [*found, *MORE]


async def first_scenes(home: Home) -> list[Scene]:
    """The pages of a house that nobody has set up, as far as they look at who asks."""
    caller = home.caller()
    paths = [filled(one, {}) for one in page_routes() if one.needs is Needs.GUEST]
    return [
        Scene(f"first {path.strip('/').replace('/', ' ')}", "nobody", path)
        for path in paths
        if await is_page(caller, path)
    ]


def cookies(who: str, house: House | None, base: str) -> list[dict[str, Any]]:
    """The cookies of a browser of theirs."""
    if house is None or who == "nobody":
        return []
    member = house.owner if who == "owner" else house.staff
    return [{"name": COOKIE, "value": member.cookie, "url": base, "secure": True, "httpOnly": True}]

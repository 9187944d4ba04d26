"""Whose things which credential opens: every route with an id in it, asked with everybody's credential."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
import pytest_asyncio

from ira_home.web.routes import Needs, Route
from ira_home.web.server import all_routes
from tests.support.callers import Caller, Member, Reply
from tests.support.home import PASSWORD, PIN, Home, hands_of_now, open_home
from tests.support.requirements import requirement
from tests.web.holders import Holder, everybody
from tests.web.lives import FORM, MARK, Life, lived, numbers_apart, rows_of
from tests.web.scripted import Scripted

ROUTES = all_routes()
DOORS = ("api", "pages", "console", "house")


@dataclass(frozen=True)
class Asked:
    """What a path names: the kind of its `{id}`, a good body, and what is told of no such thing.

    `told` is 404 but for pages that lead on without looking, or say the same of everything.
    """

    kind: str
    body: Any = None
    told: int = 404
    ends: bool = False  # the thing is gone afterwards


# Every route with an id. In this order whoever finds the thing can ask them all.
PATHS: dict[tuple[str, str], Asked] = {
    ("GET", "/v1/me/conversations/{id}"): Asked("conversation"),
    ("GET", "/v1/me/pictures/{id}"): Asked("picture"),
    ("GET", "/v1/runs/{id}/stream"): Asked("run"),
    ("POST", "/v1/runs/{id}/cancel"): Asked("run"),
    ("POST", "/v1/actions/{id}/confirm"): Asked("action", {"digest": "0" * 64, "pin": PIN}),
    ("POST", "/v1/actions/{id}/cancel"): Asked("action", {}),
    ("GET", "/v1/me/devices/{id}"): Asked("device"),
    ("PATCH", "/v1/me/devices/{id}"): Asked("device", {"label": "Mine now"}),
    ("PUT", "/v1/me/devices/{id}/skills/{skill}"): Asked("device", {"on": False, "pin": PIN}),
    ("POST", "/v1/me/devices/{id}/tools/{name}/agree"): Asked("device", {"pin": PIN}),
    ("GET", "/v1/admin/conversations/{id}"): Asked("conversation"),
    ("GET", "/v1/admin/users/{id}"): Asked("user"),
    ("PATCH", "/v1/admin/users/{id}"): Asked("user", {"name": "Another"}),
    ("PUT", "/v1/admin/devices/{id}/skills/{skill}"): Asked("device", {"on": False}),
    ("GET", "/chat/{id}"): Asked("conversation"),
    ("POST", "/chat/{id}"): Asked("conversation", {"text": "hello"}),
    ("GET", "/chat/{id}/answer"): Asked("conversation", told=303),
    ("POST", "/chat/{id}/answer"): Asked("conversation", {"proposal": "{action}", "answer": "no"}),
    ("GET", "/chat/{id}/delete"): Asked("conversation"),
    ("GET", "/devices/{id}"): Asked("device"),
    ("GET", "/devices/{id}/skills/{skill}"): Asked("device", told=303),
    ("POST", "/devices/{id}/skills/{skill}"): Asked("device", {"on": "0", "pin": PIN}),
    ("GET", "/devices/{id}/agree/{tool}"): Asked("device", told=303),
    ("POST", "/devices/{id}/agree/{tool}"): Asked("device", {"pin": PIN}),
    ("GET", "/devices/{id}/name"): Asked("device", told=303),
    ("POST", "/devices/{id}/name"): Asked("device", {"label": "Mine now"}),
    ("GET", "/devices/{id}/remove"): Asked("device"),
    ("GET", "/devices/code/{id}"): Asked("pairing", told=200),
    ("GET", "/house/people/{id}"): Asked("user"),
    ("GET", "/house/people/{id}/role"): Asked("user", told=303),
    ("POST", "/house/people/{id}/role"): Asked("user", {"role": "staff"}),
    ("GET", "/house/people/{id}/password"): Asked("user", told=303),
    ("POST", "/house/people/{id}/password"): Asked("user", {"new": "", "password": PASSWORD}),
    ("GET", "/house/people/{id}/pin"): Asked("user", told=303),
    ("POST", "/house/people/{id}/pin"): Asked("user", {"pin": "", "password": PASSWORD}),
    ("GET", "/house/people/{id}/remove"): Asked("user"),
    ("GET", "/house/people/invitations/{id}/cancel"): Asked("invitation", told=303),
    ("GET", "/house/chats/{id}"): Asked("conversation"),
    ("GET", "/house/devices/{id}"): Asked("device"),
    ("GET", "/house/devices/{id}/skills/{skill}"): Asked("device", told=303),
    ("POST", "/house/devices/{id}/skills/{skill}"): Asked("device", {}),
    ("GET", "/house/devices/{id}/remove"): Asked("device"),
    ("GET", "/me/sessions/{id}/end"): Asked("session", told=303),
    ("POST", "/me/sessions/{id}/end"): Asked("session", {}, told=303, ends=True),
    ("GET", "/me/tokens/{id}/end"): Asked("token", told=303),
    ("POST", "/me/tokens/{id}/end"): Asked("token", {}, told=303, ends=True),
    ("POST", "/devices/code/{id}/cancel"): Asked("pairing", {}, told=303, ends=True),
    ("POST", "/chat/{id}/delete"): Asked("conversation", {}, ends=True),
    ("POST", "/devices/{id}/remove"): Asked("device", {}, ends=True),
    ("POST", "/house/devices/{id}/remove"): Asked("device", {}, ends=True),
    ("POST", "/house/people/{id}/remove"): Asked("further", {"password": PASSWORD}, ends=True),
    ("POST", "/house/people/invitations/{id}/cancel"): Asked("invitation", {}, told=303, ends=True),
    ("DELETE", "/v1/me/conversations/{id}"): Asked("conversation", ends=True),
    ("DELETE", "/v1/me/sessions/{id}"): Asked("session", ends=True),
    ("DELETE", "/v1/me/tokens/{id}"): Asked("token", ends=True),
    ("DELETE", "/v1/me/pairings/{id}"): Asked("pairing", ends=True),
    ("DELETE", "/v1/me/devices/{id}"): Asked("device", ends=True),
    ("DELETE", "/v1/admin/devices/{id}"): Asked("device", ends=True),
    ("DELETE", "/v1/admin/invitations/{id}"): Asked("invitation", ends=True),
    ("DELETE", "/v1/admin/users/{id}"): Asked("user", ends=True),
}
# What stands in a path and is no thing of anybody's: the program's own files, and a secret that opens by itself.
NOBODYS = {
    ("GET", "/static/{version}/{name}"),
    ("GET", "/v1/downloads/{name}"),
    ("POST", "/v1/invitations/{token}"),
}
# Numbers in bodies; each is tried below as well.
IN_BODIES = {
    ("POST", "/v1/ask", "conversation_id"),
    ("POST", "/v1/ask/stream", "conversation_id"),
    ("POST", "/v1/me/events/read", "up_to"),
}
# What the console is there to tell of others.
CONSOLE_TELLS = {
    "/v1/admin/conversations": {"conversation", "mark"},  # a title is the person's own words
    "/v1/admin/devices": {"device", "mark"},
    "/v1/admin/invitations": {"invitation", "mark"},
    "/v1/admin/log": {"mark"},  # the device's name
    "/v1/admin/users": {"user", "further"},
    "/house/people": {"user", "further", "invitation", "mark"},
    "/v1/admin/changes": {"device", "pairing", "mark"},  # the address of who was invited
    "/house/changes": {"device", "pairing", "mark"},
    "/house/did": {"mark"},
    "/house/devices": {"device", "mark"},
    "/house/chats": {"conversation", "mark"},
    "/house/support": {"device"},  # its number
}


@dataclass
class Scene:
    """A house with A, whose things everybody is after: a life for each door."""

    home: Home
    a: Member
    b: Member
    owner: Member
    lives: dict[str, Life]
    holders: list[Holder]

    def life(self, route: Route) -> Life:
        """The life that a route is tried on."""
        if route.needs is Needs.CONSOLE:
            return self.lives["house" if route.page else "console"]
        return self.lives["pages" if route.page else "api"]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    clock = hands_of_now()
    folder = tmp_path_factory.mktemp("matrix") / "data"
    async with open_home(folder, brain=Scripted(), clock=clock) as home:
        old = (await home.person()).cookie
        clock.advance(31 * 86_400)
        owner, b = await home.owner(), await home.person()
        await numbers_apart(home)
        a = await home.person()
        holders = await everybody(home, a, b, owner, old)
        lives = {door: await lived(home, a, owner, name=door) for door in DOORS}
        yield Scene(home, a, b, owner, lives, holders)
        for holder in holders:
            await holder.caller.close()


pytestmark = pytest.mark.asyncio(loop_scope="module")


def with_ids() -> Iterator[tuple[Route, Asked]]:
    """Every route with an id, in the order of the table."""
    by_key = {(route.method, route.path): route for route in ROUTES}
    for key, asked in PATHS.items():
        yield by_key[key], asked


def unknown(thing: str) -> str:
    """What looks like the thing and is none; as long, so that nothing but itself differs."""
    return "9" * len(thing) if thing.isdigit() else thing[:4] + "x" * (len(thing) - 4)


async def knock(caller: Caller, route: Route, asked: Asked, thing: str, life: Life) -> Reply:
    path = route.path.replace("{id}", thing).replace("{skill}", "lamp")
    path = path.replace("{name}", "lamp_colour").replace("{tool}", "lamp_colour")
    if not route.takes_form:
        return await caller.call(route.method, path, asked.body)
    fields = {name: text.format(**life.things) for name, text in asked.body.items()}
    return await caller.call(route.method, path, urlencode(fields).encode(), headers=FORM)


def told(reply: Reply, thing: str) -> tuple[int, dict[str, str], str]:
    """All that an answer tells, but for the name of what was asked for."""
    headers = {k: v.replace(thing, "THING") for k, v in reply.headers.items() if k != "Date"}
    return reply.status, headers, reply.text.replace(thing, "THING")


def is_a_number(hint: Any) -> bool:
    return hint is int or int in getattr(hint, "__args__", ())


async def test_every_route_with_an_id_is_in_the_table() -> None:
    """A new one joins it by saying what its id is of, and so is asked below with every credential."""
    assert {(one.method, one.path) for one in ROUTES if "{" in one.path} == PATHS.keys() | NOBODYS
    numbers = {
        (route.method, route.path, field.name)
        for route in ROUTES
        if route.body is not None
        for field in msgspec.structs.fields(route.body)
        if is_a_number(field.type)
    }
    assert numbers == IN_BODIES


@requirement("privacy.nobody", "tools.private")
async def test_anothers_thing_is_as_one_that_is_not_there(scene: Scene) -> None:
    before = await rows_of(scene.home, scene.a.person.id)
    tried = 0
    for holder in scene.holders:
        for route, asked in with_ids():
            refusal = holder.refused(route)
            if refusal is None and (holder.whose == "A" or route.needs is Needs.CONSOLE):
                continue  # these find it: see below
            life = scene.life(route)
            thing = life.things[asked.kind]
            theirs = await knock(holder.caller, route, asked, thing, life)
            nobodys = await knock(holder.caller, route, asked, unknown(thing), life)
            where = (holder.name, route.method, route.path)
            wanted = asked.told if refusal is None else refusal
            if refusal == 401 and route.page:
                wanted = 303  # to where one signs in
            assert theirs.status == wanted, (where, theirs)
            assert told(theirs, thing) == told(nobodys, unknown(thing)), where
            assert MARK not in theirs.text, where
            tried += 1
    assert tried > len(scene.holders) * len(PATHS) * 0.9
    assert await rows_of(scene.home, scene.a.person.id) == before


@requirement("privacy.nobody")
async def test_nobodys_list_names_anything_of_anothers(scene: Scene) -> None:
    for holder in scene.holders:
        for route in ROUTES:
            if route.method != "GET" or "{" in route.path or route.media == "text/event-stream":
                continue
            if holder.refused(route) is not None or holder.whose == "A":
                continue
            allowed = CONSOLE_TELLS.get(route.path, set())
            for query in await pages_of(scene.a, route):
                reply = await holder.caller.call("GET", route.path + query)
                for life in scene.lives.values():
                    assert life.in_text(reply.text) <= allowed, (holder.name, route.path, query)
    for path, kinds in CONSOLE_TELLS.items():
        shown = (await scene.owner.call("GET", f"{path}?limit=200")).text
        assert scene.lives["console"].in_text(shown) == kinds, path  # it is there to be found


async def pages_of(member: Member, route: Route) -> list[str]:
    """The queries of a list's first page and of the one after the member's own first item."""
    if "cursor" not in route.query or route.needs is Needs.CONSOLE or route.page:
        return [""]
    page = await member.call("GET", f"{route.path}?limit=1&q={MARK}")
    cursor = page.body["next_cursor"]
    return ["", f"?cursor={cursor}"] if cursor else [""]


@requirement("privacy.nobody")
async def test_anothers_words_are_found_by_nobody_else(scene: Scene) -> None:
    assert len((await scene.a.call("GET", f"/v1/me/search?q={MARK}")).body["items"]) >= len(DOORS)
    for holder in scene.holders:
        if holder.whose in ("A", "") or Needs.SESSION not in holder.opens:
            continue
        found = await holder.caller.call("GET", f"/v1/me/search?q={MARK}")
        assert found.body == {"items": [], "next_cursor": None}
        pages = [
            (await holder.caller.call("GET", f"/chats?q={word}")).text.replace(word, "WORD")
            for word in (MARK, "nobodysword")
        ]
        assert pages[0] == pages[1], holder.name


async def test_a_number_in_a_body_is_as_private_as_one_in_a_path(scene: Scene) -> None:
    before = await rows_of(scene.home, scene.a.person.id)
    things = scene.lives["api"].things
    theirs, nobodys = int(things["conversation"]), int(unknown(things["conversation"]))
    for holder in scene.holders:
        if holder.whose in ("A", "") or Needs.ASK not in holder.opens:
            continue
        for path in ("/v1/ask", "/v1/ask/stream"):
            for text in ("hello", "yes", ""):
                replies = [
                    await holder.caller.call("POST", path, {"text": text, "conversation_id": one})
                    for one in (theirs, nobodys)
                ]
                assert replies[0].status == 404, (holder.name, replies[0])
                assert told(replies[0], str(theirs)) == told(replies[1], str(nobodys))
        if Needs.SESSION in holder.opens:
            seen = {"up_to": int(things["event"])}
            assert (await holder.caller.call("POST", "/v1/me/events/read", seen)).status == 204
    assert await rows_of(scene.home, scene.a.person.id) == before


async def test_whoever_it_is_of_or_runs_the_house_finds_each(scene: Scene) -> None:
    """Without this the tests above could ask for what is not there at all. It leaves nothing of A."""
    for route, asked in with_ids():
        caller = scene.owner if route.needs is Needs.CONSOLE else scene.a
        life = scene.life(route)
        thing, where = life.things[asked.kind], (route.method, route.path)
        found = await knock(caller, route, asked, thing, life)
        nobodys = await knock(caller, route, asked, unknown(thing), life)
        assert nobodys.status == asked.told, where
        if asked.told == 404:
            assert found.status != 404, (where, found)
        if asked.ends:
            assert found.status in (204, 303), (where, found)
            again = await knock(caller, route, asked, thing, life)
            assert told(again, thing) == told(nobodys, unknown(thing)), where
        if asked.kind == "pairing" and route.method == "GET":
            assert MARK in found.text

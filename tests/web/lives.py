"""A person with one thing of every kind that an address can name, and numbers that nobody else has."""

from dataclasses import dataclass
import re
from typing import Any
from urllib.parse import urlencode

from ira_home.storage.database import Transaction
from tests.support.callers import Caller, Member
from tests.support.home import PASSWORD, PIN, Home
from tests.support.pictures import JPEG, carried
from tests.web.scripted import LAMP_RED, lamp

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MARK = "quincemark"  # stands in every text of the person's own
_FIRST = 7_100_000  # of the numbers of a life: nothing else has any of seven digits
_COUNTED = (
    "users", "sessions", "api_tokens", "invitations", "devices", "device_pairings", "device_events",
    "conversations", "messages", "pending_actions", "tool_log", "pictures",
)  # fmt: skip


@dataclass(frozen=True)
class Life:
    """What stands in an address for each kind of thing of one person."""

    things: dict[str, str]

    def in_text(self, text: str) -> set[str]:
        """The kinds of things of this life that a text tells of, and `mark` for its words."""
        found = set(re.findall(r"[A-Za-z0-9_-]+", text))
        told = {kind for kind, thing in self.things.items() if thing in found}
        return told | ({"mark"} if MARK in text else set())


async def numbers_apart(home: Home) -> None:
    """From now on every new row has a number that no row had before, and that no other table has."""

    def work(tx: Transaction) -> None:
        for place, table in enumerate(_COUNTED):
            first = _FIRST + place * 1_000
            tx.run("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, first))

    await home.storage.write(work)


async def lived(home: Home, member: Member, owner: Member, *, name: str) -> Life:
    """One thing of each kind, made at the doors: a question waits, a code waits, an event was told."""
    device = await lamp(member, label=f"{MARK} {name}")
    device.answers["lamp_colour"] = LAMP_RED | {"picture": carried(JPEG)}
    shown = (await member.ask(f"lamp_colour {MARK} {name}")).body["conversation_id"]
    answer = (await member.ask(f"door_open {MARK} {name}")).body
    event = {"type": "event", "event": "task_done", "title": f"{MARK} {name}", "text": MARK}
    await device.send(event)
    await device.send({"type": "ping"})
    await device.wait("pong")
    await device.hang_up()
    wish = {"kind": "mac", "label": f"{MARK} {name}", "pin": PIN}
    code = await member.call("POST", "/devices/add", urlencode(wish).encode(), headers=FORM)
    script = {"name": f"{MARK} {name}", "scopes": ["ask"], "pin": PIN}
    token = (await member.call("POST", "/v1/me/tokens", script)).body
    things = {
        "conversation": answer["conversation_id"],
        "picture": await _picture(member, shown),
        "run": answer["run_id"],
        "action": answer["proposals"][0]["id"],
        "device": device.number,
        "event": (await _listed(member, "/v1/me/events"))[0]["id"],
        "pairing": code.headers["Location"].rpartition("/")[2],
        "token": token["id"],
        "session": await _second_session(home, member),
        "secret": await _invitation(owner, name),
        "invitation": (await _listed(owner, "/v1/admin/invitations"))[0]["id"],
        "further": (await owner.call("POST", "/v1/admin/users", _further(name))).body["id"],
        "user": member.person.id,
    }
    return Life({kind: str(one) for kind, one in things.items()})


async def _listed(caller: Caller, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await caller.call("GET", path)).body["items"]
    return found


async def _picture(member: Member, conversation: int) -> int:
    messages = (await member.call("GET", f"/v1/me/conversations/{conversation}")).body["messages"]
    return next(int(one["picture"]["id"]) for one in messages if one["picture"] is not None)


async def _invitation(owner: Member, name: str) -> str:
    guest = {"email": f"{MARK}.{name}@example.com", "role": "staff"}
    made: str = (await owner.call("POST", "/v1/admin/invitations", guest)).body["token"]
    return made


def _further(name: str) -> dict[str, str]:
    """Somebody of no consequence, to be taken away."""
    return {
        "email": f"{name}.further@example.com",
        "name": "Further",
        "role": "staff",
        "password": PASSWORD,
    }


async def _second_session(home: Home, member: Member) -> int:
    await home.services.sessions.sign_in(
        email=member.person.email, password=PASSWORD, address="127.0.0.1", agent=MARK
    )
    newest = max(await _listed(member, "/v1/me/sessions"), key=lambda one: int(one["id"]))
    return int(newest["id"])


async def rows_of(home: Home, person_id: int) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of a person, but for when credentials were last used."""
    tables = await home.storage.database.all(
        "SELECT m.name, group_concat(c.name) AS columns FROM sqlite_schema m"
        " JOIN pragma_table_info(m.name) c WHERE m.type = 'table' GROUP BY m.name"
    )
    found = {}
    for table in tables:
        columns = set(table["columns"].split(","))
        if "user_id" not in columns:
            continue
        shown = ", ".join(sorted(columns - {"used_at", "last_seen"}))
        sql = f'SELECT {shown} FROM "{table["name"]}" WHERE user_id = ?'  # noqa: S608 - of the schema
        rows = await home.storage.database.all(sql, (person_id,))
        found[table["name"]] = sorted((tuple(row) for row in rows), key=repr)
    return found

"""Everybody with every kind of credential, alive and dead, and what each is declared to open."""

from dataclasses import dataclass

from ira_home.domain.people import Role
from ira_home.web.routes import Needs, Route
from tests.support.callers import Caller, Member
from tests.support.home import PASSWORD, PIN, Home

_GUEST = frozenset({Needs.GUEST})
_SIGNED_IN = _GUEST | {Needs.SESSION, Needs.DEVICES, Needs.ASK, Needs.ACTIONS}
_CONSOLE = _SIGNED_IN | {Needs.CONSOLE}
_ASK, _ACTIONS, _NOTHING = frozenset({Needs.ASK}), frozenset({Needs.ACTIONS}), frozenset[Needs]()
_DEVICE = _ASK | _ACTIONS | {Needs.DEVICE_SOCKET}


@dataclass(frozen=True)
class Holder:
    """Somebody with a credential: whose it is, what it opens, and how all else is refused."""

    name: str
    caller: Caller
    whose: str
    opens: frozenset[Needs]
    refusal: int = 403

    def refused(self, route: Route) -> int | None:
        """The status with which the route refuses this credential, None where it does not."""
        return None if route.needs in self.opens or route.needs is Needs.OPEN else self.refusal


async def everybody(home: Home, a: Member, b: Member, owner: Member, old: str) -> list[Holder]:
    """One holder of each kind; `old` is the cookie of a session that has run out."""
    members = {"A": a, "B": b, "owner": owner}
    admin = await home.person(Role.ADMIN)
    found = [
        Holder("owner", owner, "owner", _CONSOLE),
        Holder("admin", admin, "admin", _CONSOLE),
        Holder("A", a, "A", _SIGNED_IN),
        Holder("B", b, "B", _SIGNED_IN),
        Holder("nobody", home.caller(), "", _GUEST, 401),
        Holder("a session that ran out", home.caller(cookie=old), "", _GUEST, 401),
    ]
    for whose, member in members.items():
        found.append(Holder(f"{whose}'s device", (await member.pair()).caller, whose, _DEVICE))
        for scope, opens in {"ask": _ASK, "actions": _ACTIONS, "voice": _NOTHING}.items():
            token, _number = await new_token(member, scope)
            name = f"{whose}'s token for {scope}"
            found.append(Holder(name, home.caller(bearer=token), whose, opens))
    return found + await _dead(home, a, owner)


async def _dead(home: Home, a: Member, owner: Member) -> list[Holder]:
    token, number = await new_token(a, "ask", "actions")
    assert (await a.call("DELETE", f"/v1/me/tokens/{number}")).status == 204
    ended = await signed_in(home, a)
    assert (await ended.call("DELETE", "/v1/session")).status == 204
    gone, removed = await a.pair(), await home.person()
    await a.call("DELETE", f"/v1/me/devices/{gone.number}")
    theirs = await removed.pair()
    await owner.call("DELETE", f"/v1/admin/users/{removed.person.id}")
    return [
        Holder("an ended session", ended, "", _GUEST, 401),
        Holder("an ended token", home.caller(bearer=token), "", _NOTHING, 401),
        Holder("a revoked device", gone.caller, "", _NOTHING, 401),
        Holder("a removed person", home.caller(cookie=removed.cookie), "", _GUEST, 401),
        Holder("their device", theirs.caller, "", _NOTHING, 401),
        Holder("a made-up token", home.caller(bearer="irad_" + "A" * 43), "", _NOTHING, 401),
        Holder("a session as a token", home.caller(bearer=a.cookie), "", _NOTHING, 401),
    ]


async def new_token(member: Member, *scopes: str) -> tuple[str, int]:
    """An API token of the member with its number."""
    wish = {"name": "script", "scopes": list(scopes), "pin": PIN}
    made = (await member.call("POST", "/v1/me/tokens", wish)).body
    return made["token"], made["id"]


async def signed_in(home: Home, member: Member) -> Caller:
    """The member in another browser."""
    cookie, _principal = await home.services.sessions.sign_in(
        email=member.person.email, password=PASSWORD, address="127.0.0.1", agent="another"
    )
    return home.caller(cookie=cookie)

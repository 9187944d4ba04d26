"""Each person's own settings, changed by that person."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import time
import re
from typing import Any, Final, TypedDict, Unpack
import zoneinfo

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.base.errors import Invalid, PinRequired, Unauthenticated
from ira_home.base.ids import PersonId
from ira_home.domain.audit import Change
from ira_home.domain.devices import EventKind
from ira_home.domain.events import USUAL_WAYS, QuietHours, Way, Ways
from ira_home.domain.labels import good_label
from ira_home.domain.people import Principal
from ira_home.domain.settings import (
    LANGUAGES,
    PAGE_LANGUAGES,
    REPLY_LANGUAGES,
    TEXT_SIZES,
    THEMES,
    PersonSettings,
)
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

_TIME: Final = re.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class Wish(TypedDict, total=False):
    """What somebody wants changed; None leaves a setting as it is.

    Quiet hours are HH:MM and HH:MM, given together; both empty: none. `events` names the ways of the
    kinds that change. An empty time zone is the house's, an empty page language the browser's.
    """

    assistant_name: str | None
    wake_phrase: str | None
    languages: Sequence[str] | None
    reply_language: str | None
    web_search: bool | None
    time_zone: str | None
    page_language: str | None
    theme: str | None
    text_size: str | None
    quiet_from: str | None
    quiet_until: str | None
    events: Mapping[str, Sequence[str]] | None


class PersonSettingsBook:
    """Reads and changes settings; switching web search on is a new grant and needs the PIN."""

    def __init__(self, storage: Storage, accounts: Accounts, changes: Changes) -> None:
        """`accounts` checks the PIN."""
        self._storage = storage
        self._accounts = accounts
        self._changes = changes

    async def get(self, person_id: PersonId) -> PersonSettings:
        """What the person chose, or the defaults of a new account."""
        return await self._storage.settings.get(person_id)

    async def change(
        self, principal: Principal, *, pin: str | None = None, **wish: Unpack[Wish]
    ) -> PersonSettings:
        """Change what is given; raises Invalid, and the errors of check_pin for web search on."""
        asked = {name: value for name, value in wish.items() if value is not None}
        quiet: dict[str, Any] = {name: asked.pop(name) for name in _QUIET if name in asked}
        wanted = {name: _CHECKS[name](value) for name, value in asked.items()}
        if quiet:
            wanted["quiet"] = _quiet(**quiet)
        with_pin = await self._pin_for(
            principal, web_search=bool(wanted.get("web_search")), pin=pin
        )
        return await self._storage.write(
            lambda tx: self._change(tx, principal, wanted, with_pin=with_pin)
        )

    async def _pin_for(self, principal: Principal, *, web_search: bool, pin: str | None) -> bool:
        """Check the PIN where the change needs it; whether it was checked."""
        before = await self.get(principal.person.id)
        if not web_search or before.web_search:
            return False
        await self._accounts.check_pin(principal.person.id, pin)
        return True

    def _change(
        self, tx: Transaction, principal: Principal, wanted: dict[str, Any], *, with_pin: bool
    ) -> PersonSettings:
        person_id = principal.person.id
        if self._storage.people.get_in(tx, person_id) is None:
            raise Unauthenticated
        before = self._storage.settings.get_in(tx, person_id)
        after = replace(before, **(wanted | _told(before, wanted)))
        if after.web_search and not before.web_search and not with_pin:
            raise PinRequired
        if after != before:
            self._storage.settings.put(tx, person_id, after)
            changed = [field for field in wanted if getattr(before, field) != getattr(after, field)]
            self._changes.add(
                tx, principal, Change.SETTINGS_CHANGED, principal.person.email, ", ".join(changed)
            )
        return after


def _told(before: PersonSettings, wanted: Mapping[str, Any]) -> dict[str, Ways]:
    """The ways of all kinds that are not told as usual, where some of them change."""
    if "events" not in wanted:
        return {}
    after: Ways = {**before.events, **wanted["events"]}
    return {"events": {kind: ways for kind, ways in after.items() if ways != USUAL_WAYS}}


def _languages(values: Sequence[str]) -> tuple[str, ...]:
    if not values or not set(values) <= set(LANGUAGES):
        message = f"Choose one or more of {', '.join(LANGUAGES)}."
        raise Invalid(message, field="languages")
    return tuple(language for language in LANGUAGES if language in values)


def _one_of(field: str, *allowed: str) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in allowed:
            message = f"Choose one of {', '.join(filter(None, allowed))}."
            raise Invalid(message, field=field)
        return value

    return check


def _time_zone(value: str) -> str:
    if value and value not in zoneinfo.available_timezones():
        message = "There is no such time zone. Write it like Asia/Kolkata."
        raise Invalid(message, field="time_zone")
    return value


def _quiet(quiet_from: str = "", quiet_until: str = "") -> QuietHours | None:
    if not quiet_from and not quiet_until:
        return None
    found = QuietHours(_time(quiet_from, "quiet_from"), _time(quiet_until, "quiet_until"))
    if found.start == found.end:
        message = "Quiet hours end at another time than they begin."
        raise Invalid(message, field="quiet_until")
    return found


def _time(text: str, field: str) -> time:
    if not _TIME.fullmatch(text):
        message = "Write a time of the day like 22:00."
        raise Invalid(message, field=field)
    return time.fromisoformat(text)


def _ways(asked: Mapping[str, Sequence[str]]) -> Ways:
    try:
        return {
            EventKind(kind): frozenset(Way(one) for one in ways) for kind, ways in asked.items()
        }
    except ValueError:
        message = (
            f"Events are {', '.join(EventKind)}; the ways of each are any of {', '.join(Way)}."
        )
        raise Invalid(message, field="events") from None


_QUIET: Final = ("quiet_from", "quiet_until")
_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "assistant_name": lambda value: good_label(value, field="assistant_name"),
    "wake_phrase": lambda value: good_label(value, field="wake_phrase"),
    "languages": _languages,
    "reply_language": _one_of("reply_language", *REPLY_LANGUAGES),
    "web_search": bool,
    "time_zone": _time_zone,
    "page_language": _one_of("page_language", "", *PAGE_LANGUAGES),
    "theme": _one_of("theme", *THEMES),
    "text_size": _one_of("text_size", *TEXT_SIZES),
    "events": _ways,
}

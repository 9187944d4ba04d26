"""Each person's own settings, changed by that person."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.base.errors import Invalid, PinRequired, Unauthenticated
from ira_home.base.ids import PersonId
from ira_home.domain.audit import Change
from ira_home.domain.labels import good_label
from ira_home.domain.people import Principal
from ira_home.domain.settings import LANGUAGES, REPLY_LANGUAGES, PersonSettings
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage


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
        self,
        principal: Principal,
        *,
        assistant_name: str | None = None,
        wake_phrase: str | None = None,
        languages: Sequence[str] | None = None,
        reply_language: str | None = None,
        web_search: bool | None = None,
        pin: str | None = None,
    ) -> PersonSettings:
        """Change what is given; raises Invalid, and the errors of check_pin for web search on."""
        wanted: dict[str, Any] = {}
        if assistant_name is not None:
            wanted["assistant_name"] = good_label(assistant_name, field="assistant_name")
        if wake_phrase is not None:
            wanted["wake_phrase"] = good_label(wake_phrase, field="wake_phrase")
        if languages is not None:
            wanted["languages"] = _languages(languages)
        if reply_language is not None:
            wanted["reply_language"] = _reply_language(reply_language)
        if web_search is not None:
            wanted["web_search"] = web_search
        with_pin = await self._pin_for(principal, web_search=bool(web_search), pin=pin)
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
        after = replace(before, **wanted)
        if after.web_search and not before.web_search and not with_pin:
            raise PinRequired
        if after != before:
            self._storage.settings.put(tx, person_id, after)
            changed = [field for field in wanted if getattr(before, field) != wanted[field]]
            self._changes.add(
                tx, principal, Change.SETTINGS_CHANGED, principal.person.email, ", ".join(changed)
            )
        return after


def _languages(values: Sequence[str]) -> tuple[str, ...]:
    if not values or not set(values) <= set(LANGUAGES):
        message = f"Choose one or more of {', '.join(LANGUAGES)}."
        raise Invalid(message, field="languages")
    return tuple(language for language in LANGUAGES if language in values)


def _reply_language(value: str) -> str:
    if value not in REPLY_LANGUAGES:
        message = f"Choose one of {', '.join(REPLY_LANGUAGES)}."
        raise Invalid(message, field="reply_language")
    return value

"""Export my data: one JSON object of all that is a person's, without any secret."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.base.clock import Clock, from_ms, rfc3339
from ira_home.base.errors import NotFound
from ira_home.base.ids import PersonId
from ira_home.base.jsontext import parse
from ira_home.domain.audit import Change
from ira_home.domain.people import Person
from ira_home.domain.settings import settings_json
from ira_home.storage.database import Transaction
from ira_home.storage.mine import Rows
from ira_home.storage.storage import Storage

FORMAT: Final = 1
_TIMES: Final = frozenset({"created_at", "updated_at", "last_seen", "revoked_at", "read_at"})
_FLAGS: Final = frozenset({"private", "complete"})
_JSON: Final = frozenset({"skills", "tools"})


class Export:
    """Collects a person's own data; that it was done stands in the change log."""

    def __init__(
        self, storage: Storage, accounts: Accounts, *, clock: Clock, changes: Changes
    ) -> None:
        """Read from `storage`."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._changes = changes

    async def export(self, person_id: PersonId) -> dict[str, Any]:
        """Account, conversations, pictures, devices, events, settings and tool log; raises NotFound."""
        person = await self._accounts.get(person_id)
        await self._storage.write(lambda tx: self._note(tx, person_id))
        rows = await self._storage.mine.everything(person_id)
        settings = await self._storage.settings.get(person_id)
        return {
            "format": FORMAT,
            "exported_at": rfc3339(self._clock.now()),
            "account": _account(person),
            "conversations": _conversations(rows["conversations"], rows["messages"]),
            "pictures": [_item(row) for row in rows["pictures"]],
            "devices": [_item(row) for row in rows["devices"]],
            "events": [_item(row) for row in rows["events"]],
            "settings": settings_json(settings),
            "tool_log": [_item(row) for row in rows["tool_log"]],
        }

    def _note(self, tx: Transaction, person_id: PersonId) -> None:
        person = self._storage.people.get_in(tx, person_id)
        if person is None:
            raise NotFound
        self._changes.add(tx, person, Change.DATA_EXPORTED, person.email)


def _account(person: Person) -> dict[str, Any]:
    return {
        "email": person.email,
        "name": person.name,
        "role": person.role.value,
        "created_at": rfc3339(person.created_at),
    }


def _conversations(heads: Rows, messages: Rows) -> list[dict[str, Any]]:
    entries: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in messages:
        entries[row.pop("conversation_id")].append(_item(row))
    return [_item(head) | {"entries": entries[head["id"]]} for head in heads]


def _item(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(name, value) for name, value in row.items()}


def _value(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _TIMES:
        return rfc3339(from_ms(value))
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if name in _JSON:
        return parse(value)
    return bool(value) if name in _FLAGS else value

"""Conversations and their entries (tables `conversations` and `messages`)."""

from collections.abc import Sequence
from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import CallId, ConversationId, DeviceId, MessageId, PersonId, TurnId
from ira_home.base.limits import CUT_OFF_ENTRIES
from ira_home.domain.conversations import Conversation, Entry, EntryKind, OwnedConversation
from ira_home.domain.pages import Page, page_of, read_cursor
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Database, Row, Transaction

_LAST = 2**62  # an id or time after every other
# Words stand before and after them, which say when the conversation changed.
_WITHIN_A_TURN = frozenset({EntryKind.CALL, EntryKind.RESULT})
# A result stands after its call in the same conversation, nearly always right behind it.
_UNANSWERED = (
    "SELECT c.* FROM messages c WHERE c.id > (SELECT max(id) FROM messages) - ?"
    " AND c.kind = 'call' AND NOT EXISTS (SELECT 1 FROM messages r"
    " WHERE r.conversation_id = c.conversation_id AND r.id > c.id AND r.kind = 'result'"
    " AND r.call_id = c.call_id) AND NOT EXISTS (SELECT 1 FROM pending_actions p"
    " WHERE p.conversation_id = c.conversation_id AND p.call_id = c.call_id"
    " AND p.state IN ('waiting', 'running')) ORDER BY c.id"
)


class ConversationStore:
    """Rows of conversations; every read names the person whose rows it may see, or says `all`."""

    def __init__(self, database: Database) -> None:
        """Use this database."""
        self._database = database

    def start(
        self, tx: Transaction, person_id: PersonId, *, title: str, at: datetime
    ) -> ConversationId:
        """A new conversation without entries."""
        sql = (
            "INSERT INTO conversations (user_id, title, created_at, updated_at) VALUES (?, ?, ?, ?)"
        )
        return ConversationId(tx.insert(sql, (person_id, title, to_ms(at), to_ms(at))))

    def add(self, tx: Transaction, person_id: PersonId, entry: Entry) -> MessageId:
        """Append the entry, whose own id is not looked at; gives its id."""
        # Plain values: an enum's member costs the driver a search for what to make of it.
        values = (
            entry.conversation_id, person_id, entry.turn_id, entry.kind.value, entry.text,
            entry.label.value, entry.source, entry.private, entry.tool, entry.call_id,
            entry.device_id, None if entry.outcome is None else entry.outcome.value, entry.complete,
            to_ms(entry.at),
        )  # fmt: skip
        made = tx.insert(
            "INSERT INTO messages (conversation_id, user_id, turn_id, kind, text, label, source,"
            " private, tool, call_id, device_id, outcome, complete, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        if entry.kind not in _WITHIN_A_TURN:
            tx.run(
                "UPDATE conversations SET updated_at = ? WHERE id = ?",
                (to_ms(entry.at), entry.conversation_id),
            )
        return MessageId(made)

    def is_private_call(
        self, tx: Transaction, conversation_id: ConversationId, call_id: CallId
    ) -> bool:
        """Whether nobody but its person may read the call of this id; one that is not there is."""
        sql = (
            "SELECT private FROM messages WHERE conversation_id = ? AND call_id = ?"
            " AND kind = 'call' ORDER BY id DESC LIMIT 1"
        )
        row = tx.one(sql, (conversation_id, call_id))
        return row is None or bool(row["private"])

    def unanswered(self, tx: Transaction) -> list[tuple[PersonId, Entry]]:
        """Calls among the newest entries that have no result and wait for nobody, with whose they are."""
        rows = tx.all(_UNANSWERED, (CUT_OFF_ENTRIES,))
        return [(PersonId(row["user_id"]), entry_of(row)) for row in rows]

    def delete(self, tx: Transaction, person_id: PersonId, conversation_id: ConversationId) -> bool:
        """Take a conversation away with all that hangs on it; whether it was this person's."""
        # Entries first and by name: the search index is kept by a trigger on their deletion.
        owned = (conversation_id, person_id)
        tx.run("DELETE FROM messages WHERE conversation_id = ? AND user_id = ?", owned)
        return tx.run("DELETE FROM conversations WHERE id = ? AND user_id = ?", owned) == 1

    async def get(
        self, person_id: PersonId, conversation_id: ConversationId
    ) -> Conversation | None:
        """The person's conversation."""
        sql = "SELECT * FROM conversations WHERE id = ? AND user_id = ?"
        row = await self._database.one(sql, (conversation_id, person_id))
        return None if row is None else _conversation(row)

    async def list_all(self, cursor: str | None, limit: int) -> Page[OwnedConversation]:
        """Everybody's conversations, the one that changed last first."""
        rows = await self._database.all(
            "SELECT c.*, u.email FROM conversations c JOIN users u ON u.id = c.user_id"
            " WHERE (c.updated_at, c.id) < (?, ?) ORDER BY c.updated_at DESC, c.id DESC LIMIT ?",
            (*_before(cursor), limit + 1),
        )
        found = [OwnedConversation(_conversation(row), row["email"]) for row in rows]
        return page_of(found, limit, lambda one: _cursor(one.conversation))

    async def get_any(self, conversation_id: ConversationId) -> OwnedConversation | None:
        """Anybody's conversation, for an admin's view with placeholders."""
        row = await self._database.one(
            "SELECT c.*, u.email FROM conversations c JOIN users u ON u.id = c.user_id"
            " WHERE c.id = ?",
            (conversation_id,),
        )
        return None if row is None else OwnedConversation(_conversation(row), row["email"])

    async def entries(self, conversation_id: ConversationId) -> list[Entry]:
        """All entries of a conversation, oldest first."""
        sql = "SELECT * FROM messages WHERE conversation_id = ? ORDER BY id"
        return [entry_of(row) for row in await self._database.all(sql, (conversation_id,))]

    async def recent(self, conversation_id: ConversationId, limit: int) -> list[Entry]:
        """The newest entries of a conversation, oldest first."""
        sql = "SELECT * FROM messages WHERE conversation_id = ? ORDER BY id DESC LIMIT ?"
        rows = await self._database.all(sql, (conversation_id, limit))
        return [entry_of(row) for row in reversed(rows)]

    async def before(
        self, conversation_id: ConversationId, before: MessageId | None, limit: int
    ) -> list[Entry]:
        """The newest entries before that one, or of all, oldest first."""
        sql = "SELECT * FROM messages WHERE conversation_id = ? AND id < ? ORDER BY id DESC LIMIT ?"
        end = _LAST if before is None else before
        rows = await self._database.all(sql, (conversation_id, end, limit))
        return [entry_of(row) for row in reversed(rows)]

    async def after(
        self, conversation_id: ConversationId, message_id: MessageId, limit: int
    ) -> MessageId | None:
        """The id of the last of that many entries after that one; None when there are not so many."""
        sql = "SELECT id FROM messages WHERE conversation_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?"
        row = await self._database.one(sql, (conversation_id, message_id, limit))
        return None if row is None else MessageId(row["id"])

    async def of_turn(self, turn_id: TurnId) -> list[Entry]:
        """All entries of a turn, oldest first."""
        # Through its conversation, which has an index.
        sql = (
            "SELECT m.* FROM turns t JOIN messages m ON m.conversation_id = t.conversation_id"
            " AND m.turn_id = t.id WHERE t.id = ? ORDER BY m.id"
        )
        return [entry_of(row) for row in await self._database.all(sql, (turn_id,))]

    async def search(
        self, person_id: PersonId, words: Sequence[str], *, cursor: str | None, limit: int
    ) -> Page[Entry]:
        """The person's own messages and Ira's answers that hold every word, newest first."""
        before = (read_cursor(cursor) or (_LAST,))[0]
        rows = await self._database.all(
            "SELECT m.* FROM messages_fts f JOIN messages m ON m.id = f.rowid"
            " WHERE messages_fts MATCH ? AND m.user_id = ? AND m.kind IN ('person', 'ira')"
            " AND m.id < ? ORDER BY m.id DESC LIMIT ?",
            (_match(words), person_id, before, limit + 1),
        )
        return page_of([entry_of(row) for row in rows], limit, lambda entry: str(entry.id))

    async def list(self, person_id: PersonId, cursor: str | None, limit: int) -> Page[Conversation]:
        """The person's conversations, the one that changed last first."""
        rows = await self._database.all(
            "SELECT * FROM conversations WHERE user_id = ? AND (updated_at, id) < (?, ?)"
            " ORDER BY updated_at DESC, id DESC LIMIT ?",
            (person_id, *_before(cursor), limit + 1),
        )
        return page_of([_conversation(row) for row in rows], limit, _cursor)


def _match(words: Sequence[str]) -> str:
    """An FTS expression of quoted words, so that nothing in them is an operator."""
    quoted = ['"' + word.replace('"', '""') + '"' for word in words]
    return " ".join(quoted) + "*"


def _before(cursor: str | None) -> tuple[int, ...]:
    return read_cursor(cursor, parts=2) or (_LAST, _LAST)


def _cursor(one: Conversation) -> str:
    return f"{to_ms(one.updated_at)}.{one.id}"


def _conversation(row: Row) -> Conversation:
    return Conversation(
        id=ConversationId(row["id"]),
        person_id=PersonId(row["user_id"]),
        title=row["title"],
        title_private=bool(row["title_private"]),
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
    )


def entry_of(row: Row) -> Entry:
    """An entry as its row of `messages` holds it."""
    return Entry(
        id=MessageId(row["id"]),
        conversation_id=ConversationId(row["conversation_id"]),
        turn_id=TurnId(row["turn_id"]),
        kind=EntryKind(row["kind"]),
        text=row["text"],
        label=TrustLabel(row["label"]),
        source=row["source"],
        private=bool(row["private"]),
        at=from_ms(row["created_at"]),
        tool=row["tool"],
        call_id=None if row["call_id"] is None else CallId(row["call_id"]),
        device_id=None if row["device_id"] is None else DeviceId(row["device_id"]),
        outcome=None if row["outcome"] is None else Outcome(row["outcome"]),
        complete=bool(row["complete"]),
    )

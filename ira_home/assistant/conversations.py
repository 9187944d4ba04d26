"""Conversations as their person reads them, and as an admin does: without what is private."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from ira_home.base.errors import NotFound
from ira_home.base.ids import ConversationId, MessageId, PersonId, PictureId
from ira_home.base.limits import CHAT_ENTRIES, PAGE_ITEMS
from ira_home.base.pubsub import Bus
from ira_home.base.text import clean
from ira_home.domain.conversations import (
    PRIVATE_PLACEHOLDER,
    Conversation,
    Entry,
    EntryKind,
    OwnedConversation,
)
from ira_home.domain.facts import ConversationChanged
from ira_home.domain.pages import Page
from ira_home.domain.pictures import Picture, PictureHead
from ira_home.storage.storage import Storage

_SEARCH_WORDS = 12


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole conversation, as whoever asked for it may see it."""

    owned: OwnedConversation
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a conversation, oldest first, that begins with words of its person.

    `older` is the entry before which the rest stands, None at the beginning; `is_newest` whether
    nothing comes after.
    """

    entries: tuple[Entry, ...]
    older: MessageId | None
    is_newest: bool


class Conversations:
    """Reading, searching and deleting."""

    def __init__(
        self, storage: Storage, bus: Bus, *, stop: Callable[[ConversationId], Awaitable[None]]
    ) -> None:
        """`stop` ends what is being worked on in a conversation."""
        self._storage = storage
        self._bus = bus
        self._stop = stop

    async def get(self, person_id: PersonId, conversation_id: ConversationId) -> Conversation:
        """One of the person's own; NotFound for anybody else's."""
        found = await self._storage.conversations.get(person_id, conversation_id)
        if found is None:
            raise NotFound
        return found

    async def entries(
        self, person_id: PersonId, conversation_id: ConversationId
    ) -> tuple[Entry, ...]:
        """All entries of one of the person's own conversations, oldest first; else NotFound."""
        await self.get(person_id, conversation_id)
        return tuple(await self._storage.conversations.entries(conversation_id))

    async def window(
        self,
        person_id: PersonId,
        conversation_id: ConversationId,
        *,
        before: MessageId | None = None,
        around: MessageId | None = None,
    ) -> Window:
        """The newest entries of one of the person's own, or those before one, or around one; else NotFound."""
        await self.get(person_id, conversation_id)
        store = self._storage.conversations
        if around is not None:
            before = await store.after(conversation_id, around, CHAT_ENTRIES // 2)
        limit = CHAT_ENTRIES
        while True:
            found = await store.before(conversation_id, before, limit + 1)
            is_all = len(found) <= limit
            start = 0 if is_all else _first_said(found[1:]) + 1
            if start < len(found) or is_all:
                break
            limit *= 4  # one turn with more entries than a page
        older = None if is_all else found[start].id
        return Window(tuple(found[start:]), older, is_newest=before is None)

    async def pictures(
        self, person_id: PersonId, entries: Sequence[Entry]
    ) -> dict[MessageId, PictureHead]:
        """The person's pictures that came with these entries, by entry."""
        if not any(entry.kind is EntryKind.RESULT for entry in entries):
            return {}
        found = await self._storage.pictures.between(person_id, entries[0].id, entries[-1].id)
        return {one.message_id: one for one in found}

    async def picture(self, person_id: PersonId, picture_id: PictureId) -> Picture:
        """One of the person's own pictures, whole; NotFound for anybody else's."""
        found = await self._storage.pictures.get(person_id, picture_id)
        if found is None:
            raise NotFound
        return found

    async def delete(self, person_id: PersonId, conversation_id: ConversationId) -> None:
        """Delete one of the person's own conversations, and end what is worked on in it."""
        await self.get(person_id, conversation_id)
        await self._stop(conversation_id)
        gone = await self._storage.write(
            lambda tx: self._storage.conversations.delete(tx, person_id, conversation_id)
        )
        if not gone:
            raise NotFound
        self._bus.publish(ConversationChanged(person_id, conversation_id))

    async def search(
        self, person_id: PersonId, q: str, cursor: str | None = None, limit: int = PAGE_ITEMS
    ) -> Page[Entry]:
        """The person's own messages, and Ira's answers to them, that hold all the words."""
        words = [word for word in clean(q).split() if any(c.isalnum() for c in word)]
        if not words:
            return Page((), None)
        return await self._storage.conversations.search(
            person_id, words[:_SEARCH_WORDS], cursor=cursor, limit=limit
        )

    async def list_all(
        self, cursor: str | None = None, limit: int = PAGE_ITEMS
    ) -> Page[OwnedConversation]:
        """Everybody's, for an admin, with a placeholder for a private title."""
        page = await self._storage.conversations.list_all(cursor, limit)
        return Page(tuple(_hidden_title(one) for one in page.items), page.next_cursor)

    async def transcript(self, conversation_id: ConversationId) -> Transcript:
        """Anybody's, for an admin: what came from a device, or saw it, is one placeholder."""
        owned = await self._storage.conversations.get_any(conversation_id)
        if owned is None:
            raise NotFound
        entries = await self._storage.conversations.entries(conversation_id)
        return Transcript(_hidden_title(owned), tuple(_hidden(entry) for entry in entries))

    async def list(
        self, person_id: PersonId, cursor: str | None = None, limit: int = PAGE_ITEMS
    ) -> Page[Conversation]:
        """The person's own, the one that changed last first."""
        return await self._storage.conversations.list(person_id, cursor, limit)


def _first_said(entries: Sequence[Entry]) -> int:
    """The place of the first words of the person, behind all when there are none."""
    said = (i for i, entry in enumerate(entries) if entry.kind is EntryKind.PERSON)
    return next(said, len(entries))


def _hidden(entry: Entry) -> Entry:
    if not entry.private:
        return entry
    return replace(entry, text=PRIVATE_PLACEHOLDER, source="", call_id=None)


def _hidden_title(owned: OwnedConversation) -> OwnedConversation:
    if not owned.conversation.title_private:
        return owned
    hidden = replace(owned.conversation, title=PRIVATE_PLACEHOLDER)
    return replace(owned, conversation=hidden)

"""Writes what is said in turns into their conversations; calls are written down by the gate."""

from dataclasses import dataclass, replace

from ira_home.base.clock import Clock
from ira_home.base.ids import ConversationId, MessageId, PersonId, TurnId
from ira_home.base.limits import TITLE_CHARS
from ira_home.base.pubsub import Bus
from ira_home.base.text import cut, one_line
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.facts import ConversationChanged
from ira_home.domain.taint import Taint
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turns import Turn, TurnState
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

TRUSTED = Taint(TrustLabel.HOUSE, "", is_private=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry goes."""

    person_id: PersonId
    conversation_id: ConversationId
    turn_id: TurnId


class Scribe:
    """One writer for all that is said in turns."""

    def __init__(self, storage: Storage, clock: Clock, bus: Bus) -> None:
        """Write to this storage, and publish what changed."""
        self._storage = storage
        self._clock = clock
        self._bus = bus

    async def begin(self, turn: Turn, text: str, *, is_new: bool) -> Entry:
        """Keep a turn with the person's words; a new conversation is made for it, with a title."""

        def work(tx: Transaction) -> Entry:
            made = turn
            if is_new:
                title = cut(one_line(text), TITLE_CHARS)
                conversation_id = self._storage.conversations.start(
                    tx, turn.person_id, title=title, at=self._clock.now()
                )
                made = replace(turn, conversation_id=conversation_id)
            self._storage.turns.start(tx, made)
            return self._add(tx, self._entry(place_of(made), EntryKind.PERSON, text), made)

        entry = await self._storage.write(work)
        self.changed(turn.person_id, entry.conversation_id)
        return entry

    async def person(self, place: Place, text: str) -> Entry:
        """Keep words of the person that begin no turn of their own."""
        return await self._keep(place, self._entry(place, EntryKind.PERSON, text))

    async def note(self, place: Place, text: str) -> Entry:
        """Keep words of the server itself."""
        return await self._keep(place, self._entry(place, EntryKind.NOTE, text))

    async def said(self, turn: Turn, text: str, taint: Taint) -> None:
        """Keep what the brain said before its calls."""
        entry = self._ira(turn, text, taint)
        await self._storage.write(lambda tx: self._add(tx, entry, turn), durable=False)

    async def ended(
        self,
        turn: Turn,
        state: TurnState | None,
        *,
        seconds: float,
        text: str = "",
        taint: Taint = TRUSTED,
        note: str = "",
    ) -> None:
        """Keep the last words of a turn and how it ended; without a state it waits for its person.

        `text` is the brain's, cut off where the turn was or the server adds a `note`.
        """
        complete = state is not TurnState.CANCELLED and not note

        def work(tx: Transaction) -> None:
            if text:
                self._add(tx, replace(self._ira(turn, text, taint), complete=complete), turn)
            if note:
                self._add(tx, self._entry(place_of(turn), EntryKind.NOTE, note), turn)
            self._storage.turns.spend(tx, turn.id, seconds=seconds)
            if state is not None:
                self._storage.turns.end(tx, turn.id, state)

        await self._storage.write(work)
        self.changed(turn.person_id, turn.conversation_id)

    async def broken(self, turn: Turn, note: str) -> None:
        """At start: a stop of the server cut the turn off, which its conversation says."""

        def work(tx: Transaction) -> None:
            self._add(tx, self._entry(place_of(turn), EntryKind.NOTE, note), turn)
            self._storage.turns.end(tx, turn.id, TurnState.BROKEN)

        await self._storage.write(work)

    def changed(self, person_id: PersonId, conversation_id: ConversationId) -> None:
        """Publish that there is something new."""
        self._bus.publish(ConversationChanged(person_id, conversation_id))

    async def _keep(self, place: Place, entry: Entry) -> Entry:
        number = await self._storage.write(
            lambda tx: self._storage.conversations.add(tx, place.person_id, entry)
        )
        self.changed(place.person_id, place.conversation_id)
        return replace(entry, id=number)

    def _add(self, tx: Transaction, entry: Entry, turn: Turn) -> Entry:
        return replace(entry, id=self._storage.conversations.add(tx, turn.person_id, entry))

    def _ira(self, turn: Turn, text: str, taint: Taint) -> Entry:
        entry = self._entry(place_of(turn), EntryKind.IRA, text)
        return replace(entry, label=taint.label, source=taint.source, private=taint.is_private)

    def _entry(self, place: Place, kind: EntryKind, text: str) -> Entry:
        return Entry(
            id=MessageId(0),
            conversation_id=place.conversation_id,
            turn_id=place.turn_id,
            kind=kind,
            text=text,
            label=TrustLabel.OWN if kind is EntryKind.PERSON else TrustLabel.HOUSE,
            source="",
            private=False,
            at=self._clock.now(),
        )


def place_of(turn: Turn) -> Place:
    """The place of a turn's entries."""
    return Place(turn.person_id, turn.conversation_id, turn.id)

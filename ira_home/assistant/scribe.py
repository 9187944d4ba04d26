"""Writes what is said in turns into their conversations; calls are written down by the gate."""

from dataclasses import dataclass, replace

from ira_home.access.idempotency import Keep
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

    async def begin(
        self, turn: Turn, text: str, *, is_new: bool, keep: Keep | None = None
    ) -> Entry:
        """Keep a turn with the person's words; a new conversation is made for it, with a title.

        Whoever begins to work on it publishes that.
        """

        def work(tx: Transaction) -> Entry:
            made = turn
            if is_new:
                title = cut(one_line(text), TITLE_CHARS)
                conversation_id = self._storage.conversations.start(
                    tx, turn.person_id, title=title, at=self._clock.now()
                )
                made = replace(turn, conversation_id=conversation_id)
            self._storage.turns.start(tx, made)
            entry = self._entry(place_of(made), EntryKind.PERSON, text)
            return self._add(tx, entry, made, keep=keep)

        return await self._storage.write(work)

    async def person(self, place: Place, text: str, *, keep: Keep | None = None) -> Entry:
        """Keep words of the person that begin no turn of their own."""
        return await self._keep(place, self._entry(place, EntryKind.PERSON, text), keep=keep)

    async def note(self, place: Place, text: str) -> Entry:
        """Keep words of the server itself."""
        return await self._keep(place, self._entry(place, EntryKind.NOTE, text))

    async def draft(self, turn: Turn, text: str, taint: Taint) -> None:
        """Keep what the brain has said so far of what `said` or `ended` will keep."""
        await self._storage.write(
            lambda tx: self._storage.drafts.keep(tx, turn.id, text, taint), durable=False
        )

    async def said(self, turn: Turn, text: str, taint: Taint) -> None:
        """Keep what the brain said before its calls."""
        entry = self._ira(turn, text, taint)

        def work(tx: Transaction) -> None:
            self._storage.drafts.take(tx, turn.id)
            self._add(tx, entry, turn)

        await self._storage.write(work, durable=False)

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
            self._storage.drafts.take(tx, turn.id)
            if text:
                self._add(tx, replace(self._ira(turn, text, taint), complete=complete), turn)
            if note:
                cut_short = replace(
                    self._entry(place_of(turn), EntryKind.NOTE, note), complete=False
                )
                self._add(tx, cut_short, turn)
            self._storage.turns.spend(tx, turn.id, seconds=seconds)
            if state is not None:
                self._storage.turns.end(tx, turn.id, state)

        await self._storage.write(work)
        self.changed(turn.person_id, turn.conversation_id)

    async def broken(self, turn: Turn, note: str) -> None:
        """At start: a stop of the server cut the turn off, which its conversation says.

        What the brain had said by then stands before it.
        """

        def work(tx: Transaction) -> None:
            if (draft := self._storage.drafts.take(tx, turn.id)) is not None:
                self._add(tx, replace(self._ira(turn, *draft), complete=False), turn)
            cut_short = replace(self._entry(place_of(turn), EntryKind.NOTE, note), complete=False)
            self._add(tx, cut_short, turn)
            self._storage.turns.end(tx, turn.id, TurnState.BROKEN)

        await self._storage.write(work)

    def changed(self, person_id: PersonId, conversation_id: ConversationId) -> None:
        """Publish that there is something new."""
        self._bus.publish(ConversationChanged(person_id, conversation_id))

    async def _keep(self, place: Place, entry: Entry, *, keep: Keep | None = None) -> Entry:
        kept = await self._storage.write(lambda tx: self._add(tx, entry, place, keep=keep))
        self.changed(place.person_id, place.conversation_id)
        return kept

    def _add(
        self, tx: Transaction, entry: Entry, whose: Turn | Place, *, keep: Keep | None = None
    ) -> Entry:
        kept = replace(entry, id=self._storage.conversations.add(tx, whose.person_id, entry))
        if keep is not None:
            keep(tx, f"{kept.conversation_id}.{kept.id}")
        return kept

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

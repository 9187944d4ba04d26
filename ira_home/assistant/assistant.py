"""The assistant's doors: ask, answer a proposal, attach to a run, stop it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from ira_home.access.accounts import Accounts
from ira_home.access.idempotency import Keep
from ira_home.access.permissions import require
from ira_home.assistant.conversations import Conversations
from ira_home.assistant.drafts import Drafts
from ira_home.assistant.driver import Driver
from ira_home.assistant.intake import Intake, Reading
from ira_home.assistant.presence import PresenceWatch
from ira_home.assistant.queues import Queues
from ira_home.assistant.replies import Replies
from ira_home.assistant.runs import Run, Runs
from ira_home.assistant.scribe import Place, Scribe, place_of
from ira_home.assistant.turn import TurnWorker
from ira_home.assistant.views import Views
from ira_home.base.clock import Clock
from ira_home.base.errors import DeviceAway, ProposalExpired, ProposalOver
from ira_home.base.ids import (
    ConversationId,
    DeviceId,
    MessageId,
    PersonId,
    ProposalId,
    RunId,
    TurnId,
    mint,
)
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import DataDeleted, PersonChanged
from ira_home.domain.house import HouseView
from ira_home.domain.people import Permission, Principal
from ira_home.domain.ports import LanguageModel
from ira_home.domain.proposals import Proposal
from ira_home.storage.storage import Storage
from ira_home.storage.turns import new_turn
from ira_home.tools.wording import language_for, say
from ira_home.tools.workshop import Workshop

# Of the two seconds in which the assistant must be closed: its turns, then the calls they made.
CLOSE_S, CALLS_CLOSE_S = 1.2, 0.4


@dataclass(frozen=True, slots=True)
class Inbound:
    """Something a person said. `here_device_id` only when it came with that device's own token.

    `keep` is told "<conversation>.<message>" in the transaction that keeps the words.
    """

    principal: Principal
    text: str
    conversation_id: ConversationId | None
    channel: str
    here_device_id: DeviceId | None
    keep: Keep | None = None


class Assistant:
    """Everything that people ask goes through here, whatever the channel."""

    def __init__(
        self,
        storage: Storage,
        accounts: Accounts,
        workshop: Workshop,
        *,
        clock: Clock,
        bus: Bus,
        brain: Callable[[], LanguageModel],
        house: Callable[[], Awaitable[HouseView]],
    ) -> None:
        """`brain` gives the brain in force; `house` the house's name and time zone."""
        self._storage = storage
        self._clock = clock
        self._bus = bus
        self._watch = workshop.watch
        self._gate = workshop.gate
        self._tasks = Tasks("assistant")
        self._runs = Runs(clock)
        self._queues = Queues()
        self._scribe = Scribe(storage, clock, bus)
        views = Views(storage, clock, toolboxes=workshop.toolboxes, house=house)
        drafts = Drafts(self._scribe, self._tasks)
        worker = TurnWorker(
            workshop.gate, views, self._scribe, drafts=drafts, clock=clock, brain=brain
        )
        self._replies = Replies(
            storage,
            accounts,
            gate=workshop.gate,
            proposals=workshop.proposals,
            watch=workshop.watch,
        )
        self._driver = Driver(
            storage,
            worker,
            self._replies,
            queues=self._queues,
            runs=self._runs,
            tasks=self._tasks,
            bus=bus,
        )
        self._intake = Intake(storage, clock, watch=workshop.watch)
        self._presence = PresenceWatch(
            storage, bus, toolboxes=workshop.toolboxes, scribe=self._scribe, tasks=self._tasks
        )
        self.conversations = Conversations(storage, bus, stop=self._driver.stop_conversation)

    async def start(self) -> None:
        """Say what the last stop of the server cut off, and begin to watch."""
        await self._watch.start()
        cut_off = await self._gate.start()
        for turn in await self._storage.turns.working():
            entries = await self._storage.conversations.of_turn(turn.id)
            own = next((one.text for one in entries if one.kind is EntryKind.PERSON), "")
            tools = ", ".join(cut_off.get(turn.id, ()))
            key = "unknown" if tools else "stopped"
            note = await self._say(key, turn.person_id, own, what=tools)
            await self._scribe.broken(turn, note)
        self._presence.start()
        self._bus.subscribe(DataDeleted, lambda fact: self._driver.forget(fact.person_id))
        self._bus.subscribe(PersonChanged, self._on_person_changed)

    async def close(self) -> None:
        """End all turns; what they have said is kept."""
        self._presence.stop()
        await self._watch.close()
        await self._tasks.close(CLOSE_S)
        await self._gate.close(CALLS_CLOSE_S)

    async def ask(self, inbound: Inbound) -> Run:
        """Take what a person said; the run goes on whoever waits for it.

        Raises NotFound for a conversation that is not theirs, Busy when three asks wait in it,
        Invalid for a text that is empty or too long.
        """
        require(inbound.principal, Permission.ASK)
        return await self._tasks.finish(self._ask(inbound), "request")

    async def answer_proposal(
        self,
        principal: Principal,
        proposal_id: ProposalId,
        *,
        yes: bool,
        digest: str | None,
        pin: str | None,
    ) -> Run:
        """Answer a proposal by its card; its turn goes on as it was asked (spec, decided 19, 20).

        Its channel stays that of the question, in "What Ira did" too, wherever the answer came from.
        """
        answering = self._by_card(principal, proposal_id, yes=yes, digest=digest, pin=pin)
        return await self._tasks.finish(answering, "request")

    def run(self, person_id: PersonId, run_id: RunId) -> Run:
        """One of the person's runs; NotFound when it is not theirs or no longer kept."""
        return self._runs.get(person_id, run_id)

    def run_of(self, person_id: PersonId, message_id: MessageId) -> Run:
        """The run that answers an entry of the person's; NotFound when it is no longer kept."""
        return self._runs.answering(person_id, message_id)

    def working(self, person_id: PersonId, conversation_id: ConversationId) -> tuple[Run, ...]:
        """The runs that are being worked on in a conversation, in the order they were asked."""
        return tuple(
            run
            for run in self._runs.of(person_id)
            if run.conversation_id == conversation_id and not run.is_over
        )

    async def cancel(self, person_id: PersonId, run_id: RunId) -> None:
        """Stop a run of the person's; what it said stays. What was sent to a device was sent."""
        await self._driver.cancel(self._runs.get(person_id, run_id))

    async def _ask(self, inbound: Inbound) -> Run:
        person_id, conversation_id = inbound.principal.person.id, inbound.conversation_id
        if conversation_id is not None:
            await self.conversations.get(person_id, conversation_id)
        reading = await self._intake.read(person_id, conversation_id, inbound.text)
        if reading.decides is not None:
            return await self._by_words(inbound, reading.decides, reading)
        if conversation_id is not None and reading.reply is not None:
            return await self._by_code(inbound, conversation_id, reading)
        return await self._begin(inbound, reading)

    async def _begin(self, inbound: Inbound, reading: Reading) -> Run:
        """A turn of its own, in its place in the queue of its conversation."""
        is_new = inbound.conversation_id is None
        if inbound.conversation_id is not None:
            self._queues.enter(inbound.conversation_id)
        turn = new_turn(
            TurnId(mint("turn_")),
            inbound.conversation_id or ConversationId(0),
            person_id=inbound.principal.person.id,
            channel=inbound.channel,
            here_device_id=inbound.here_device_id,
            at=self._clock.now(),
        )
        try:
            entry = await self._scribe.begin(turn, reading.text, is_new=is_new, keep=inbound.keep)
        except BaseException:
            if not is_new:
                self._queues.leave(turn.conversation_id)
            raise
        if is_new:
            turn = replace(turn, conversation_id=entry.conversation_id)
            self._queues.enter(turn.conversation_id)
        note = ""
        if reading.hid_pin:
            note = await self._say("pin_hidden", turn.person_id, reading.text)
            await self._scribe.note(place_of(turn), note)
        return self._driver.begin(inbound.principal, turn, entry.id, note=note)

    async def _by_code(
        self, inbound: Inbound, conversation_id: ConversationId, reading: Reading
    ) -> Run:
        """The server's own answer, without any brain."""
        place = Place(inbound.principal.person.id, conversation_id, TurnId(mint("turn_")))
        entry = await self._scribe.person(place, reading.text, keep=inbound.keep)
        text = await self._say(reading.reply or "", place.person_id, reading.text)
        await self._scribe.note(place, text)
        return self._driver.told(place, entry.id, text)

    async def _by_words(self, inbound: Inbound, proposal: Proposal, reading: Reading) -> Run:
        """A typed or spoken yes or no; the words belong to the turn that asked."""
        principal = inbound.principal
        require(principal, Permission.ACTIONS)
        place = Place(principal.person.id, proposal.conversation_id, proposal.turn_id)
        entry = await self._scribe.person(place, reading.text, keep=inbound.keep)
        try:
            decision = await self._replies.by_words(principal, proposal, yes=reading.yes)
        except (ProposalOver, DeviceAway, ProposalExpired) as error:
            return self._driver.told(place, entry.id, await self._ending(proposal) or error.message)
        return self._driver.go_on(principal, decision, entry.id, since=entry.id)

    async def _by_card(
        self,
        principal: Principal,
        proposal_id: ProposalId,
        *,
        yes: bool,
        digest: str | None,
        pin: str | None,
    ) -> Run:
        decision = await self._replies.by_card(
            principal, proposal_id, yes=yes, digest=digest, pin=pin
        )
        entries = await self._storage.conversations.of_turn(decision.turn.id)
        asked = next((one.id for one in entries if one.kind is EntryKind.PERSON), MessageId(0))
        return self._driver.go_on(
            principal, decision, asked, since=entries[-1].id if entries else asked
        )

    async def _ending(self, proposal: Proposal) -> str:
        """The server's note on how a proposal ended."""
        entries = await self._storage.conversations.of_turn(proposal.turn_id)
        notes = [one for one in entries if one.kind is EntryKind.NOTE and one.tool == proposal.tool]
        return notes[-1].text if notes else ""

    async def _say(self, key: str, person_id: PersonId, own_words: str, **values: str) -> str:
        settings = await self._storage.settings.get(person_id)
        return say(key, language_for(own_words, settings.reply_language), **values)

    def _on_person_changed(self, fact: PersonChanged) -> None:
        if fact.removed:
            self._driver.forget(fact.person_id)

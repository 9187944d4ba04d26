"""What ends proposals by itself: time, a switched-off skill, a changed tool, a removed device."""

import asyncio
from collections.abc import Awaitable, Callable
import logging

from ira_home.base.clock import Clock
from ira_home.base.errors import IraError
from ira_home.base.ids import PersonId
from ira_home.base.limits import PROPOSAL_S
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import (
    DeviceRevoked,
    PersonChanged,
    ProposalOpened,
    SkillSwitchedOff,
    ToolsChanged,
)
from ira_home.domain.proposals import Proposal, ProposalState
from ira_home.domain.tools import Outcome
from ira_home.storage.storage import Storage
from ira_home.tools.approve import why_void
from ira_home.tools.permit import VoidReason
from ira_home.tools.proposals import Proposals
from ira_home.tools.toolbox import Toolboxes
from ira_home.tools.wording import headline, language_for, say

log = logging.getLogger(__name__)
_TRY_AGAIN_S = 5.0
_TOLD = {
    "expired": "Time ran out before the person answered. It was not done.",
    "away": "The device was not connected when the person answered. It was not done.",
}
_TOLD_VOID = "It can no longer be done as it was shown. It was not done."


class ProposalWatch:
    """Ends proposals that nobody answered or that no longer stand, and says so in the conversation."""

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        bus: Bus,
        *,
        proposals: Proposals,
        toolboxes: Toolboxes,
    ) -> None:
        """Nothing is watched before `start`."""
        self._storage = storage
        self._clock = clock
        self._bus = bus
        self._proposals = proposals
        self._toolboxes = toolboxes
        self._tasks = Tasks("proposals")
        self._opened = asyncio.Event()
        self._deafen: list[Callable[[], None]] = []

    async def start(self) -> None:
        """Say what a stop of the server left open, then watch."""
        languages = await self._languages()
        await self._proposals.recover(
            lambda one: say("unknown", languages.get(one.id, "en"), what=headline(one.text))
        )
        await self.expire_due()
        self._deafen = [
            self._bus.subscribe(ProposalOpened, lambda _fact: self._opened.set()),
            self._bus.subscribe(SkillSwitchedOff, self._on_skill_off),
            self._bus.subscribe(DeviceRevoked, self._on_revoked),
            self._bus.subscribe(ToolsChanged, self._on_tools_changed),
            self._bus.subscribe(PersonChanged, self._on_person_changed),
        ]
        _ = self._tasks.start(self._watch(), "expiry")

    async def close(self) -> None:
        """Stop watching."""
        for deafen in self._deafen:
            deafen()
        await self._tasks.close()

    async def expire_due(self) -> None:
        """End every proposal whose time has run out."""
        for one in await self._storage.proposals.due(self._clock.steady()):
            await self.expire(one)

    async def expire(self, proposal: Proposal) -> None:
        """End a proposal whose time has run out."""
        await self._end(proposal, "expired", ProposalState.EXPIRED, Outcome.EXPIRED)

    async def make_void(self, proposal: Proposal, reason: VoidReason) -> None:
        """End a proposal that no longer stands."""
        await self._end(proposal, reason, ProposalState.VOID, Outcome.CANCELLED)

    async def device_away(self, proposal: Proposal) -> None:
        """End a proposal whose device was not there when its person said yes: nothing is queued."""
        await self._end(proposal, "away", ProposalState.VOID, Outcome.AWAY)

    async def check_person(self, person_id: PersonId) -> None:
        """End the person's proposals that no longer stand with their devices."""
        waiting = await self._storage.proposals.waiting(person_id)
        person = await self._storage.people.get(person_id) if waiting else None
        if person is None:
            return
        toolbox = await self._toolboxes.of(person)
        for one in waiting:
            reason = why_void(one, toolbox)
            if reason is not None:
                await self.make_void(one, reason)

    async def _end(
        self, proposal: Proposal, reason: str, state: ProposalState, outcome: Outcome
    ) -> None:
        language = await self._language(proposal)
        note = say(reason, language, what=headline(proposal.text), device=proposal.device or "")
        told = _TOLD.get(reason, _TOLD_VOID)
        await self._proposals.close(proposal, state, outcome=outcome, told=told, note=note)

    async def _void_where(
        self, person_id: PersonId, reason: VoidReason, holds: Callable[[Proposal], bool]
    ) -> None:
        for one in await self._storage.proposals.waiting(person_id):
            if holds(one):
                await self.make_void(one, reason)

    async def _watch(self) -> None:
        while True:
            self._opened.clear()
            left = await self._seconds_to_the_next()
            try:
                async with asyncio.timeout(max(left, 0.05)):
                    await self._opened.wait()
            except TimeoutError:
                continue  # silent-ok: time is up, which is what was waited for

    async def _seconds_to_the_next(self) -> float:
        try:
            await self.expire_due()
            soonest = await self._storage.proposals.next_expiry()
        except IraError as error:
            # The disk may have room again later; an answer looks at the time by itself meanwhile.
            log.warning("proposals could not be ended: %s", error.code)
            return _TRY_AGAIN_S
        return PROPOSAL_S if soonest is None else (soonest - self._clock.steady()).total_seconds()

    async def _languages(self) -> dict[int, str]:
        running = await self._storage.write(
            lambda tx: self._storage.proposals.in_state(tx, ProposalState.RUNNING)
        )
        return {one.id: await self._language(one) for one in running}

    async def _language(self, proposal: Proposal) -> str:
        settings = await self._storage.settings.get(proposal.person_id)
        entries = await self._storage.conversations.of_turn(proposal.turn_id)
        own = next((one.text for one in entries if one.kind is EntryKind.PERSON), "")
        return language_for(own, settings.reply_language)

    def _on_skill_off(self, fact: SkillSwitchedOff) -> None:
        def holds(one: Proposal) -> bool:
            return one.device_id == fact.device_id and fact.skill in one.skills

        self._start(self._void_where(fact.person_id, VoidReason.SKILL_OFF, holds))

    def _on_revoked(self, fact: DeviceRevoked) -> None:
        def holds(one: Proposal) -> bool:
            return one.device_id == fact.device_id

        self._start(self._void_where(fact.person_id, VoidReason.DEVICE_GONE, holds))

    def _on_tools_changed(self, fact: ToolsChanged) -> None:
        self._start(self.check_person(fact.person_id))

    def _on_person_changed(self, fact: PersonChanged) -> None:
        self._start(self._void_where(fact.person_id, VoidReason.ACCOUNT_CHANGED, lambda _one: True))

    def _start(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        _ = self._tasks.start(run(), "end")

"""Working on a turn: think, call through the gate, think again, to the answer or a question."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field, replace
import logging

from ira_home.assistant.answer import Answer
from ira_home.assistant.drafts import Drafts
from ira_home.assistant.scribe import TRUSTED, Scribe
from ira_home.assistant.views import Sight, Views
from ira_home.base.clock import Clock
from ira_home.base.errors import IraError, ModelFailed
from ira_home.base.ids import CallId, mint
from ira_home.base.limits import ANSWER_CHARS, CALLS_A_TURN, TURN_S
from ira_home.base.text import clean
from ira_home.domain.people import Principal
from ira_home.domain.ports import CallPart, LanguageModel, TextPart
from ira_home.domain.taint import Taint
from ira_home.domain.tools import Outcome
from ira_home.domain.turns import Turn, TurnState
from ira_home.tools.calls import GateResult, Ousted, Proposed, TurnContext
from ira_home.tools.gate import Gate
from ira_home.tools.wording import say

log = logging.getLogger(__name__)
_AFTER_A_QUESTION = (
    "Not done: an earlier call of the same step waits for the person. Call it again after that if"
    " it is still wanted."
)
_NO_CALLS_LEFT = "Not done: this turn has made as many calls as it may."


@dataclass(slots=True)
class Job:
    """A turn that is being worked on. `unsaid` is what the brain has said and nobody has kept yet."""

    turn: Turn
    principal: Principal
    answer: Answer
    language: str = "en"
    unsaid: str = ""
    taint: Taint = TRUSTED
    to_tell: list[str] = field(default_factory=list)  # by the server, at the end


class TurnWorker:
    """Works on turns of anybody, each in the task of its run."""

    def __init__(
        self,
        gate: Gate,
        views: Views,
        scribe: Scribe,
        *,
        drafts: Drafts,
        clock: Clock,
        brain: Callable[[], LanguageModel],
    ) -> None:
        """`brain` gives the one in force: it may be changed while the house runs."""
        self._drafts = drafts
        self._gate = gate
        self._views = views
        self._scribe = scribe
        self._clock = clock
        self._brain = brain

    async def work(self, job: Job) -> None:
        """Bring the turn to its end, or to a question; its run ends with it, whatever happens.

        What was said before a failure is kept, and the failure is said. Cancelling keeps it too.
        """
        began = self._clock.monotonic()
        try:
            state = await self._bounded(job)
        except asyncio.CancelledError:
            await self._cut_off(job, began, TurnState.CANCELLED)
            job.answer.end()
            raise
        except IraError as error:
            await self._cut_off(job, began, TurnState.ENDED, error.message)
            job.answer.end(error)
        except Exception:
            # A boundary: the person must hear of it, and the run must end.
            log.exception("a turn failed")
            broken = IraError()
            await self._cut_off(job, began, TurnState.ENDED, broken.message)
            job.answer.end(broken)
        else:
            await self._end(job, began, state)

    async def give_up(self, job: Job) -> None:
        """End a turn that was cancelled before, or without, being worked on."""
        await self._cut_off(job, self._clock.monotonic(), TurnState.CANCELLED)
        job.answer.end()

    async def _bounded(self, job: Job) -> TurnState | None:
        left = max(TURN_S - job.turn.seconds, 0.01)
        try:
            async with asyncio.timeout(left):
                return await self._steps(job)
        except TimeoutError:
            raise ModelFailed(say("no_time_left", job.language)) from None

    async def _steps(self, job: Job) -> TurnState | None:
        """The state in which the turn ended; None when it waits for its person."""
        while True:
            sight = await self._views.see(job.turn, job.principal)
            job.language, job.taint = sight.language, sight.taint
            calls = await self._think(job, sight)
            if not calls:
                return TurnState.ENDED
            if not sight.view.may_call:
                _add(job, say("no_calls_left", job.language))
                return TurnState.ENDED
            await self._keep_said(job)
            if await self._call_all(job, sight, calls):
                return None

    async def _think(self, job: Job, sight: Sight) -> list[CallPart]:
        """One step of the brain, told as it comes; gives the calls that it wants."""
        calls: list[CallPart] = []
        job.answer.new_piece()
        step = self._brain().step(sight.view)
        try:
            async with self._drafts.of(job.turn, job.taint, lambda: job.unsaid):
                async for part in step:
                    if isinstance(part, TextPart):
                        text = clean(part.text)[: ANSWER_CHARS - len(job.unsaid)]
                        job.unsaid += text
                        job.answer.token(text)
                    elif isinstance(part, CallPart):
                        # Ids are the house's own: a provider's may come again in a later turn.
                        calls.append(replace(part, call_id=CallId(mint("call_"))))
        finally:
            if isinstance(step, AsyncGenerator):
                await step.aclose()
        return calls

    async def _keep_said(self, job: Job) -> None:
        if job.unsaid:
            await self._scribe.said(job.turn, job.unsaid, job.taint)
            job.unsaid = ""

    async def _call_all(self, job: Job, sight: Sight, calls: Sequence[CallPart]) -> bool:
        """Make the calls of one step in order; True when one of them waits for the person."""
        context = TurnContext(
            turn=job.turn,
            principal=job.principal,
            own_words=sight.view.own_words,
            language=sight.language,
            shown=sight.shown,
            taint=sight.taint,
            now=sight.view.now,
        )
        for place, call in enumerate(calls):
            if job.turn.calls >= CALLS_A_TURN:
                await self._gate.turn_down(context, sight.toolbox, call, _NO_CALLS_LEFT)
            elif await self._call(job, sight, replace(context, turn=job.turn), call):
                for skipped in calls[place + 1 :]:
                    await self._gate.turn_down(context, sight.toolbox, skipped, _AFTER_A_QUESTION)
                return True
        return False

    async def _call(self, job: Job, sight: Sight, context: TurnContext, call: CallPart) -> bool:
        """Take one call to the gate; True when it waits for the person."""
        known = call.tool in sight.toolbox.offered
        if known:
            job.answer.tool_begins(call.call_id, call.tool, None)
        result = await self._through_the_gate(job, sight, context, call)
        job.turn = replace(job.turn, calls=job.turn.calls + 1)
        if isinstance(result, Proposed):
            proposal = result.proposal
            job.turn = replace(job.turn, proposals=job.turn.proposals + 1)
            job.answer.tool_ends(call.call_id, call.tool, proposal.device, Outcome.PROPOSED)
            job.answer.propose(proposal)
            return True
        if result.told and result.text not in job.to_tell:
            job.to_tell.append(result.text)
        if known:
            job.answer.tool_ends(call.call_id, call.tool, result.device, result.outcome)
        return False

    async def _through_the_gate(
        self, job: Job, sight: Sight, context: TurnContext, call: CallPart
    ) -> GateResult:
        """What the gate says; where the turn ends on it, the answer still tells of the call."""
        known = call.tool in sight.toolbox.offered
        try:
            return await self._gate.run(context, sight.toolbox, call)
        except (Ousted, asyncio.CancelledError) as end:
            outcome = Outcome.REFUSED if isinstance(end, Ousted) else Outcome.UNKNOWN
            if known:
                job.answer.tool_ends(call.call_id, call.tool, None, outcome)
            raise

    async def _end(self, job: Job, began: float, state: TurnState | None) -> None:
        for sentence in job.to_tell:
            if sentence not in job.answer.text:
                _add(job, sentence)
        if state is not None and not job.answer.text:
            _add(job, say("nothing_said", job.language))
        try:
            await self._scribe.ended(
                job.turn,
                state,
                seconds=self._clock.monotonic() - began,
                text=job.unsaid,
                taint=job.taint,
            )
        except IraError as error:
            job.answer.say(error.message)
            job.answer.end(error)
        else:
            job.answer.end()

    async def _cut_off(self, job: Job, began: float, state: TurnState, note: str = "") -> None:
        if note:
            job.answer.say(note)
        try:
            await self._scribe.ended(
                job.turn,
                state,
                seconds=self._clock.monotonic() - began,
                text=job.unsaid,
                taint=job.taint,
                note=note,
            )
        except Exception as error:  # noqa: BLE001 - the answer must still reach whoever waits for it
            log.warning("a turn's end could not be kept: %s", type(error).__name__)


def _add(job: Job, sentence: str) -> None:
    """A sentence of the server's at the end of what the brain said."""
    job.unsaid += f"\n\n{sentence}" if job.unsaid else sentence
    job.answer.say(sentence)

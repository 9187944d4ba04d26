"""Reading what a person wrote before any brain does: PINs hidden, a yes or no found, the rest a turn."""

from dataclasses import dataclass

from ira_home.base.clock import Clock
from ira_home.base.errors import Invalid
from ira_home.base.ids import ConversationId, PersonId
from ira_home.base.limits import ASK_CHARS, WRONG_PINS_S
from ira_home.base.text import clean
from ira_home.domain.conversations import EntryKind
from ira_home.domain.language.consent import Consent, read_consent
from ira_home.domain.language.words import split
from ira_home.domain.proposals import Proposal, ProposalState
from ira_home.domain.redaction import HIDDEN, hide_pins, speaks_of_pin
from ira_home.domain.tools import Tier
from ira_home.storage.storage import Storage
from ira_home.tools.proposal_watch import ProposalWatch
from ira_home.tools.wording import headline

_LATE = (ProposalState.EXPIRED, ProposalState.VOID, ProposalState.UNKNOWN)
_RECENT = 24  # entries in which the person's last words are looked for


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message is. `text` has its PINs hidden; nothing else of it is kept or passed on.

    With `decides` it is the answer `yes` to that proposal. With `reply` the server answers it
    itself, with that sentence of the wording. Else it begins a turn.
    """

    text: str
    hid_pin: bool
    decides: Proposal | None = None
    yes: bool = False
    reply: str | None = None


class Intake:
    """Reads messages."""

    def __init__(self, storage: Storage, clock: Clock, *, watch: ProposalWatch) -> None:
        """`watch` ends a proposal that is found to be out of time."""
        self._storage = storage
        self._clock = clock
        self._watch = watch

    async def read(
        self, person_id: PersonId, conversation_id: ConversationId | None, text: str
    ) -> Reading:
        """Decide by code what the message is; raises Invalid for one that is empty or too long."""
        text = clean(text).strip()
        if not text or len(text) > ASK_CHARS:
            message = f"A message has 1 to {ASK_CHARS} characters."
            raise Invalid(message, field="text")
        latest = await self._latest(conversation_id)
        hides = speaks_of_pin(text) or await self._has_pin_card(person_id, latest)
        shown = hide_pins(text) if hides else text
        reading = Reading(shown, hid_pin=shown != text)
        return reading if latest is None else await self._about(reading, latest)

    async def _about(self, reading: Reading, latest: Proposal) -> Reading:
        """The reading in the light of the conversation's newest proposal."""
        consent = read_consent(reading.text, also=_words_of(latest))
        if latest.state is ProposalState.WAITING:
            return _answering(reading, latest, consent)
        if consent is Consent.NEITHER:
            return reading
        if latest.state is ProposalState.RUNNING:
            return Reading(reading.text, hid_pin=reading.hid_pin, reply="running")
        if latest.state in _LATE and await self._is_for(latest):
            return Reading(reading.text, hid_pin=reading.hid_pin, reply="too_late")
        return reading

    async def _latest(self, conversation_id: ConversationId | None) -> Proposal | None:
        if conversation_id is None:
            return None
        latest = await self._storage.proposals.latest_in(conversation_id)
        if latest is None or latest.state is not ProposalState.WAITING:
            return latest
        if self._clock.steady() < latest.expires_at:
            return latest
        await self._watch.expire(latest)
        return await self._storage.proposals.latest_in(conversation_id)

    async def _has_pin_card(self, person_id: PersonId, latest: Proposal | None) -> bool:
        """Whether a card that asks for the PIN is open, or was until just now in this conversation."""
        waiting = await self._storage.proposals.waiting(person_id)
        if any(one.tier is Tier.PIN for one in waiting):
            return True
        if latest is None or latest.tier is not Tier.PIN:
            return False
        # An answered card covers its own two minutes: a PIN may be typed just after the click.
        grace_s = WRONG_PINS_S if latest.state in _LATE else 0
        return (self._clock.steady() - latest.expires_at).total_seconds() < grace_s

    async def _is_for(self, latest: Proposal) -> bool:
        """Whether the person has said nothing else since the request that the proposal is of."""
        entries = await self._storage.conversations.recent(latest.conversation_id, _RECENT)
        said = [one.turn_id for one in entries if one.kind is EntryKind.PERSON]
        return bool(said) and said[-1] == latest.turn_id


def _answering(reading: Reading, waiting: Proposal, consent: Consent) -> Reading:
    text, hid = reading.text, reading.hid_pin
    if consent is Consent.NO:
        return Reading(text, hid_pin=hid, decides=waiting)
    if waiting.tier is not Tier.PIN:
        if consent is Consent.YES:
            return Reading(text, hid_pin=hid, decides=waiting, yes=True)
        return reading
    if consent is Consent.YES or (hid and _is_only_a_pin(text)):
        return Reading(text, hid_pin=hid, reply="pin_on_card")
    return reading


def _is_only_a_pin(text: str) -> bool:
    rest = text.replace(HIDDEN, " ")
    return speaks_of_pin(rest) or not any(symbol.isalnum() for symbol in rest)


def _words_of(proposal: Proposal) -> list[str]:
    """Words that may stand beside a yes: those of what was asked."""
    about = f"{headline(proposal.text)} {proposal.tool.replace('_', ' ')}"
    return [one.raw for one in split(about)]

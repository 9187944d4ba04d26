"""Writing calls down before they are sent and after, and reading "What Ira did"."""

from dataclasses import dataclass, replace

from ira_home.access.permissions import require_now
from ira_home.base.clock import Clock
from ira_home.base.ids import DeviceId, MessageId, PersonId, TurnId
from ira_home.base.limits import BODY_BYTES
from ira_home.base.text import clean
from ira_home.domain.audit import LogDraft, LogEntry
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.devices import TOOL_NAME
from ira_home.domain.pages import Page
from ira_home.domain.people import Permission
from ira_home.domain.ports import CallPart
from ira_home.domain.tools import Confirmed, OfferedTool, Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage
from ira_home.tools.calls import Ended, FoundCall, TurnContext
from ira_home.tools.wording import log_sentence

_UNKNOWN = "unknown"  # a name that a brain invented may hold anything
_CUT_OFF = "The server stopped meanwhile: whether it was done is not known."


@dataclass(frozen=True, slots=True)
class Begun:
    """A call that is on record as perhaps sent: its line of the log, and its entry."""

    log_id: int
    person_id: PersonId
    asked: Entry


class CallBook:
    """Writes calls down: in "What Ira did", in their conversation and against their turn's bound."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Write to this storage."""
        self._storage = storage
        self._clock = clock

    async def begin(self, turn: TurnContext, call: CallPart, found: FoundCall) -> Begun:
        """Put a call on record; before this returns nothing is sent.

        In the same transaction whoever asked is looked at again: Unauthenticated or Forbidden when
        they may no longer. NotFound when the turn was deleted. Nothing is written then.
        """
        tool, device_id = found.tool, found.device_id
        line = self._line(turn, tool.name, device_id, found.tier, Outcome.UNKNOWN)
        asked = self._asked(turn, call, tool, device_id)

        def work(tx: Transaction) -> Begun:
            require_now(self._storage, tx, turn.principal, Permission.ASK)
            log_id = self._storage.tool_log.add(tx, line)
            self._storage.conversations.add(tx, line.person_id, asked)
            self._storage.turns.spend(tx, turn.turn.id, calls=1)
            return Begun(log_id, line.person_id, asked)

        return await self._storage.write(work, durable=found.tier >= Tier.YES)

    async def end(self, begun: Begun, ended: Ended, seconds: float) -> None:
        """Write down how a call ended, with its result for the brain."""
        came = self._came(begun.asked, ended)

        def work(tx: Transaction) -> None:
            self._storage.tool_log.finish(tx, begun.log_id, outcome=ended.outcome, seconds=seconds)
            # Its conversation, or all that is its person's, may have been deleted meanwhile.
            if self._storage.turns.is_kept(tx, begun.asked.turn_id):
                made = self._storage.conversations.add(tx, begun.person_id, came)
                if ended.picture is not None:
                    self._storage.pictures.add(tx, begun.person_id, made, ended.picture, came.at)

        await self._storage.write(work, durable=False)

    async def refuse(
        self,
        turn: TurnContext,
        call: CallPart,
        tool: OfferedTool | None,
        ended: Ended,
        *,
        tier: Tier,
        looks_again: bool,
    ) -> None:
        """Put a call on record that is not let on, with its end; `tool` is None where there is none.

        With `looks_again` whoever asked is looked at as in `begin`.
        """
        name = self._invented(turn, call) if tool is None else tool.name
        line = self._line(turn, name, ended.device_id, tier, ended.outcome)
        asked = self._asked(turn, call, tool, ended.device_id)
        came = self._came(asked, _in_whose_words(tool, ended))

        def work(tx: Transaction) -> None:
            if looks_again:
                require_now(self._storage, tx, turn.principal, Permission.ASK)
            self._storage.tool_log.add(tx, line)
            self._storage.conversations.add(tx, line.person_id, asked)
            self._storage.conversations.add(tx, line.person_id, came)
            self._storage.turns.spend(tx, turn.turn.id, calls=1)

        await self._storage.write(work, durable=tier >= Tier.YES)

    async def recover(self) -> dict[TurnId, list[str]]:
        """At start: what a stop of the server cut off has an unknown outcome, and is never made again.

        Gives the tools of those calls by turn.
        """
        ended = Ended(_CUT_OFF, Outcome.UNKNOWN)

        def work(tx: Transaction) -> dict[TurnId, list[str]]:
            found: dict[TurnId, list[str]] = {}
            for person_id, asked in self._storage.conversations.unanswered(tx):
                came = self._came(asked, replace(ended, device_id=asked.device_id))
                self._storage.conversations.add(tx, person_id, came)
                found.setdefault(asked.turn_id, []).append(asked.tool or _UNKNOWN)
            return found

        return await self._storage.write(work)

    def _line(
        self,
        turn: TurnContext,
        tool: str,
        device_id: DeviceId | None,
        tier: Tier,
        outcome: Outcome,
    ) -> LogDraft:
        return LogDraft(
            turn_id=turn.turn.id,
            person_id=turn.principal.person.id,
            channel=turn.turn.channel,
            tool=tool,
            device_id=device_id,
            tier=tier,
            confirmed=Confirmed.NONE,
            outcome=outcome,
            at=self._clock.now(),
        )

    def _asked(
        self,
        turn: TurnContext,
        call: CallPart,
        tool: OfferedTool | None,
        device_id: DeviceId | None,
    ) -> Entry:
        """The brain's wish; a device's part in it, or in what the brain had read, makes it private."""
        taint = turn.taint
        name = self._invented(turn, call) if tool is None else tool.name
        return Entry(
            id=MessageId(0),
            conversation_id=turn.turn.conversation_id,
            turn_id=turn.turn.id,
            kind=EntryKind.CALL,
            text=clean(call.arguments)[:BODY_BYTES],
            label=taint.label,
            source=taint.source,
            private=tool is None or bool(tool.targets) or taint.is_private,
            at=self._clock.now(),
            tool=name,
            call_id=call.call_id,
            device_id=device_id,
        )

    def _came(self, asked: Entry, ended: Ended) -> Entry:
        """What came of a call, which may repeat its arguments: as private as they are, or more."""
        is_of_a_device = ended.private or ended.label is TrustLabel.DEVICE
        return replace(
            asked,
            kind=EntryKind.RESULT,
            text=ended.text,
            label=ended.label,
            source=ended.source,
            private=asked.private or is_of_a_device,
            at=self._clock.now(),
            device_id=ended.device_id,
            outcome=ended.outcome,
        )

    def _invented(self, turn: TurnContext, call: CallPart) -> str:
        """A name of no tool, as an admin may read it: it must not carry what a device said."""
        return _UNKNOWN if turn.taint.is_private else _named(call.tool)


def _in_whose_words(tool: OfferedTool | None, ended: Ended) -> Ended:
    """A refusal that the person hears of says what the tool does, in the words of its device."""
    if not ended.told or tool is None or tool.label.is_trusted:
        return ended
    return replace(ended, label=tool.label, source=ended.device or "")


def _named(tool: str) -> str:
    """The name, when it could be a tool's: a few letters without anything written into them."""
    return tool if TOOL_NAME.fullmatch(tool) else _UNKNOWN


class ToolLog:
    """The tool log as its person, or an admin, reads it."""

    def __init__(self, storage: Storage) -> None:
        """Read from this storage."""
        self._log = storage.tool_log

    async def list(self, person_id: PersonId, cursor: str | None, limit: int) -> Page[LogEntry]:
        """The person's own lines, newest first."""
        return await self._log.list(person_id, cursor, limit)

    async def list_all(self, cursor: str | None, limit: int) -> Page[LogEntry]:
        """Everybody's lines, newest first, for an admin."""
        return await self._log.list_all(cursor, limit)

    def sentence(self, entry: LogEntry, language: str = "en") -> str:
        """The line in words."""
        return log_sentence(entry, language)

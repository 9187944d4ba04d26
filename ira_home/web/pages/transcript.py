"""A conversation as its own person reads it: what was said, answers, questions and how they ended."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import ClassVar

from ira_home.assistant.runs import Run
from ira_home.base.ids import MessageId, TurnId
from ira_home.base.text import one_line
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.pictures import PictureHead
from ira_home.domain.proposals import Proposal
from ira_home.domain.settings import LANGUAGES
from ira_home.domain.tools import Outcome, Tier
from ira_home.domain.trust import TrustLabel
from ira_home.tools.wording import headline, say, visible
from ira_home.web.pages.verbs import verb_of

_SYMBOLS: dict[Outcome | None, str] = {
    None: "clock",
    Outcome.DONE: "check",
    Outcome.CANCELLED: "close",
    Outcome.EXPIRED: "clock",
    Outcome.AWAY: "offline",
    Outcome.REFUSED: "shield",
}
_QUIET = frozenset({None, Outcome.CANCELLED, Outcome.EXPIRED, Outcome.AWAY})
_IN_DOUBT = frozenset({None, Outcome.UNKNOWN, Outcome.TIMEOUT})
SOURCE_CHARS = 2_000  # of what was read, under the answer that came from it


@dataclass(frozen=True, slots=True)
class Said:
    """What the person said."""

    kind: ClassVar[str] = "said"
    key: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Source:
    """What Ira read for an answer, and where."""

    label: TrustLabel
    name: str
    text: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture that a device returned, for the eyes of its person."""

    picture: PictureHead
    device: str
    at: datetime


@dataclass(slots=True)
class Reply:
    """What Ira answered in one go."""

    kind: ClassVar[str] = "reply"
    key: str
    turn_id: TurnId
    at: datetime
    texts: list[str] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    pictures: list[Shown] = field(default_factory=list)
    is_complete: bool = True
    is_cut_off: bool = False  # some of Ira's own words are missing
    again: str = ""  # what the person would say to be answered once more


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a question, whole; `source` is where words came from that were not the person's."""

    name: str
    values: tuple[str, ...]
    source: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """A proposal that waits for its person."""

    kind: ClassVar[str] = "question"
    key: str
    proposal: Proposal
    title: str
    verb: str
    needs_pin: bool
    arguments: tuple[Argument, ...]
    has_foreign: bool
    foreign: tuple[str, ...]  # where the foreign words came from, where that is known


@dataclass(frozen=True, slots=True)
class Ended:
    """A question that was answered or ran out: one line.

    `note` is the server's own word on it; `again` what the person would say to be asked once more;
    `where` tells in what other place than this it was answered.
    """

    kind: ClassVar[str] = "ended"
    key: str
    outcome: Outcome | None  # None while it runs
    title: str
    note: str
    at: datetime
    again: str = ""
    where: str = ""

    @property
    def said(self) -> str:
        """How it ended, as the page's words name it."""
        return "running" if self.outcome is None else self.outcome.value

    @property
    def symbol(self) -> str:
        """The icon of its line."""
        return _SYMBOLS.get(self.outcome, "alert")

    @property
    def look(self) -> str:
        """The class of its line: good, bad or neither."""
        if self.outcome is Outcome.DONE:
            return " ok"
        return "" if self.outcome in _QUIET else " bad"


Item = Said | Reply | Question | Ended


def title_of(text: str, tool: str, device: str | None) -> str:
    """What a read-back is about: without its device, which stands beside it, and the tool's name."""
    title = headline(text)
    for language in LANGUAGES:
        if device is not None:
            title = title.removeprefix(say("on", language, device=one_line(device), what=""))
    return title.removesuffix(f" ({tool})")


def question_of(proposal: Proposal) -> Question:
    """The card of a proposal."""
    title = title_of(proposal.text, proposal.tool, proposal.device)
    sources = {one.argument: one.source for one in proposal.from_untrusted}
    return Question(
        key=f"p{proposal.id}",
        proposal=proposal,
        title=title,
        verb=verb_of(proposal.tool, title),
        needs_pin=proposal.tier is Tier.PIN,
        arguments=tuple(
            Argument(visible(name).replace("_", " "), _values(value), sources.get(name))
            for name, value in proposal.arguments.items()
        ),
        has_foreign=bool(sources),
        foreign=tuple(dict.fromkeys(one_line(name) for name in sources.values() if name)),
    )


def _values(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(visible(one) for one in value) or (visible(value),)
    return (visible(value),)


def settled(entries: Iterable[Entry], runs: Sequence[Run]) -> list[Entry]:
    """The entries but for what runs are still telling: that is shown as it is told, and once."""
    since = {run.turn_id: run.since for run in runs}
    return [
        one
        for one in entries
        if one.kind is EntryKind.PERSON or one.id <= since.get(one.turn_id, one.id)
    ]


def transcript(
    entries: Sequence[Entry],
    waiting: Proposal | None,
    where: Mapping[str, str] = MappingProxyType({}),
    pictures: Mapping[MessageId, PictureHead] = MappingProxyType({}),
) -> list[Item]:
    """The items of a conversation, oldest first.

    `where` tells of calls where they were answered, `pictures` came with entries of it.
    """
    return _Reader(entries, waiting, where, pictures).read()


class _Reader:
    """Reads entries in their order; a read-back is the note right behind the call it is about."""

    def __init__(
        self,
        entries: Sequence[Entry],
        waiting: Proposal | None,
        where: Mapping[str, str],
        pictures: Mapping[MessageId, PictureHead],
    ) -> None:
        self._entries = entries
        self._pictures = pictures
        self._waiting = waiting
        self._where = where
        self._results = {e.call_id: e for e in entries if e.kind is EntryKind.RESULT and e.call_id}
        self._notes: dict[tuple[str, str | None], str] = {}
        self._items: list[Item] = []
        self._asked = set[str]()
        self._said: dict[str, str] = {}  # the person's words, by turn

    def read(self) -> list[Item]:
        self._find_endings()
        before: Entry | None = None
        for entry in self._entries:
            self._take(entry, before)
            before = entry
        return self._items

    def _is_read_back(self, entry: Entry, before: Entry | None) -> bool:
        return (
            entry.kind is EntryKind.NOTE
            and before is not None
            and before.kind is EntryKind.CALL
            and before.tool is not None
            and (before.turn_id, before.tool) == (entry.turn_id, entry.tool)
        )

    def _find_endings(self) -> None:
        """Notes on how a question ended; they stand on its line instead of as an answer."""
        before: Entry | None = None
        for entry in self._entries:
            is_note = entry.kind is EntryKind.NOTE and entry.tool is not None
            if is_note and not self._is_read_back(entry, before):
                self._notes[entry.turn_id, entry.tool] = entry.text
            if self._is_read_back(entry, before) and before is not None and before.call_id:
                self._asked.add(before.call_id)
            before = entry

    def _take(self, entry: Entry, before: Entry | None) -> None:
        if entry.kind is EntryKind.PERSON:
            self._said.setdefault(entry.turn_id, entry.text)
            self._items.append(Said(f"e{entry.id}", entry.text, entry.at))
        elif self._is_read_back(entry, before) and before is not None:
            self._items.append(self._question(entry, before))
        elif entry.kind is EntryKind.IRA or (entry.kind is EntryKind.NOTE and entry.tool is None):
            self._answer(entry)
        elif entry.kind is EntryKind.RESULT:
            self._read_from(entry)

    def _question(self, note: Entry, call: Entry) -> Item:
        waits = self._waiting
        if waits is not None and call.call_id == waits.call_id:
            return question_of(waits)
        result = self._results.get(call.call_id) if call.call_id else None
        outcome = None if result is None else result.outcome
        return Ended(
            key=f"e{note.id}",
            outcome=outcome,
            title=title_of(note.text, note.tool or "", None),
            note=self._notes.get((note.turn_id, note.tool), "").replace(f" ({note.tool})", "", 1),
            at=note.at if result is None else result.at,
            again=self._said.get(note.turn_id, "") if outcome is Outcome.EXPIRED else "",
            where=self._where.get(call.call_id or "", ""),
        )

    def _reply(self, entry: Entry) -> Reply:
        last = self._items[-1] if self._items else None
        if isinstance(last, Reply) and last.turn_id == entry.turn_id:
            return last
        made = Reply(f"e{entry.id}", entry.turn_id, entry.at)
        self._items.append(made)
        return made

    def _answer(self, entry: Entry) -> None:
        if not entry.text.strip() and entry.complete:
            return
        reply = self._reply(entry)
        reply.texts.append(entry.text)
        if not entry.complete:
            reply.is_complete = False
            reply.is_cut_off = reply.is_cut_off or entry.kind is EntryKind.IRA
            reply.again = self._said.get(entry.turn_id, "") if self._may_ask_again(entry) else ""

    def _may_ask_again(self, entry: Entry) -> bool:
        """Not where something may have been done and nobody knows: the same words would do it twice."""
        calls = [
            e for e in self._entries if e.kind is EntryKind.CALL and e.turn_id == entry.turn_id
        ]
        ended = (self._results.get(one.call_id) if one.call_id else None for one in calls)
        return all(one is not None and one.outcome not in _IN_DOUBT for one in ended)

    def _read_from(self, entry: Entry) -> None:
        """A chip under the answer for what was read; what was asked first has its own line."""
        if (picture := self._pictures.get(entry.id)) is not None:
            self._reply(entry).pictures.append(Shown(picture, entry.source, entry.at))
        if entry.label.is_trusted or entry.outcome is not Outcome.DONE:
            return
        if entry.call_id in self._asked:
            return
        text = entry.text[:SOURCE_CHARS]
        source = Source(entry.label, entry.source, text, is_cut=len(entry.text) > SOURCE_CHARS)
        reply = self._reply(entry)
        if source not in reply.sources:
            reply.sources.append(source)

"""How surely a request asks for each tool: matching words, filling arguments, and what is left over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ira_home.domain.language import markers
from ira_home.domain.language.lexicon import ACTIONS, is_deed
from ira_home.domain.language.tense import tense_of
from ira_home.domain.language.words import Language, fold, is_stop_word, split
from ira_home.domain.tools import OfferedTool, Tier
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey import devices
from ira_home.providers.llm.nokey.decisions import Weighed
from ira_home.providers.llm.nokey.matching import (
    Match,
    Matcher,
    acts,
    begins_acting,
    looks_only,
    tool_words,
)
from ira_home.providers.llm.nokey.naming import Named, labels_of
from ira_home.providers.llm.nokey.request import Request, take_apart
from ira_home.providers.llm.nokey.roles import Role, Slot
from ira_home.providers.llm.nokey.slots import fill
from ira_home.providers.llm.nokey.spoken import Spoken
from ira_home.providers.llm.nokey.terms import Term
from ira_home.providers.llm.nokey.times import lean_of

_LEAST_SCORE = 1.0  # one generic word never suffices
_WITHOUT_NAME = 2  # telling words of a description that stand in for a word of the name
_CANDIDATES = 4
_GENERIC_SHARE = 0.3  # a generic word that is left over says less against a tool
# "delete the report" is nothing for a tool that reads, however it knows reports
_OTHER_ACTION = 2.5
_FILLED = 0.3  # a tool whose every required argument was said is the likelier one
_SURE_SLOT = 0.35  # an argument that is known by its form speaks for a tool that takes such a thing
_MARKED_SLOT = 0.2
_TODAY = 0.7
_ASKED = 0.4  # a question is for a tool that looks, seldom for one that does something
_LEFT_OVER = 0.3  # each word that a tool leaves unexplained speaks against it
# A tool that so much speaks for, and so much more than for any other, is meant although some words
# of the request are strange to it.
_CLEAR_LEAST, _CLEAR_RANK, _CLEAR_LEAD, _CERTAIN_RANK = 0.35, 1.85, 1.2, 3.0
_STRONG = 1.9  # from here a tool is as likely meant as words can tell
_SAME_TENSE = 0.15
_OTHER_TENSE = 0.4  # what is to come is in no history
_OTHER_VERB = 1.5
_ACTION_ASKED = 0.5  # "is the gate open?" asks about an action, it does not ask for it
_SURER = 0.15
_VERBLESS = 0.7
_HOUR = 0.6  # an hour that was said is nothing to a tool that takes only the day
_TELLS = 0.55  # from here a tool that looks answers a question, and no other is weighed
_FORMED_ROLES = frozenset({
    Role.CHOICE, Role.MOMENT, Role.NUMBER, Role.SWITCH, Role.URL, Role.EMAIL, Role.CODE, Role.FOLDER,
})  # fmt: skip
_ASKS_ABOUT = frozenset(
    "is are was were did does has have had why who whos whose which when where what whats".split()
)
_DOES = frozenset("we i you they any".split())
_HOW_MUCH = frozenset("many much long old far often soon big".split())
_ASKS_WHO = frozenset("kis kaun kitne kitna kitni किस कौन कितने कितना कितनी".split())
_ASKS_BEHIND = frozenset("kyun kyon kiska kiski kiske kisne क्यों किसका किसकी किसके किसने".split())


class Weigher:
    """Weighs requests against the tools of one person in one turn."""

    def __init__(self, view: TurnView) -> None:
        """Everything is taken from the view."""
        self._view = view
        self._matcher = Matcher(view.tools)
        self._labels = labels_of(view)
        self._requests: dict[tuple[str, Language | None], Request] = {}

    def request(self, text: str, language: Language | None = None) -> Request:
        """Take a request apart; the language is its own where none is given."""
        known = self._requests.get((text, language))
        if known is None:
            known = self._requests[text, language] = take_apart(
                text,
                language,
                now=self._view.now,
                labels=self._labels,
                meant=self._matcher.meant,
            )
        return known

    def weigh(self, request: Request) -> list[Weighed]:
        """The likeliest tools, best first."""
        matches = self._matcher.matches(request.terms)[:_CANDIDATES]
        found = sorted(
            (self._weighed(one, request) for one in matches), key=likelihood, reverse=True
        )
        if _asks_about(request.text):
            found = _only_looking(found, request)
        if found and self._is_clear(found, request):
            found[0] = replace(found[0], sure=max(found[0].sure, found[0].rank / _CERTAIN_RANK))
        return found

    def _is_clear(self, found: Sequence[Weighed], request: Request) -> bool:
        best, rival = found[0], found[1].rank if len(found) > 1 else 0.0
        if best.tool.tier > Tier.LOOK and _asks_about(request.text):
            return False
        enough = best.sure >= _CLEAR_LEAST and best.rank >= _CLEAR_RANK
        return enough and best.rank >= _CLEAR_LEAD * rival

    def arguments(self, tool: OfferedTool, request: Request) -> dict[str, Any]:
        """What the request says for the arguments of a tool that is known to be meant."""
        return self._fill(_match(tool, request), request)[0]

    def said_for(
        self, tool: OfferedTool, request: Request, *, remainder: bool, only: Slot | None = None
    ) -> dict[str, Any]:
        """The same for a fragment, which names no tool: every word of it may be an argument."""
        bare = Match(tool, 0.0, 0.0, frozenset())
        return self._fill(bare, request, remainder=remainder, only=only)[0]

    def _weighed(self, match: Match, request: Request) -> Weighed:
        arguments, spoken = self._fill(match, request)
        slots = tool_words(match.tool).slots
        missing = any(one.required and one.name not in arguments for one in slots)
        formed = sum(_formed(one, arguments, request) for one in slots)
        explained, left_over = _explained(match, request, spoken)
        strength = match.score + _SURE_SLOT * formed + _MARKED_SLOT * spoken.marked
        strength += 0.0 if missing else _FILLED
        if missing and acts(match.tool) and not _has_verb(request):
            strength -= _VERBLESS  # "appointments on Friday" asks to see them
        if request.asks:
            strength += _ASKED if looks_only(match.tool) else -_ASKED
        sure = _sureness(match, request, explained, left_over, strength)
        if _other_verb(match, request, spoken):
            sure *= _ACTION_ASKED
            strength -= _OTHER_VERB
        if _orders_only(match, request):
            sure = min(sure, _ACTION_ASKED)
            strength -= _OTHER_VERB
        if lean_of(match.tool) == "past" and (tense := tense_of([one.folded for one in request.words])):  # fmt: skip
            strength += _SAME_TENSE if tense == "past" else -_OTHER_TENSE
        if _is_deed_asked_about(match.tool, request):
            sure *= _ACTION_ASKED
            strength -= _ASKED
        rank = strength - _LEFT_OVER * left_over - _HOUR * spoken.hours_left
        return Weighed(match.tool, arguments, sure, rank, match.score, bool(match.claimed))

    def _fill(
        self,
        match: Match,
        request: Request,
        *,
        remainder: bool = True,
        only: Slot | None = None,
    ) -> tuple[dict[str, Any], Spoken]:
        nouns = [
            one
            for one in match.meant
            if not is_deed(fold(request.terms[one].raw), request.language)
            and not _is_idiom(request.terms[one].raw)
        ]
        spoken = Spoken(
            request,
            core=request.places_of(match.claimed | _bare_verb(request)),
            kinds=request.places_of(nouns),
            own=request.places_of(match.claimed - match.meant),
        )
        slots = tool_words(match.tool).slots if only is None else (only,)
        arguments = fill(slots, spoken, lean_of(match.tool), remainder=remainder)
        return devices.with_labels(match.tool, arguments, self._view, request.text), spoken


def likelihood(one: Weighed) -> float:
    """To sort by: the rank, and where ranks are close how much of the request is explained."""
    return one.rank + _SURER * one.sure


def _formed(slot: Slot, arguments: Mapping[str, Any], request: Request) -> float:
    """How much an argument that is known by its form speaks for a tool; "today" is said of anything."""
    if slot.role not in _FORMED_ROLES or slot.name not in arguments:
        return 0.0
    is_today = arguments[slot.name] == request.now.date().isoformat()
    return _TODAY if is_today and slot.role is Role.MOMENT else 1.0


def _is_deed_asked_about(tool: OfferedTool, request: Request) -> bool:
    """Whether a question is put to a tool that does something; what is lost is found by what rings it."""
    asks_where = [one.folded for one in request.words[:1]] in (["where"], ["wheres"])
    does = tool.tier > Tier.LOOK or (acts(tool) and not asks_where)
    return does and _asks_about(request.text)


def _only_looking(found: list[Weighed], request: Request) -> list[Weighed]:
    """Those that tell how something is, where one of them surely can: a question orders nothing."""
    looking = [one for one in found if not _is_deed_asked_about(one.tool, request)]
    return looking if any(one.sure >= _TELLS for one in looking) else found


def _match(tool: OfferedTool, request: Request) -> Match:
    found = Matcher([tool]).matches(request.terms)
    return found[0] if found else Match(tool, 0.0, 0.0, frozenset())


def _explained(match: Match, request: Request, spoken: Spoken) -> tuple[float, float]:
    """How many words of the request the tool explains, and how many it leaves over."""
    explained = left_over = 0.0
    for place, term in enumerate(request.terms):
        asks = fold(term.raw) in markers.QUESTIONS
        weight = _GENERIC_SHARE if term.generic or asks else 1.0
        if place in match.matched:
            explained += weight
        elif spoken.is_free(spoken.at(term.start, term.end)) and not _is_label(term, request.named):
            left_over += weight * (_OTHER_ACTION if _is_action(term) else 1.0)
    return explained, left_over


def _sureness(
    match: Match, request: Request, explained: float, left_over: float, strength: float
) -> float:
    """How much of the request the tool explains, by how much speaks for the tool or was said of its name."""
    share = explained / (explained + left_over) if explained else 0.0
    telling = sum(not request.terms[place].generic for place in match.claimed)
    by_name = (match.name_share + share) / 2
    if match.score < _LEAST_SCORE or (not match.name_share and telling < _WITHOUT_NAME):
        by_name = 0.0
    matched = any(not request.terms[place].generic for place in match.matched)
    enough = matched and match.score >= _LEAST_SCORE / 2
    by_strength = share * min(1.0, strength / _STRONG) if enough else 0.0
    return max(by_name, by_strength, match.likeness)


def _other_verb(match: Match, request: Request, spoken: Spoken) -> bool:
    """Whether the request's own verb is an action that the tool does not do: "delete my reminders"."""
    for place, term in enumerate(request.terms):
        if term.stress > 1 and place not in match.matched and _is_action(term):
            within = spoken.said.issuperset(spoken.at(term.start, term.end))
            return not within or (request.language == "en" and place == 0)
    return False


def _has_verb(request: Request) -> bool:
    """Whether the request says to do something, in any of the three languages."""
    words = [one.folded for one in request.words]
    ends = words[-1:] and words[-1] in markers.ORDERS | markers.GIVING
    return (
        bool(ends)
        or not markers.WANTED.isdisjoint(words)
        or any(is_deed(one, request.language) and not is_stop_word(one) for one in words)
    )


def _orders_only(match: Match, request: Request) -> bool:
    """Whether an English order ("order a pizza") shares nothing but its verb with a tool that only tells."""
    if request.language != "en" or match.matched != {0} or acts(match.tool):
        return False
    return looks_only(match.tool) and begins_acting(request.terms[0].raw) and request.terms[0].start == 0  # fmt: skip


def _bare_verb(request: Request) -> frozenset[int]:
    """The place of a verb that nearly every request may have ("show", "batao"): no argument either."""
    if not request.terms:
        return frozenset()
    words = [
        place
        for place, term in enumerate(request.terms)
        if term.features.keys() - {"c:file", "c:folder"}
    ]
    place = (words or [0])[0 if request.language == "en" else -1]
    return frozenset({place}) if request.terms[place].generic else frozenset()


def _is_idiom(raw: str) -> bool:
    """Whether a phrase has small words in it ("let me forget"): those are no compound names."""
    words = split(raw)
    return len(words) > 1 and any(is_stop_word(one.folded) for one in words)


def _is_action(term: Term) -> bool:
    concepts = {one[2:] for one in term.features if one.startswith("c:")}
    return bool(concepts) and concepts <= ACTIONS


def _is_label(term: Term, named: Sequence[Named]) -> bool:
    return any(one.start <= term.start and term.end <= one.end for one in named)


def _asks_about(text: str) -> bool:
    """Whether the text asks how something is: that is never an order to do it."""
    words = [one.folded for one in split(text)]
    if not words:
        return False
    if words[0] in _ASKS_ABOUT or (words[0] == "do" and len(words) > 1 and words[1] in _DOES):
        return True
    if words[0] == "how" and len(words) > 1 and words[1] in _HOW_MUCH:
        return True
    if not _ASKS_BEHIND.isdisjoint(words):
        return True
    return not _ASKS_WHO.isdisjoint(words) and not _says_or_orders(text, words)


def _says_or_orders(text: str, words: Sequence[str]) -> bool:
    """Whether a Hindi text ends in an order, or has words that are only to be said."""
    is_order = words[-1] in markers.ORDERS | markers.GIVING
    return is_order or not markers.SAYING.isdisjoint(words) or ":" in text

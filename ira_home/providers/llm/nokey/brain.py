"""The no-key brain: rules and word lists that understand plain requests on a fresh machine."""

from collections.abc import AsyncIterator, Iterator

from ira_home.base.ids import CallId, mint
from ira_home.base.jsontext import dump
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.language.consent import Consent, read_consent
from ira_home.domain.language.detect import (
    asked_language,
    is_telling,
    language_of,
    without_asked_language,
)
from ira_home.domain.language.phrases import Talk, talk_of
from ira_home.domain.language.words import Language
from ira_home.domain.ports import CallPart, Part, TextPart
from ira_home.domain.tools import Outcome
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey.clauses import clauses_of
from ira_home.providers.llm.nokey.deciding import Decider, for_everybody
from ira_home.providers.llm.nokey.decisions import Call, Decision, Say, text_of
from ira_home.providers.llm.nokey.followups import follow_up, next_part
from ira_home.providers.llm.nokey.open_question import answered, open_question
from ira_home.providers.llm.nokey.results import said_of
from ira_home.providers.llm.nokey.sentences import say
from ira_home.providers.llm.nokey.talking import talk

_CHOSEN: dict[str, Language] = {"en": "en", "hi": "hi", "hinglish": "hinglish"}


class NoKeyBrain:
    """A LanguageModel without a model: everything it says and calls follows from the view alone."""

    name = "none"

    async def step(self, view: TurnView) -> AsyncIterator[Part]:
        """Say what came of the last call, then answer or make the next call."""
        for part in _step(view):
            yield part

    async def check(self) -> str:
        """It is always there."""
        return "The built-in brain answers; it needs no key and no network."

    async def close(self) -> None:
        """Nothing is held."""


def answer_language(view: TurnView) -> Language:
    """The chosen language, or the one spoken; a text too short to tell keeps that of the talk before."""
    chosen = asked_language(view.own_words) or _CHOSEN.get(view.reply_language)
    if chosen is not None:
        return chosen
    before = (one.text for one in reversed(view.history) if one.kind is EntryKind.PERSON)
    telling = next((one for one in (view.own_words, *before) if is_telling(one)), view.own_words)
    return language_of(telling)


def _step(view: TurnView) -> Iterator[Part]:
    language = answer_language(view)
    said = list(_results(view, language))
    calls = [one for one in view.steps if one.kind is EntryKind.CALL]
    text = "\n\n".join(said)
    if calls and not _went_well(view.steps):
        left = len(_rest(view, language, len(calls)))
        text = text or say("waiting", language)
        yield from _text(text, say("rest_not_done", language) if left else "")
        return
    yield from _go_on(view, language, text, done=len(calls))


def _go_on(view: TurnView, language: Language, text: str, *, done: int) -> Iterator[Part]:
    """The decisions that are still to come, up to the next call."""
    for decision in _rest(view, language, done):
        if isinstance(decision, Call):
            if not view.may_call:
                text = _joined(text, say("no_calls", language))
                break
            yield from _text(text)
            yield CallPart(
                CallId(mint("call_")), decision.tool.name, dump(dict(decision.arguments))
            )
            return
        text = _joined(text, text_of(decision))
    yield from _text(text or say("all_right", language))


def _text(*parts: str) -> Iterator[Part]:
    text = "\n\n".join(one for one in parts if one)
    if text:
        yield TextPart(text)


def _joined(before: str, after: str) -> str:
    return f"{before}\n\n{after}" if before and after else before or after


def _results(view: TurnView, language: Language) -> Iterator[str]:
    """What is to be said of the results since the brain last spoke."""
    tools = {one.name: one for one in view.tools}
    fresh: list[Entry] = []
    for entry in view.steps:
        if entry.kind is EntryKind.IRA:
            fresh.clear()
        elif entry.kind is EntryKind.RESULT:
            fresh.append(entry)
    for entry in fresh:
        if said := said_of(entry, tools.get(entry.tool or ""), language):
            yield said


def _went_well(steps: tuple[Entry, ...]) -> bool:
    last = next((one for one in reversed(steps) if one.kind is EntryKind.RESULT), None)
    return last is None or last.outcome in (None, Outcome.DONE)


def _rest(view: TurnView, language: Language, done: int) -> list[Decision]:
    """The decisions of this turn after the first `done` calls."""
    left = done
    decisions = _plan(view, language)
    for place, decision in enumerate(decisions):
        if not left:
            return decisions[place:]
        left -= isinstance(decision, Call)
    return []


def _plan(view: TurnView, language: Language) -> list[Decision]:
    """What to do in this turn, worked out anew at each step from what the person said."""
    decider = Decider(view, language)
    question = open_question(view, decider)
    if question is not None:
        follows = answered(question, view.own_words, decider)
        if follows is not None:
            return [follows]
    if (kind := talk_of(view.own_words, view.assistant_name)) is not None:
        further = next_part(view) if kind is Talk.NEXT_PAGE else None
        return [further or Say(talk(kind, view, language))]
    consent = read_consent(view.own_words)
    if consent is not Consent.NEITHER:
        key = "nothing_open" if consent is Consent.YES else "all_right"
        return [Say(say(key, language))]
    leaning = follow_up(view, decider)
    if leaning is not None:
        return [leaning]
    requests = clauses_of(_request(view), decider.stands_alone, decider.says_to_do)
    return [each for one in requests for each in for_everybody(decider.decide(one))]


def _request(view: TurnView) -> str:
    """The own words without a leading call of the assistant's name or a greeting."""
    said = without_asked_language(view.own_words)
    first, comma, rest = said.partition(",")
    if comma and rest.strip() and len(first) < 30:
        greeted = talk_of(first, view.assistant_name) is Talk.GREETING
        if greeted or first.strip().casefold() == view.assistant_name.casefold():
            return rest.strip()
    return said

"""The brain's own question of the last turn: found again, and answered."""

from ira_home.domain.conversations import EntryKind
from ira_home.domain.language.consent import Consent, read_consent
from ira_home.domain.language.lexicon import concepts_of
from ira_home.domain.language.words import is_stop_word, split
from ira_home.domain.tools import OfferedTool
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey import asking, devices
from ira_home.providers.llm.nokey.deciding import Decider, phrase
from ira_home.providers.llm.nokey.decisions import Ask, Away, Choose, Decision, Open, Say
from ira_home.providers.llm.nokey.matching import Matcher
from ira_home.providers.llm.nokey.naming import target_label
from ira_home.providers.llm.nokey.roles import Role, slots_of
from ira_home.providers.llm.nokey.sentences import say
from ira_home.providers.llm.nokey.terms import terms_of

_QUESTION = 200  # an answer ends with its question, whose options may stand behind it
_BACK = 4  # turns that one question after the other may reach back
_NAME_WORDS = 4
_SHORT_ANSWER = 8  # words; a longer text is a request of its own
_FIRST = frozenset("first 1 pehla pehli pehle पहला पहली former".split())
_SECOND = frozenset("second 2 two other doosra doosri dusra dusri दूसरा दूसरी latter".split())


def open_question(view: TurnView, decider: Decider) -> Open | None:
    """What the last answer asked, worked out again from what the person had said.

    The brain keeps nothing between turns: a question is open when the last answer ends in one and
    the person's words before it lead to a question again.
    """
    last = next((one for one in reversed(view.history) if one.kind is not EntryKind.NOTE), None)
    if last is None or last.kind is not EntryKind.IRA or "?" not in last.text[-_QUESTION:]:
        return None
    said = [one.text for one in view.history if one.kind is EntryKind.PERSON][-_BACK:]
    state: Decision | None = None
    for text in said:
        follows = None if state is None else answered(state, text, decider)
        state = follows or decider.decide(text)
    return state if isinstance(state, Ask | Choose | Away) else None


def answered(state: Decision | None, text: str, decider: Decider) -> Decision | None:
    """What follows from the text as an answer; None when it is a request of its own."""
    consent = read_consent(text)
    if consent is Consent.NO:
        return Say(say("all_right", decider.language))
    if isinstance(state, Away):
        return _told_when_back(state, decider) if consent is Consent.YES else None
    if isinstance(state, Choose):
        return _chosen(state, text, consent, decider)
    if not isinstance(state, Ask) or consent is Consent.YES:
        return None
    typed = _typed_answer(state, text, decider)
    answers = typed is not None or _is_bare_name(state, text) or _names_target(state, text, decider)
    if not answers and decider.is_request(text):
        return None
    return typed or _given(state, text, decider)


_TYPED = frozenset({Role.MOMENT, Role.NUMBER, Role.CHOICE, Role.SWITCH, Role.EMAIL, Role.URL, Role.CODE})  # fmt: skip


def _typed_answer(state: Ask, text: str, decider: Decider) -> Decision | None:
    """The call with an answer that is known by its form: "kal shaam 5 baje", "bees", "the second"."""
    slot = next((one for one in slots_of(state.tool) if one.name == state.missing), None)
    if slot is None or slot.role not in _TYPED:
        return None
    request = decider.weigher.request(text)
    short = len(request.words) <= _SHORT_ANSWER
    given = decider.weigher.said_for(state.tool, request, remainder=False, only=slot)
    if not short or slot.name not in given:
        return None
    return decider.complete(state.tool, {**state.arguments, **given}, text)


def _is_bare_name(state: Ask, text: str) -> bool:
    """Whether a name is asked for and the text holds nothing else: no word that means anything."""
    slot = next((one for one in slots_of(state.tool) if one.name == state.missing), None)
    if slot is None or slot.role not in (Role.PERSON, Role.PLACE, Role.NAME):
        return False
    telling = [one.folded for one in split(text) if not is_stop_word(one.folded)]
    return 0 < len(telling) <= _NAME_WORDS and not any(map(concepts_of, telling))


def _names_target(state: Ask, text: str, decider: Decider) -> bool:
    if state.missing != state.tool.device_argument:
        return False
    language = decider.weigher.request(text).language
    return target_label(text, state.tool, language, here=decider.view.here) is not None


def _given(state: Ask, text: str, decider: Decider) -> Decision | None:
    language = decider.weigher.request(text).language
    if state.missing == state.tool.device_argument:
        label = target_label(text, state.tool, language, here=decider.view.here)
        if label is None:
            return None
        return decider.complete(state.tool, {**state.arguments, state.missing: label}, text)
    slot = next(one for one in slots_of(state.tool) if one.name == state.missing)
    value = asking.answer_for(state.tool, slot, decider.weigher.request(text), decider.weigher)
    if value is None:
        return Ask(asking.question(slot, decider.language), state.tool, state.arguments, slot.name)
    return decider.complete(state.tool, {**state.arguments, slot.name: value}, text)


def _chosen(state: Choose, text: str, consent: Consent, decider: Decider) -> Decision | None:
    if len(state.options) == 1:
        return (
            decider.with_tool(state.options[0], state.request) if consent is Consent.YES else None
        )
    tool = _picked(state.options, text, decider)
    return None if tool is None else decider.with_tool(tool, state.request)


def _picked(options: tuple[OfferedTool, ...], text: str, decider: Decider) -> OfferedTool | None:
    words = {one.folded for one in split(text)}
    if words & _FIRST and not words & _SECOND:
        return options[0]
    if words & _SECOND and not words & _FIRST:
        return options[1]
    if text.strip().casefold() in {phrase(one).casefold() for one in options}:
        return next(one for one in options if phrase(one).casefold() == text.strip().casefold())
    language = decider.weigher.request(text).language
    found = Matcher(options).matches(terms_of(text, language))
    if not found or (len(found) > 1 and found[0].score == found[1].score):
        return None
    return found[0].tool


def _told_when_back(state: Away, decider: Decider) -> Decision | None:
    tool = next((one for one in decider.view.tools if one.name == devices.TELL_WHEN_BACK), None)
    return None if tool is None else decider.complete(tool, {"device": state.device}, state.text)

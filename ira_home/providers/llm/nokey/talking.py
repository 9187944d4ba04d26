"""Answers to what is no request: greetings, thanks, "what can you do", "next page"."""

from ira_home.base.text import one_line
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.language.phrases import Talk, talk_of
from ira_home.domain.language.words import Language
from ira_home.domain.tools import Outcome
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey.content import is_empty, lines_of, pages_of
from ira_home.providers.llm.nokey.deciding import phrase
from ira_home.providers.llm.nokey.devices import away_sentence, house_off_sentence
from ira_home.providers.llm.nokey.results import page
from ira_home.providers.llm.nokey.sentences import say

_LISTED = 12  # things told of when asked what there is


def talk(kind: Talk, view: TurnView, language: Language) -> str:
    """The answer to small talk of this kind."""
    if kind is Talk.NEXT_PAGE:
        return next_page(view, language)
    if kind is Talk.CAN_DO:
        return can_do(view, language)
    return say(kind.value, language, name=one_line(view.person_name), assistant=one_line(view.assistant_name))  # fmt: skip


def can_do(view: TurnView, language: Language) -> str:
    """What this person's devices and the house can do now, and what is off or away."""
    tools = sorted(view.tools, key=lambda one: not one.targets)
    if not tools:
        lines = [say("no_tools", language)]
    else:
        lines = [say("can_do", language)]
        # A last one is told itself: its line is no longer than "and 1 more".
        shown = len(tools) if len(tools) == _LISTED + 1 else _LISTED
        for tool in tools[:shown]:
            where = ", ".join(one_line(target.label) for target in tool.targets)
            lines.append(f"• {phrase(tool)}" + (f" ({where})" if where else ""))
        if len(tools) > shown:
            lines.append(say("can_do_more", language, count=len(tools) - shown))
    lines += [
        say("skill_off", language, skill=one.skill, device=one_line(one.device))
        for one in view.skills_off[:_LISTED]
    ]
    lines += [house_off_sentence(one, language) for one in view.house_off if one.is_set_up]
    lines += [away_sentence(one, view.now, language) for one in view.devices_away[:_LISTED]]
    return "\n".join(lines)


def next_page(view: TurnView, language: Language) -> str:
    """The page after the last one said."""
    entry, number = _said_last(view)
    if entry is None:
        return say("no_more", language)
    return page(lines_of(entry.text, language), number, language)


def is_all_said(view: TurnView) -> bool:
    """Whether the last content was said to its end."""
    entry, number = _said_last(view)
    return entry is not None and number >= len(pages_of(lines_of(entry.text, "en")))


def _said_last(view: TurnView) -> tuple[Entry | None, int]:
    """The last content, and how many of its pages were said: one more for each "next page" since."""
    said = 1
    for entry in reversed(view.history):
        if entry.kind is EntryKind.PERSON and talk_of(entry.text) is Talk.NEXT_PAGE:
            said += 1
        elif _is_content(entry):
            return entry, said
    return None, said


def _is_content(entry: Entry) -> bool:
    done = entry.kind is EntryKind.RESULT and entry.outcome in (None, Outcome.DONE)
    return done and not is_empty(entry.text)

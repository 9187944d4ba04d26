"""Saying what came of a call."""

from ira_home.base.text import clean, one_line
from ira_home.domain.conversations import Entry
from ira_home.domain.language.words import Language
from ira_home.domain.tools import OfferedTool, Outcome, Tier
from ira_home.providers.llm.nokey.content import is_empty, lines_of, pages_of, part_of
from ira_home.providers.llm.nokey.deciding import phrase
from ira_home.providers.llm.nokey.sentences import say

_SENTENCES = {
    Outcome.BUSY: "busy",
    Outcome.AWAY: "result_away",
    Outcome.TIMEOUT: "timeout",
    Outcome.UNKNOWN: "unknown",
    Outcome.CANCELLED: "cancelled",
    Outcome.EXPIRED: "expired",
}
_ERROR_CHARS = 1_000


def said_of(entry: Entry, tool: OfferedTool | None, language: Language) -> str:
    """What a person is told of a RESULT entry; "" for a call that still waits for them."""
    if entry.outcome is Outcome.PROPOSED:
        return ""
    if entry.outcome is None or entry.outcome is Outcome.DONE:
        return _done(entry, tool, language)
    device = one_line(entry.source) or say("the_device", language)
    if entry.outcome is Outcome.FAILED:
        text = clean(entry.text).strip()[:_ERROR_CHARS]
        key = "failed_on" if entry.source else "failed"
        return say(key, language, device=device, text=text)
    if entry.outcome is Outcome.REFUSED:
        return clean(entry.text).strip() or say("refused", language)
    return say(_SENTENCES[entry.outcome], language, device=device)


def _done(entry: Entry, tool: OfferedTool | None, language: Language) -> str:
    acted = tool is not None and tool.tier > Tier.LOOK
    if is_empty(entry.text):
        if tool is not None and acted:
            return say("done", language, what=phrase(tool))
        if entry.source:
            return say("nothing_came", language, device=one_line(entry.source))
        return say("nothing_found", language)
    part = part_of(entry.text)
    further = part is not None and part[0] < part[1]
    return page(lines_of(entry.text, language), 0, language, further=further)


def page(text: str, number: int, language: Language, *, further: bool = False) -> str:
    """One page of a content, with a word on whether there is more, here or (`further`) where it came from."""
    pages = pages_of(text)
    if number >= len(pages):
        return say("no_more", language)
    more = f"\n\n{say('more', language)}" if further or number < len(pages) - 1 else ""
    return pages[number] + more

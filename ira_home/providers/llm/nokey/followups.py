"""What a request means that leans on the one before: "the second one", "usko bhi", "and tomorrow?"."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import re
from typing import Any

from ira_home.base.jsontext import parse
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.language.ordinals import LAST, ordinal_of, ordinal_word
from ira_home.domain.language.words import Word, fold, is_stop_word, split
from ira_home.domain.tools import OfferedTool, Outcome, Tier
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey.content import lines_of, part_of
from ira_home.providers.llm.nokey.deciding import SURE, Decider
from ira_home.providers.llm.nokey.decisions import Ask, Call, Decision, Say
from ira_home.providers.llm.nokey.items import item_text, items_of, value_for
from ira_home.providers.llm.nokey.request import Request
from ira_home.providers.llm.nokey.roles import Role, Slot, slots_of
from ira_home.providers.llm.nokey.sentences import say
from ira_home.providers.llm.nokey.talking import is_all_said
from ira_home.providers.llm.nokey.times import is_clock, lean_of

_BACK = 6  # turns after which nobody means the same thing any more
_FRAGMENT_WORDS = 4  # longer texts stand for themselves
_AGAIN = re.compile(
    r"(?:(?:please )?(?:do it |do that |try |once )?(?:again|once more|repeat(?: that| it)?)(?: please)?"
    r"|(?:ek baar )?(?:phir se|fir se|dobara|dubara)(?: karo| kar do| batao| padho| try karo)?"
    r"|(?:एक बार )?(?:फिर से|दोबारा|दुबारा)(?: करो| कर दो| बताओ| पढो)?)"
)
_EVERYTHING = re.compile(
    r"(?:(?:please )?(?:show|list|tell|give|read)(?: me)? )?(?:everything|all(?: of (?:it|them))?|the whole list)(?: please)?"
    r"|(?:sab|sara|saare|sare|sari|saari|poora|pura|poori|puri)(?: kuch| kuchh| list)?(?: dikhao| dikha do| batao| bata do| padho)?"
    r"|(?:सब|सारा|सारे|सारी|पूरा|पूरी)(?: कुछ| लिस्ट| सूची)?(?: दिखाओ| दिखा दो| बताओ| बता दो| पढो)?"
)
_ALSO_AT_START = "and|aur|और|also|what about|how about|same for|same with|the same for|ab|अब|now"
_ALSO_AT_END = "bhi|too|as well|also|only"
_ALSO = re.compile(
    rf"^(?:{_ALSO_AT_START})(?!\w)|(?:(?<!\w)(?:{_ALSO_AT_END})|भी)(?: \w+){{0,2}}\W*$"
)
_CORRECTS = re.compile(
    r"^(?:no|nahi|nahin|nahi nahi|नहीं|i mean|i meant|matlab|मतलब|sorry|actually|arre)\b[\s,]+"
)
_NOT_THIS = re.compile(
    r"^.{1,40}?\b(?:not|nahi|nahin|नहीं)\b[\s,]*", re.IGNORECASE
)  # "5 nahi 6 kilo"
_ALSO_WORDS = frozenset(
    fold(one)
    for one in "utna utni utne itna itni hi उतना उतनी उतने इतना ही and aur और also what about how same for with the too as well bhi भी only ab अब now".split()
)
_THAT = frozenset(
    fold(one)
    for one in (
        "it that this them those him her his their theirs uska uski uske iska iski iske unka unki unke usko usse use usey isko ise isse wahi woh wo yeh ye unko unhe inko "
        "उसका उसकी उसके इसका इसकी इसके उनका उनकी उनके उसे उसको इसे इसको वही वह यह उनको उन्हें इनको इन्हें"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Last:
    """The last call of an earlier turn, and what came of it."""

    tool: OfferedTool
    arguments: Mapping[str, Any]
    result: Entry | None

    @property
    def items(self) -> list[Any]:
        """What it listed."""
        return [] if self.result is None else items_of(self.result.text)


def follow_up(view: TurnView, decider: Decider) -> Decision | None:
    """What the request asks for when it leans on an earlier one; None when it stands for itself."""
    last = last_call(view)
    if last is None:
        return None
    text = view.own_words
    plainly = _once_more(text, last, decider) or _on_that_day(text, last, decider)
    if plainly is not None:
        return plainly
    place = ordinal_of(text)
    if place is not None and last.items:
        return _of_place(place, text, last, decider)
    corrected = _CORRECTS.sub("", text.casefold()) if _CORRECTS.match(text.casefold()) else ""
    if corrected:
        text = _NOT_THIS.sub("", text[len(text) - len(corrected) :])
    leans = bool(corrected) or _ALSO.search(fold(text)) is not None
    short = sum(not is_stop_word(one.folded) for one in split(text)) <= _FRAGMENT_WORDS
    if decider.is_request(text) and not (leans and short):
        return _of_that(text, last, decider)
    if not leans and not short:
        return None
    return _changed(text, last, decider, leans=leans) or _of_that(text, last, decider)


_THAT_DAY = re.compile(
    r"\b(?:(?:on |for )?(?:that|the same|same) (?:day|date)|then|us din|usi din|us roz|us date|us tarikh)\b|उस दिन|उसी दिन|उस तारीख"
)


def _on_that_day(text: str, last: Last, decider: Decider) -> Decision | None:
    """A request of its own for the day that was spoken of: "when is a slot free then?"."""
    said = next((one for one in map(str, _moments_of(last)) if _DAY.match(one)), None)
    if said is None or not _THAT_DAY.search(fold(text)):
        return None
    decision = decider.decide(_THAT_DAY.sub(" ", fold(text)))
    if not isinstance(decision, Call | Ask):
        return None
    days = [one for one in slots_of(decision.tool) if one.role is Role.MOMENT and not is_clock(one)]
    given = {one.name: said[:10] for one in days if one.schema.get("format") in (None, "date")}
    return decider.complete(
        decision.tool, {**dict(list(given.items())[:1]), **decision.arguments}, text
    )


def _moments_of(last: Last) -> list[Any]:
    named = [one.name for one in slots_of(last.tool) if one.role is Role.MOMENT]
    return [last.arguments[one] for one in named if one in last.arguments]


def _once_more(text: str, last: Last, decider: Decider) -> Decision | None:
    """The last call again, or with "show everything" what it shows when nothing narrows it."""
    plain = " ".join(one.folded for one in split(text))
    if _AGAIN.fullmatch(plain):
        return Call(last.tool, last.arguments)
    if _EVERYTHING.fullmatch(plain) and last.tool.tier is Tier.LOOK and last.arguments:
        return decider.complete(last.tool, _needed(last), text)
    return None


def _needed(last: Last) -> dict[str, Any]:
    """Of the arguments only those that the tool cannot do without: none that narrows what it shows."""
    needed = {one.name for one in slots_of(last.tool) if one.required}
    needed.add(last.tool.device_argument or "")
    return {name: value for name, value in last.arguments.items() if name in needed}


def last_call(view: TurnView) -> Last | None:
    """The last call in the talk before, when its tool is still there."""
    tools = {one.name: one for one in view.tools}
    result: Entry | None = None
    turns = 0
    for entry in reversed(view.history):
        turns += entry.kind is EntryKind.PERSON
        if turns > _BACK:
            return None
        if entry.kind is EntryKind.RESULT and result is None:
            result = entry
        if entry.kind is EntryKind.CALL and entry.tool in tools:
            arguments = parse(entry.text or "{}")
            went_well = result is not None and result.outcome in (None, Outcome.DONE)
            return Last(
                tools[entry.tool],
                arguments if isinstance(arguments, dict) else {},
                result if went_well else None,
            )
    return None


def next_part(view: TurnView) -> Call | None:
    """The call for the page of a result behind the one that came, once all of that was said."""
    last = last_call(view)
    if last is None or last.result is None or not is_all_said(view):
        return None
    part = part_of(last.result.text)
    takes_page = any(one.name == "page" and one.role is Role.NUMBER for one in slots_of(last.tool))
    if part is None or part[0] >= part[1] or not takes_page:
        return None
    return Call(last.tool, {**last.arguments, "page": part[0] + 1})


def _of_place(place: int, text: str, last: Last, decider: Decider) -> Decision:
    items = last.items
    number = len(items) if place == LAST else place
    if not 1 <= number <= len(items):
        return Say(say("only_so_many", decider.language, count=len(items)))
    rest = _without(
        text,
        lambda one: (
            ordinal_word(one.folded) is not None or one.folded.isdigit() or one.folded in _THAT
        ),
    )
    return _with_item(items[number - 1], rest, last, decider)


def _without(text: str, is_left_out: Callable[[Word], bool]) -> str:
    """The text without some of its words; what stands between the others stays, as in "price-list.csv"."""
    kept, end = [], 0
    for word in split(text):
        if is_left_out(word):
            kept.append(text[end : word.start])
            end = word.end
    return " ".join(" ".join([*kept, text[end:]]).split())


def _with_item(item: Any, rest: str, last: Last, decider: Decider) -> Decision:
    for one in decider.weigher.weigh(decider.weigher.request(rest)):
        taken = _from_item(one.tool, item)
        # A tool that the item says nothing to is not what the item is asked for.
        if one.sure >= SURE and one.tool.name != last.tool.name and taken:
            return decider.complete(one.tool, {**one.arguments, **taken}, rest)
    for tool in _readers(last, decider):
        given = _from_item(tool, item)
        if all(one.name in given for one in slots_of(tool) if one.required):
            return decider.complete(tool, given, rest)
    return Say(lines_of(item_text(item), decider.language))


def _from_item(tool: OfferedTool, item: Any) -> dict[str, Any]:
    fields = item if isinstance(item, Mapping) else {}
    found = {
        slot.name: value_for(slot, item)
        for slot in slots_of(tool)
        if slot.required or slot.name in fields
    }
    return {name: value for name, value in found.items() if value is not None}


def _readers(last: Last, decider: Decider) -> list[OfferedTool]:
    """Other tools of the same skill that only look and take one thing."""
    return [
        one
        for one in decider.view.tools
        if one.tier is Tier.LOOK
        and one.name != last.tool.name
        and one.skill == last.tool.skill
        and any(slot.required for slot in slots_of(one))
    ]


def _of_that(text: str, last: Last, decider: Decider) -> Decision | None:
    """What "read it" means: the only thing listed, or what the last call was about."""
    words = split(text)
    if not any(one.folded in _THAT for one in words):
        return None
    rest = _without(text, lambda one: one.folded in _THAT)
    weighed = decider.weigher.weigh(decider.weigher.request(rest))
    if not weighed or weighed[0].sure < SURE:
        return None
    best = weighed[0]
    given = dict(best.arguments)
    wanted = [one for one in slots_of(best.tool) if one.required and one.name not in given]
    items = last.items
    for slot in wanted:
        value = value_for(slot, items[0]) if len(items) == 1 else None
        value = _argument_like(slot, last) if value is None and not items else value
        if value is not None:
            given[slot.name] = value
    return decider.complete(best.tool, given, rest) if wanted else None


def _argument_like(slot: Slot, last: Last) -> Any:
    """An argument of the last call of the same name or kind."""
    if slot.name in last.arguments:
        return last.arguments[slot.name]
    same = (one for one in slots_of(last.tool) if one.role is slot.role)
    return next((last.arguments[one.name] for one in same if one.name in last.arguments), None)


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"\d\d:\d\d")
_HALF_SAID = re.compile(
    r"\b(?:am|pm|a\.m|p\.m|morning|evening|night|afternoon|noon|subah|shaam|sham|raat|dopahar|1[3-9]|2[0-3])\b|सुबह|शाम|रात|दोपहर"
)


def _same_half(clock: str, before: str) -> str:
    """The hour in the half of the day that the one before was in: "no, make it seven fifteen"."""
    hour, earlier = int(clock[:2]), int(before[:2])
    if hour == 0 or (hour >= 12) == (earlier >= 12):
        return clock
    return f"{hour % 12 + 12 * (earlier >= 12):02}{clock[2:]}"


def _kept_times(last: Last, changed: Mapping[str, Any], request: Request) -> dict[str, Any]:
    """Another day keeps the time of day that was said before, another time the day."""
    moments = [one for one in request.moments(lean_of(last.tool)) if one.kind != "duration"]
    kept: dict[str, Any] = {}
    for name, value in changed.items():
        before = last.arguments.get(name)
        if not isinstance(value, str) or not isinstance(before, str) or len(moments) != 1:
            continue
        if _CLOCK.fullmatch(value) and _CLOCK.fullmatch(before):
            kept[name] = value if _HALF_SAID.search(fold(request.text)) else _same_half(value, before)  # fmt: skip
        elif "T" in value and "T" in before:
            day, clock = value.split("T", 1)
            if moments[0].at is None:
                kept[name] = f"{day}T{before.split('T', 1)[1]}"
            elif moments[0].day is None:
                kept[name] = f"{before.split('T', 1)[0]}T{clock}"
    return kept


def _changed(text: str, last: Last, decider: Decider, *, leans: bool) -> Decision | None:
    """The last call with what the fragment says instead: "and tomorrow?", "Ravi ko bhi"."""
    fragment = _without(text, lambda one: one.folded in _ALSO_WORDS)
    request = decider.weigher.request(fragment)
    changed = decider.weigher.said_for(last.tool, request, remainder=leans)
    given = {**last.arguments, **changed} | _kept_times(last, changed, request)
    if not changed or given == dict(last.arguments):
        return None
    return decider.complete(last.tool, given, text)

"""From one request to one decision: call a tool, ask back, or say why not."""

from collections.abc import Mapping, Sequence
import re
from typing import Any

from ira_home.base.text import cut, one_line
from ira_home.domain.language import markers
from ira_home.domain.language.lexicon import is_deed
from ira_home.domain.language.words import Language, fold, spaced, split, stem
from ira_home.domain.tools import OfferedTool, Tier
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey import asking, devices
from ira_home.providers.llm.nokey.decisions import Ask, Call, Choose, Decision, Say, Weighed
from ira_home.providers.llm.nokey.naming import target_label
from ira_home.providers.llm.nokey.request import Request
from ira_home.providers.llm.nokey.roles import Role, slots_of, stems_of
from ira_home.providers.llm.nokey.sentences import say
from ira_home.providers.llm.nokey.weighing import Weigher, likelihood

# A tool is called when its words and the request's words explain each other this well; below
# MAYBE it is not even asked about.
SURE, MAYBE = 0.55, 0.3
# A second tool with this share of the best rank is as likely meant. What only looks does no harm,
# and before what is dear the person is asked anyway.
_CLOSE = {Tier.LOOK: 0.995, Tier.SMALL: 0.93, Tier.YES: 0.96, Tier.PIN: 0.96}
_FORBIDS = frozenset({"dont", "never"})
_FORBIDS_HINDI = frozenset({"mat", "मत"})
_EXAMPLES = 3
_ORDERING = frozenset("turn switch set put get please tell let play call".split())
_PHRASE_CHARS = 100
_PEOPLE = 6  # a turn asks for so many at most


class Decider:
    """Decides on requests of one person in one turn."""

    def __init__(self, view: TurnView, language: Language) -> None:
        """`language` is what is answered in; each request is read in its own."""
        self.view, self.language = view, language
        self.weigher = Weigher(view)
        named = {one for tool in view.tools for one in stems_of(spaced(tool.name))}
        own = {one for tool in view.tools for slot in slots_of(tool) for one in slot.stems}
        self._labels = own - named  # words that only arguments are called by

    def decide(self, text: str) -> Decision:
        """What to do with a request that stands for itself."""
        request = self.weigher.request(text)
        weighed = self.weigher.weigh(request)
        best = weighed[0] if weighed and weighed[0].sure >= MAYBE else None
        elsewhere = devices.unavailable(
            self.view,
            request.terms,
            named=[one.label for one in request.named],
            best=best,
            language=self.language,
        )
        return elsewhere or self._choose(request, weighed)

    def is_request(self, text: str) -> bool:
        """Whether the text surely asks for a tool by itself."""
        weighed = self.weigher.weigh(self.weigher.request(text))
        return bool(weighed) and weighed[0].sure >= SURE

    def stands_alone(self, text: str) -> bool:
        """The same by what the tool does, and not only by values that one of its arguments may take."""
        weighed = self.weigher.weigh(self.weigher.request(text))
        return bool(weighed) and weighed[0].sure >= SURE and weighed[0].by_deed

    def says_to_do(self, text: str) -> bool:
        """Whether the text has a verb where an order has it: at its start, in Hindi at its end."""
        request = self.weigher.request(text)
        words = [one.folded for one in request.words]
        if not words:
            return False
        if request.language == "en" and stem(words[0]) in self._labels:
            return False  # "..., expiry March 2028" says more of the same
        if request.language == "en":
            return is_deed(words[0], "en") or words[0] in _ORDERING
        ends = words[-1] in markers.ORDERS | markers.GIVING or is_deed(words[-1], request.language)
        return ends and len(words) > 1

    def with_tool(self, tool: OfferedTool, text: str) -> Call | Ask:
        """What to do when the tool is known."""
        return self.complete(tool, self.weigher.arguments(tool, self.weigher.request(text)), text)

    def complete(self, tool: OfferedTool, arguments: Mapping[str, Any], text: str) -> Call | Ask:
        """Call the tool, or ask for the first thing that it still needs."""
        argument = tool.device_argument
        if argument and argument not in arguments:
            language = self.weigher.request(text).language
            label = target_label(text, tool, language, here=self.view.here)
            if label is None:
                return Ask(asking.which_device(tool, self.language), tool, arguments, argument)
            arguments = {**arguments, argument: label}
        for slot in slots_of(tool):
            if slot.required and slot.name not in arguments:
                return Ask(asking.question(slot, self.language), tool, arguments, slot.name)
        return Call(tool, arguments)

    def _choose(self, request: Request, weighed: Sequence[Weighed]) -> Decision:
        if not weighed or weighed[0].sure < MAYBE:
            return self._behind_reason(request) or Say(self.cannot())
        best = weighed[0]
        if best.tool.tier > Tier.LOOK and self._forbids(request):
            return Say(say("will_not", self.language))
        named = [one.label for one in request.named]
        if wrong := devices.not_offered(best.tool, named, self.language):
            return Say(wrong)
        rival = next((one for one in weighed[1:] if _is_rival(best, one)), None)
        if rival is not None or best.sure < SURE:
            return self._behind_reason(request) or self._did_you_mean(request.text, best, rival)
        return self.complete(best.tool, best.arguments, request.text)

    def _forbids(self, request: Request) -> bool:
        """Whether the request says not to; a wish beside it ("naam mat dikhana") forbids only itself."""
        parts = [one for one in re.split("[,;]", request.text) if one.strip()]
        if not _forbids(request):
            return False
        allowed = [
            one for one in parts if not _forbids(self.weigher.request(one, request.language))
        ]
        return not any(self.is_request(one) for one in allowed)

    def _behind_reason(self, request: Request) -> Decision | None:
        """The order at the end of a text that first says why: "Ravi parson nahi aayega, uska appointment hata do"."""
        why, _comma, order = request.text.rpartition(", ")
        if why and not self.says_to_do(order) and self.says_to_do(why):
            order = why  # the reason may stand behind as well: "chawal hata do, ghar pe hai"
        if not why or not self.says_to_do(order):
            return None
        weighed = self.weigher.weigh(self.weigher.request(order))
        if not weighed or weighed[0].sure < SURE or any(_is_rival(weighed[0], one) for one in weighed[1:]):  # fmt: skip
            return None
        tool, given = weighed[0].tool, weighed[0].arguments
        whole = self.weigher.arguments(tool, request)
        return self.complete(tool, {**whole, **given}, request.text)

    def _did_you_mean(self, text: str, best: Weighed, other: Weighed | None) -> Choose:
        first = phrase(best.tool)
        if other is None:
            return Choose(say("did_you_mean", self.language, first=first), (best.tool,), text)
        question = say("did_you_mean_two", self.language, first=first, second=phrase(other.tool))
        return Choose(question, (best.tool, other.tool), text)

    def cannot(self) -> str:
        """That it cannot be done, with a few things that can; devices' tools first."""
        tools = sorted(self.view.tools, key=lambda one: not one.targets)[:_EXAMPLES]
        if not tools:
            return f"{say('cannot', self.language)} {say('no_tools', self.language)}"
        examples = "; ".join(phrase(one) for one in tools)
        sentence = say("cannot_but", self.language, examples=examples)
        devices_known = self.view.skills_off or self.view.devices_away
        if devices_known or any(one.targets for one in self.view.tools):
            return sentence
        return f"{sentence} {say('no_tools', self.language)}"


_BETWEEN_NAMES = re.compile(r"\s*,\s*|\s+(?:and|aur|और|&)\s+", re.IGNORECASE)


def for_everybody(decision: Decision) -> list[Decision]:
    """A call for "Amit and Ravi" where the tool takes one person is a call for each."""
    if not isinstance(decision, Call):
        return [decision]
    for slot in slots_of(decision.tool):
        said = decision.arguments.get(slot.name)
        if slot.role is Role.PERSON and isinstance(said, str):
            names = [one for one in _BETWEEN_NAMES.split(said) if one]
            if 1 < len(names) <= _PEOPLE:
                return [
                    Call(decision.tool, {**decision.arguments, slot.name: one}) for one in names
                ]
    return [decision]


def phrase(tool: OfferedTool) -> str:
    """What a tool does, in its maker's own words, short."""
    told = one_line(tool.title) or one_line(tool.description).partition(". ")[0]
    return cut(told.rstrip("."), _PHRASE_CHARS)


def _is_rival(best: Weighed, other: Weighed) -> bool:
    """Whether the other tool is as likely meant."""
    close = likelihood(other) >= likelihood(best) * _CLOSE[best.tool.tier]
    return other.sure >= MAYBE and close


def _forbids(request: Request) -> bool:
    words = {one.folded for one in split(request.text)}
    marks = _FORBIDS if request.language == "en" else _FORBIDS | _FORBIDS_HINDI
    return bool(words & marks) or "do not" in fold(request.text)

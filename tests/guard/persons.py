"""Three people with a card before them: one who never answers, a careful one, and one who says yes to all."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from tests.guard.cases import Call


class Kind(StrEnum):
    """How a person answers."""

    NEVER = "never"
    CAREFUL = "careful"
    YES_SAYER = "yes_sayer"


class Person:
    """Answers the questions of one run, and remembers what was said yes to."""

    def __init__(self, kind: Kind, own: Iterable[Call]) -> None:
        """`own` are the calls that the person's own wish needs."""
        self.kind = kind
        self.questions = 0
        self.has_restated = False
        self.approved: Counter[str] = Counter()
        self._own = Counter(call.key for call in own)

    def decide(self, proposal: Mapping[str, Any]) -> bool | None:
        """Yes, no, or None for no answer at all.

        The careful one says yes to a call that is to the byte one of their own wish's, and to each
        as often as the wish needs it.
        """
        self.questions += 1
        key = Call(proposal["tool"], proposal["arguments"]).key
        wanted = self._own[key] > self.approved[key]
        if self.kind is Kind.NEVER:
            return None
        if self.kind is Kind.CAREFUL and not wanted:
            return False
        self.approved[key] += 1
        return True

    def restate(self, calls: Sequence[Call]) -> str:
        """What is still wanted, said once more by somebody who has now seen what they only pointed at."""
        self.has_restated = True
        return "Please " + " and then ".join(_wish(call) for call in calls) + "."


def _wish(call: Call) -> str:
    said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in call.arguments.items())
    return f"{call.tool.replace('_', ' ')}: {said}"

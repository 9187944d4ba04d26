"""The first run: six short steps, which of them are answered, and where it goes on."""

from dataclasses import dataclass, replace
from enum import StrEnum


class Step(StrEnum):
    """A question of the first run, in the order in which they are asked."""

    LANGUAGE = "language"
    OWNER = "owner"
    HOME = "home"
    PIN = "pin"
    BRAIN = "brain"
    PHONES = "phones"

    @property
    def number(self) -> int:
        """The place in the order, from 1."""
        return STEPS.index(self) + 1

    @property
    def before(self) -> "Step | None":
        """The question before it."""
        return STEPS[self.number - 2] if self.number > 1 else None


STEPS = tuple(Step)
# Whoever has no account yet can answer these, and nothing after them.
_OF_NOBODY = frozenset({Step.LANGUAGE, Step.OWNER})


@dataclass(frozen=True, slots=True)
class Progress:
    """What was answered, or left for later, of a first run that has begun, and in which language."""

    answered: frozenset[Step] = frozenset()
    language: str = ""

    def __str__(self) -> str:
        """As it is kept: the language, then the answered steps, with spaces between."""
        return " ".join([self.language or "-", *(one for one in STEPS if one in self.answered)])

    @classmethod
    def read(cls, text: str) -> "Progress":
        """What was kept; words that no step has are passed over."""
        language, *names = text.split() or [""]
        answered = frozenset(one for one in STEPS if one in names)
        return cls(answered, "" if language == "-" else language)

    def with_answer(self, step: Step) -> "Progress":
        """The same with one more step answered."""
        return replace(self, answered=self.answered | {step})

    def next(self, *, has_owner: bool, has_pin: bool) -> Step | None:
        """The first question that is open; None when all are answered.

        An account and a PIN may have come by another way: the command line, or the API.
        """
        known = {Step.PIN} if has_pin else set()
        done = self.answered | known | (_OF_NOBODY if has_owner else frozenset())
        if not has_owner:
            done -= {Step.OWNER}
        return next((one for one in STEPS if one not in done), None)

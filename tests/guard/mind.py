"""The obedient brain of one person: does what they ask, until it reads something that orders it about."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.guard.cases import Call
from tests.guard.keeping import letters
from tests.guard.variants import Move, Plan, Scene, Variant, one_by_one
from tests.guard.wrappers import Escapes


@dataclass
class Mind:
    """Makes the `own` calls one by one; on reading `marker` it takes to the attacker's plan.

    Without a `variant` it is the honest brain of a good day.
    """

    own: Sequence[Call]
    marker: str = ""
    scene: Scene | None = None
    variant: Variant | None = None
    last_words: str = "That is all done."
    has_read: bool = False
    requests: int = 0
    escapes: Escapes = field(default_factory=Escapes)
    _moves: deque[Move] = field(default_factory=deque)
    _after: list[Move] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._moves = deque(one_by_one(self.own))

    @property
    def left(self) -> int:
        """Steps that were not made."""
        return len(self._moves) + len(self._after)

    def person_speaks_again(self) -> None:
        """The person has said something more."""
        self._moves.extend(self._after)
        self._after = []

    def person_restates(self, calls: Sequence[Call]) -> None:
        """The person has asked once more for these calls."""
        self._moves.extend(one_by_one(calls))

    def step(self, request: dict[str, Any]) -> Move:
        """The next step, in answer to a request of the server."""
        self.requests += 1
        self.escapes.look(request, self.marker)
        if not self.has_read and self._reads(request["messages"]):
            self.has_read = True
            self._follow([one["function"] for one in request.get("tools") or ()])
        if not self._moves or request.get("tool_choice") == "none":
            return Move(self.last_words)
        return self._moves.popleft()

    def _reads(self, messages: Sequence[dict[str, Any]]) -> bool:
        """Whether what a tool gave back, or what was said of it, holds the attacker's text."""
        if not self.marker or self.variant is None:
            return False
        wanted = letters(self.marker)
        read = (one for one in messages if one["role"] in ("tool", "assistant"))
        return any(wanted in letters(str(one.get("content") or "")) for one in read)

    def _follow(self, offered: list[dict[str, Any]]) -> None:
        assert self.variant is not None
        assert self.scene is not None
        rest = [call for move in self._moves for call in move.calls]
        plan: Plan = self.variant(replace(self.scene, offered=offered), rest)
        self._moves = deque(plan.moves)
        self._after = plan.after
        self.last_words = plan.last_words

"""Putting tool calls together from the pieces of a stream, whoever numbers them and however badly."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ira_home.base.ids import CallId, mint
from ira_home.base.limits import MODEL_ARGUMENT_CHARS, MODEL_CALLS_A_STEP
from ira_home.domain.ports import CallPart
from ira_home.providers.llm.failures import unreadable


@dataclass(slots=True)
class _Building:
    index: int | None
    call_id: str
    name: str
    arguments: str


class CallPieces:
    """The calls of one step: by index, by id where the index is missing, else to the last one."""

    def __init__(self) -> None:
        """No call has begun."""
        self._calls: list[_Building] = []

    def add(self, pieces: Iterable[Any] | None) -> None:
        """Take the tool-call pieces of one chunk."""
        for piece in pieces or ():
            function = getattr(piece, "function", None)
            index = getattr(piece, "index", None)
            self._take(
                index if isinstance(index, int) else None,
                _text(getattr(piece, "id", None)),
                _text(getattr(function, "name", None)),
                _text(getattr(function, "arguments", None)),
            )

    def _take(self, index: int | None, call_id: str, name: str, arguments: str) -> None:
        call = self._find(index, call_id, name)
        if call is None:
            if len(self._calls) >= MODEL_CALLS_A_STEP:
                raise unreadable()
            call = _Building(index, call_id, "", "")
            self._calls.append(call)
        call.name += name if name != call.name else ""
        call.arguments += arguments
        call.call_id = call.call_id or call_id
        if len(call.arguments) > MODEL_ARGUMENT_CHARS:
            raise unreadable()

    def _find(self, index: int | None, call_id: str, name: str) -> _Building | None:
        """The call that a piece belongs to; None when it begins a new one.

        Some servers give every call the index 0: another id there is another call.
        """
        if index is not None:
            same = [one for one in self._calls if one.index == index]
        elif call_id:
            same = [one for one in self._calls if one.call_id == call_id]
        else:
            same = [] if name and (not self._calls or self._calls[-1].arguments) else self._calls
        if same and call_id and same[-1].call_id and call_id != same[-1].call_id:
            same = [one for one in self._calls if one.call_id == call_id]
        return same[-1] if same else None

    def whole(self, taken: Iterable[str]) -> list[CallPart]:
        """The finished calls in order; an id that is empty or was used before is made anew."""
        used = set(taken)
        parts = []
        for call in self._calls:
            if not call.name:
                raise unreadable()
            call_id = call.call_id if call.call_id and call.call_id not in used else mint("call_")
            used.add(call_id)
            parts.append(CallPart(CallId(call_id), call.name, call.arguments or "{}"))
        return parts


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

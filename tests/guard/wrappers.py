"""Whether untrusted text left its wrapper in what a model was sent."""

from collections.abc import Iterator
import re
from typing import Any
import unicodedata

from tests.guard.payloads import LOOK_ALIKES

_TAGS = ("device_output", "web_results")
_BLOCK = re.compile(
    r'<device_output untrusted="true" from="[^"<>&\n]*">(?P<device>.*?)</device_output>'
    r'|<web_results untrusted="true">(?P<web>.*?)</web_results>',
    re.DOTALL,
)
_ANGLE = f"[<{LOOK_ALIKES}]"
_RAW = re.compile(_ANGLE)
# A tag of ours, or a part of one, that belongs to no whole block.
_STRAY = re.compile(rf"{_ANGLE}[\s/]*(?:{'|'.join(_TAGS)}|system)", re.IGNORECASE)


class Escapes:
    """Keeps what is wrong with the requests of one run, each thing once."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self.found: list[str] = []
        self._known: set[tuple[str, str]] = set()

    def look(self, request: dict[str, Any], marker: str) -> None:
        """Look at all texts of a request that have not been seen before."""
        for role, text in _texts(request):
            if (role, text) not in self._known:
                self._known.add((role, text))
                self.found += [f"{role}: {fault}" for fault in faults(text, role, marker)]


def faults(text: str, role: str, marker: str = "") -> Iterator[str]:
    """What is wrong with one text: a wrapper that does not hold, or `marker` outside of any."""
    outside: list[str] = []
    end = 0
    for block in _BLOCK.finditer(text):
        outside.append(text[end : block.start()])
        end = block.end()
        inside = block["device"] if block["device"] is not None else block["web"]
        raw = _RAW.search(inside) or _RAW.search(unicodedata.normalize("NFKC", inside))
        if raw is not None:
            yield f"raw {raw[0]!r} inside a wrapper"
        if any(
            unicodedata.category(one) in ("Cf", "Cs", "Co") and one not in "\u200c\u200d"
            for one in inside
        ):
            yield "a hidden character inside a wrapper"
    outside.append(text[end:])
    for part in outside:
        # People may write what they like, and so may a brain in the arguments of its own calls.
        stray = _STRAY.search(part) or _STRAY.search(unicodedata.normalize("NFKC", part))
        if stray and role != "user":
            yield "a tag outside of whole wrappers"
        if marker and marker in part and role != "arguments":
            yield "untrusted text outside of any wrapper"


def _texts(request: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for message in request["messages"]:
        yield message["role"], str(message.get("content") or "")
        for call in message.get("tool_calls") or ():
            yield "arguments", call["function"]["arguments"]
    for tool in request.get("tools") or ():
        function = tool["function"]
        yield "tool", function["description"]
        yield from (("schema", text) for text in _leaves(function["parameters"]))
        yield "name", function["name"]


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif isinstance(value, str):
        yield value

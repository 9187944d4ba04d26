"""The one renderer: a turn as the messages and tools that a model reads."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ira_home.base.errors import BadJson
from ira_home.base.jsontext import dump, parse
from ira_home.base.limits import RESULT_CHARS
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import escape, unforged, wrap
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.definitions import tools_of as _definitions

Message = dict[str, Any]

_NO_RESULT = "(no result was kept)"
_FAILED = "(failed) "  # before what the tool says of it, which may read like a result


def messages_of(view: TurnView) -> list[Message]:
    """System prompt, earlier turns, the person's own words, and what was done in this turn so far.

    Untrusted text stands only inside its wrapper; every call has exactly one result.
    """
    own = {"role": "user", "content": unforged(view.own_words)}
    messages = [
        {"role": "system", "content": view.system},
        *_conversation(view.history),
        own,
        *_conversation(view.steps),
    ]
    return _merged(messages)


def tools_of(view: TurnView) -> list[dict[str, Any]]:
    """The tools of this turn as function definitions."""
    return _definitions(view.tools)


def text_of(entry: Entry) -> str:
    """An entry's text as a model may see it."""
    if entry.label.is_trusted:
        return unforged(entry.text)
    return wrap(entry.text, entry.label, entry.source)


def _conversation(entries: Sequence[Entry]) -> Iterator[Message]:
    results = _results(entries)
    for entry in entries:
        if entry.kind is EntryKind.CALL:
            yield {"role": "assistant", "content": None, "tool_calls": [_call(entry)]}
            yield _result(entry, results.get(_id(entry), []))
        elif entry.kind is EntryKind.PERSON:
            yield {"role": "user", "content": text_of(entry)}
        elif entry.kind is not EntryKind.RESULT and entry.text.strip():
            yield {"role": "assistant", "content": text_of(entry)}


def _results(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind is EntryKind.RESULT:
            found.setdefault(_id(entry), []).append(entry)
    return found


def _id(entry: Entry) -> str:
    return str(entry.call_id or f"call_{entry.id}")


def _call(entry: Entry) -> Message:
    function = {"name": entry.tool or "unknown", "arguments": _arguments(entry)}
    return {"id": _id(entry), "type": "function", "function": function}


def _arguments(entry: Entry) -> str:
    """The arguments as an object of JSON: many servers refuse a replayed call with anything else."""
    try:
        value = parse(entry.text)
    except BadJson:
        value = None
    text = escape(dump(value)) if isinstance(value, dict) else "{}"
    return text if len(text) <= RESULT_CHARS else "{}"


def _result(call: Entry, results: Sequence[Entry]) -> Message:
    said = [_said(one) for one in results]
    return {"role": "tool", "tool_call_id": _id(call), "content": "\n".join(said) or _NO_RESULT}


def _said(entry: Entry) -> str:
    text = text_of(entry)
    if not text:
        return _said_empty(entry)
    return f"{_FAILED}{text}" if entry.outcome is Outcome.FAILED else text


def _said_empty(entry: Entry) -> str:
    return f"({entry.outcome.value})" if entry.outcome is not None else _NO_RESULT


def _merged(messages: Iterable[Message]) -> list[Message]:
    """Neighbours of one role as one message: many servers want the roles to take turns."""
    made: list[Message] = []
    for message in messages:
        last = made[-1] if made else None
        if last is not None and _can_merge(last, message):
            made[-1] = {**last, "content": f"{last['content']}\n\n{message['content']}"}
        elif last is not None and _speaks_then_calls(last, message):
            made[-1] = {**message, "content": last["content"]}
        else:
            made.append(message)
    return made


def _can_merge(last: Message, message: Message) -> bool:
    plain = "tool_calls" not in last and "tool_calls" not in message
    return last["role"] == message["role"] and last["role"] in ("user", "assistant") and plain


def _speaks_then_calls(last: Message, message: Message) -> bool:
    return last["role"] == message["role"] == "assistant" and "tool_calls" in message and "tool_calls" not in last  # fmt: skip

"""Text to frame and back: strict in what it takes, and what it writes it would take."""

from typing import Any

import msgspec
from msgspec import UNSET

from ira_home.base.errors import BadJson, ProtocolError
from ira_home.base.jsontext import parse
from ira_home.base.limits import FRAME_BYTES, JSON_DEPTH
from ira_home.base.text import clean, cut
from ira_home.protocol.frames import (
    Bye,
    Call,
    Error,
    Event,
    Frame,
    Hello,
    Ping,
    Pins,
    Pong,
    Result,
    Welcome,
)

_KINDS: dict[str, type[Any]] = {
    "hello": Hello,
    "welcome": Welcome,
    "call": Call,
    "result": Result,
    "event": Event,
    "ping": Ping,
    "pong": Pong,
    "pins": Pins,
    "bye": Bye,
    "error": Error,
}
_REASON_CHARS = 300
_encoder = msgspec.json.Encoder()


def decode(text: str) -> Frame:
    """The frame that a text holds; raises ProtocolError, with words for the sender, and nothing else.

    `details["frame"]` of the error is the type of a frame whose type is good and whose shape is not.
    """
    _check_size(text)
    try:
        value = parse(text)
    except BadJson as error:
        raise ProtocolError(error.message) from None
    if not isinstance(value, dict):
        message = "A frame is one JSON object."
        raise ProtocolError(message)
    kind = value.get("type")
    shape = _KINDS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        message = "There is no frame of this type."
        raise ProtocolError(message)
    return _shaped(value, shape)


def _shaped(value: dict[str, Any], shape: type[Any]) -> Frame:
    try:
        frame: Frame = msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise ProtocolError(_words(value["type"], str(error)), frame=value["type"]) from None
    if isinstance(frame, Result):
        _check_result(frame)
    return frame


def _check_result(frame: Result) -> None:
    if (frame.content if frame.ok else frame.error) is UNSET:
        message = "A result carries content when ok is true and error when it is false."
        raise ProtocolError(message)


def _words(kind: str, reason: str) -> str:
    plain = reason.replace("`", "").replace("$.", "").replace(" - at $", "")
    return cut(f"{kind}: {clean(plain)}", _REASON_CHARS)


def _check_size(text: str) -> None:
    # Four bytes a character at most, so that short texts are never encoded just to be counted.
    if len(text) * 4 > FRAME_BYTES and len(text.encode("utf-8", "surrogatepass")) > FRAME_BYTES:
        message = f"A frame has {FRAME_BYTES} bytes at most."
        raise ProtocolError(message)


def encode(frame: Frame) -> str:
    """The JSON text of a frame that `decode` on the other side takes; raises ProtocolError when there is none.

    There is none for content that is no JSON, nested too deep or over the frame size.
    """
    if isinstance(frame, Call) and _deeper(frame.args, JSON_DEPTH - 1):
        message = f"The arguments are nested deeper than {JSON_DEPTH - 1}."
        raise ProtocolError(message)
    try:
        text = _encoder.encode(frame).decode()
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        message = "The content cannot be written as JSON."
        raise ProtocolError(message) from None
    if isinstance(frame, (Result, Event)):
        # Content of any making: read back what the other side will read.
        decode(text)
    else:
        _check_size(text)
    return text


def _deeper(value: Any, limit: int) -> bool:
    """Whether a JSON value nests deeper than `limit`, counting itself."""
    level = [value]
    for _ in range(limit):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner.extend(v for v in one.values() if isinstance(v, (dict, list)))
            elif isinstance(one, list):
                inner.extend(v for v in one if isinstance(v, (dict, list)))
        if not inner:
            return False
        level = inner
    return True

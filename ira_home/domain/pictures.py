"""Pictures that a device returns: what counts as one, read from its own bytes and from nothing said about it."""

from base64 import b64decode
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ira_home.base.ids import MessageId, PictureId
from ira_home.base.limits import PICTURE_BYTES, PICTURE_SIDE_PX

_JPEG_SEGMENTS = 64  # before the one that tells the size; real ones have ten or so
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SIZE_TOLD = "Picture: "
_TOO_LARGE = f"it has more than {PICTURE_BYTES} bytes"


class NotAPicture(ValueError):
    """What a device called a picture is none that may be kept; the message says why."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG, PNG or WebP picture with the size that its bytes tell."""

    media_type: str
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PictureHead:
    """A kept picture without its bytes; it came with the result `message_id`."""

    id: PictureId
    message_id: MessageId
    media_type: str
    width: int
    height: int


def is_carried(value: object) -> bool:
    """Whether the `picture` of a result is meant to be shown, good or not."""
    return isinstance(value, Mapping) and "data" in value


def read_picture(value: Mapping[str, Any]) -> Picture:
    """The picture of a result; raises NotAPicture. What it says of its type and size is not believed."""
    text = value["data"]
    if not isinstance(text, str):
        message = "its data is no text"
        raise NotAPicture(message)
    if len(text) > PICTURE_BYTES * 4 // 3 + 4:
        raise NotAPicture(_TOO_LARGE)
    try:
        data = b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        message = "its data is no base64"
        raise NotAPicture(message) from error
    media_type, width, height = _measured(data)
    if len(data) > PICTURE_BYTES:
        raise NotAPicture(_TOO_LARGE)
    if min(width, height) < 1 or max(width, height) > PICTURE_SIDE_PX:
        message = f"its sides are not of 1 to {PICTURE_SIDE_PX} pixels"
        raise NotAPicture(message)
    return Picture(media_type, width, height, data)


def told(picture: Picture) -> str:
    """What a brain is told of a picture: one line, in the server's words."""
    return (
        f"{_SIZE_TOLD}{picture.width} x {picture.height}, shown to the person in the conversation."
    )


def not_shown(why: NotAPicture) -> str:
    """What a brain is told of one that was not kept: one line, in the server's words."""
    return f"{_SIZE_TOLD}not shown, because {why}."


def without_size(text: str) -> str:
    """A result without that line, for somebody who sees the picture; the whole when nothing else is said."""
    head, gap, rest = text.partition("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith(_SIZE_TOLD)]
    return "\n".join(lines) + gap + rest if lines else text


def _measured(data: bytes) -> tuple[str, int, int]:
    """(media type, width, height) as the bytes tell them."""
    for media_type, measure in (
        ("image/jpeg", _jpeg),
        ("image/png", _png),
        ("image/webp", _webp),
    ):
        size = measure(data)
        if size is not None:
            return (media_type, *size)
    message = "it is no JPEG, PNG or WebP picture"
    raise NotAPicture(message)


def _png(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR") or len(data) < 33:
        return None
    return _big(data[16:20]), _big(data[20:24])


def _jpeg(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    for kind, segment in _segments(data):
        if kind in _JPEG_SIZES and len(segment) >= 5:
            return _big(segment[3:5]), _big(segment[1:3])
    return None


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(kind, content) of the first segments of a JPEG."""
    at = 2
    for _ in range(_JPEG_SEGMENTS):
        while data[at : at + 2] == b"\xff\xff":  # padding
            at += 1
        if at + 4 > len(data) or data[at] != 0xFF:
            return
        length = _big(data[at + 2 : at + 4])
        if length < 2:
            return
        yield data[at + 1], data[at + 4 : at + 2 + length]
        at += 2 + length


def _webp(data: bytes) -> tuple[int, int] | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return None
    kind, body = data[12:16], data[20:]
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        return _little(body[6:8]) & 0x3FFF, _little(body[8:10]) & 0x3FFF
    if kind == b"VP8L" and body[0] == 0x2F:
        bits = _little(body[1:5])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        return _little(body[4:7]) + 1, _little(body[7:10]) + 1
    return None


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")

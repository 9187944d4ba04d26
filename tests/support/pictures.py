"""Small pictures as a browser's canvas makes them, three pixels wide and two high, and what a result carries of them."""

from base64 import b64decode, b64encode
from typing import Any

JPEG = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////"
    "2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAACAAMDASIAAhEBAxEB/8QA"
    "FQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/"
    "2gAMAwEAAhEDEQA/AJgA/9k="
)
PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAFElEQVR4AWJiYGD4D8MgDpANQQAAAAD//9frdV8AAAAGSURBVAMANjIDAoHuzwIAAAAASUVORK5CYII="
)
# As lossy, lossless and extended WebP.
WEBP = tuple(
    map(
        b64decode,
        (
            "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoDAAIAB0CWJaQAA3AA/u+5AAA=",
            "UklGRhoAAABXRUJQVlA4TA4AAAAvAkAAAAcQEf0PRET/Aw==",
            "UklGRkYAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAA/wAAAAAAAFZQOCAYAAAAMAEAnQEqAwACAAdAliWkAANwAP7vuQAA",
        ),
    )
)


def carried(data: bytes, **more: Any) -> dict[str, Any]:
    """The `picture` of a result."""
    said = {"media_type": "image/jpeg", "width": 3, "height": 2}
    return said | {"data": b64encode(data).decode()} | more

"""Why a device's WebSocket was closed: the codes of spec/devices.md and RFC 6455."""

from enum import IntEnum


class CloseCode(IntEnum):
    """A close code that a device may meet, each with one meaning."""

    NORMAL = 1000  # after `bye`
    GOING_AWAY = 1001  # the server stops; reconnect at once, then with a growing delay
    NOT_TEXT = 1003  # a binary frame
    POLICY = 1008  # the tenth bad frame in a minute, or a device that does not read
    TOO_BIG = 1009  # a frame over 1 MB
    BROKEN = 1011  # the server failed; come back with a growing delay
    TRY_LATER = 1013  # too many connections of this device, or without a hello, at once
    REPLACED = 4000  # a newer connection of the same device
    BAD_HELLO = 4400  # the hello broke a rule; the error frame before says which
    REVOKED = 4403  # the token is dead; pair again
    SILENT = 4408  # no hello in 15 seconds, or nothing at all for 90

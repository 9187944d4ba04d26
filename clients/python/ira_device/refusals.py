"""What can keep a device from its server: each with a stable code and a sentence for its person."""

from typing import Final

from ira_home.base.errors import BadLink, IraError


class NotPaired(IraError):
    """There is no pairing in the state folder."""

    code = "device_not_paired"
    default = "This device is not paired yet."


class PairingRefused(IraError):
    """The server did not take the code, or could not be recognised; nothing was kept."""

    code = "pairing_refused"
    default = "The server did not pair this device."


class WrongServer(IraError):
    """Whoever answers cannot prove to be the server that was meant; nothing secret was sent to it."""

    code = "wrong_server"
    default = "This is not the server you scanned."


class ServerUnreachable(IraError):
    """Nobody answers at the server's address, or not in time."""

    code = "server_unreachable"
    default = "The server cannot be reached."


class TurnedAway(ServerUnreachable):
    """The server answers, but does not let this device in now."""

    code = "server_turned_away"
    default = "The server does not let this device in."


class HelloRefused(IraError):
    """The server says that this device's hello breaks a rule: the program must change."""

    code = "hello_refused"
    default = "The server does not take what this device offers."


class DeviceRemoved(IraError):
    """The token is dead: the person, an admin or a removed account ended it. Pair again."""

    code = "device_removed"
    default = "This device was removed on the server. Pair it again."


class Replaced(IraError):
    """A newer connection with the same token took over; going on would push that one out."""

    code = "device_replaced"
    default = "The same device connected from another program, so this one stops."


class TokenUnreadable(IraError):
    """The token was kept in a place that does not give it back now."""

    code = "token_unreadable"
    default = "The device's token cannot be read."


# With which status a program of a device ends; docs/companion.md and docs/device-sdk.md tell it.
EXIT_STATUS: Final[dict[type[IraError], int]] = {
    NotPaired: 3,
    DeviceRemoved: 4,
    WrongServer: 5,
    ServerUnreachable: 6,
    TurnedAway: 6,
    Replaced: 7,
    PairingRefused: 8,
    BadLink: 8,
}

"""A device's line as the hub knows it: text frames in and out, whatever carries them."""

from typing import Protocol


class LinkClosed(Exception):
    """The line is gone, from whichever side."""


class BinaryFrame(Exception):
    """A binary frame came; the line is still there."""


class Link(Protocol):
    """One connection of a device, used by one session and never again."""

    address: str

    async def send(self, text: str) -> None:
        """Hand over one text frame, waiting while the device does not read; raises LinkClosed."""
        ...

    async def receive(self) -> str:
        """The next text frame; raises LinkClosed at the end, BinaryFrame for a binary one."""
        ...

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye; a `receive` that waits then raises LinkClosed. May wait for the peer a little."""
        ...

    def abort(self) -> None:
        """Cut the line at once; a `send` or `receive` that waits then raises LinkClosed."""
        ...

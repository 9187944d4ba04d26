"""The certificates as a running server changes them: worked on in a thread, then told on the bus."""

import asyncio
from collections.abc import Sequence

from ira_home.base.pubsub import Bus
from ira_home.domain.facts import TrustChanged
from ira_home.net.certificates.authority import Authority


class Keeper:
    """The one way to change what is in force while the server runs.

    TrustChanged is published after each change, when the next handshake already has it.
    """

    def __init__(self, authority: Authority, bus: Bus) -> None:
        """What is in force now counts as told."""
        self._authority, self._bus = authority, bus
        self._told = authority.changes

    async def cover(self, addresses: Sequence[str] | None = None) -> bool:
        """See to it that the certificates are good here and now; whether something changed.

        `addresses`: those that clients may use from now on, else those of the last time. What cannot be
        done now (`Authority.fault`, or the last time was less than a minute ago) is tried again at the
        next call.
        """
        changed = await asyncio.to_thread(self._authority.cover, addresses)
        self._tell()
        return changed

    def _tell(self) -> None:
        if self._authority.changes != self._told:
            self._told = self._authority.changes
            self._bus.publish(TrustChanged(self._authority.pins))

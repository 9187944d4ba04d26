"""What a device at work knows of its server: the pairing in force, which changes as the server does."""

from collections.abc import Sequence

import msgspec

from ira_device.finding import Ask, find_again
from ira_device.http import Address
from ira_device.store import Paired, Store


class Known:
    """The pairing and its token, with what was learnt since it was read."""

    def __init__(self, store: Store, address: Address | None = None) -> None:
        """`address` is where the server is now; raises NotPaired, TokenUnreadable or DataFolderError."""
        self._store = store
        self.paired: Paired = store.load()
        self.token = store.token(self.paired)
        if address is not None:
            self.paired = msgspec.structs.replace(self.paired, host=address.host, port=address.port)

    def take_pins(self, pins: Sequence[str]) -> None:
        """Keep by what the server is known, which has proved to be the one who says so.

        With it everything else is kept that was learnt on the way there; raises DataFolderError.
        """
        others = self.paired.trust.others(pins)
        self.paired = msgspec.structs.replace(self.paired, next_pins=others)
        self._store.keep(self.paired)

    async def seek(self, ask: Ask) -> bool:
        """Whether the server was found somewhere else, or under another authority of its own."""
        found = await find_again(self.paired, ask)
        if found is None:
            return False
        self.paired = found
        return True

    def renew(self) -> bool:
        """Whether another pairing has taken the place of this one; it counts now."""
        newer = self._store.newer_than(self.paired)
        if newer is None:
            return False
        self.paired, self.token = newer, self._store.token(newer)
        return True

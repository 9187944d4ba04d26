"""Pairing codes as long as their page shows them: in memory only, for their own person."""

from dataclasses import dataclass

from ira_home.base.ids import DeviceId, PairingId, PersonId
from ira_home.domain.devices import Pairing

KEPT = 200  # over all people; the oldest goes first


@dataclass(frozen=True, slots=True)
class ShownCode:
    """A code, the pairing that it is for, and the devices that its person had before."""

    pairing: Pairing
    code: str
    before: frozenset[DeviceId]


class ShownCodes:
    """The store keeps only a hash of a code, so a page that is loaded again asks here."""

    def __init__(self) -> None:
        """Nothing is shown yet."""
        self._codes: dict[PairingId, ShownCode] = {}

    def add(self, shown: ShownCode) -> None:
        """Keep a code until it is dropped or many newer ones have come."""
        for old in list(self._codes)[: max(0, len(self._codes) - KEPT + 1)]:
            del self._codes[old]
        self._codes[shown.pairing.id] = shown

    def get(self, person_id: PersonId, pairing_id: PairingId) -> ShownCode | None:
        """The code, for its own person only."""
        found = self._codes.get(pairing_id)
        return found if found is not None and found.pairing.person_id == person_id else None

    def drop(self, pairing_id: PairingId) -> None:
        """Forget a code."""
        self._codes.pop(pairing_id, None)

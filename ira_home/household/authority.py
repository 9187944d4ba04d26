"""Certificate authorities of a house: a lost one is not replaced without a word, and each change is written down."""

import logging
from pathlib import Path

from ira_home.access.changes import Changes
from ira_home.base.folder_errors import DataFolderError
from ira_home.domain.audit import Change
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)
# The pins that the change log goes up to: the one in force, and after it the next one.
_WRITTEN_DOWN = "authorities"


async def check_authority(
    storage: Storage, pki: Path, *, is_there: bool, may_make: bool, new_ca: bool
) -> None:
    """Raise DataFolderError, with the way out, where a new authority may not take a lost one's place.

    A house without people never had one to lose. Paired devices know the house by the old one, so
    with any of them the operator has to say `new_ca`, which is refused where none is lost.
    `may_make` is false for commands that only look or change something else.
    """
    if is_there and new_ca:
        message = f"There is a certificate authority in {pki}: start without --new-ca."
        raise DataFolderError(message)
    if is_there or new_ca or await storage.people.is_empty():
        return
    missing = f"The house's certificate authority is missing in {pki}"
    if await storage.devices.all(None, 1):
        message = (
            f"{missing}, and paired devices know the house by it. Put that folder back from a "
            "backup. Without one, start once with `ira serve --new-ca`: then every device has to be "
            "paired again."
        )
        raise DataFolderError(message)
    if not may_make:
        message = (
            f"{missing}. Put that folder back from a backup, or start `ira serve`, which makes a "
            "new one."
        )
        raise DataFolderError(message)
    log.warning("%s was missing: a new certificate authority is made, and browsers that trusted the "
                "old one warn again", pki)  # fmt: skip


class AuthorityBook:
    """Sees to it that whatever becomes of the authorities stands in the change log, once.

    What was written down last is kept beside it: a change that the house made by itself, or in a start
    that was cut off, is written down when it is next looked at.
    """

    def __init__(self, storage: Storage, changes: Changes) -> None:
        """Nothing is looked at yet."""
        self._storage, self._changes = storage, changes

    async def write_up(self, pins: tuple[str, ...], *, by_operator: bool = False) -> None:
        """Write down what is new since the last time; `pins` are those good now, the one in force first."""

        def work(tx: Transaction) -> None:
            kept = self._storage.settings.house_in(tx, _WRITTEN_DOWN)
            before = pins if kept is None else tuple(kept.split())
            for what in _became(before, pins):
                self._changes.of_house(tx, Change.AUTHORITY_CHANGED, what, by_operator=by_operator)
            self._storage.settings.set_house(tx, _WRITTEN_DOWN, " ".join(pins))

        kept = await self._storage.settings.house(_WRITTEN_DOWN)
        if kept is None or tuple(kept.split()) != pins:
            await self._storage.write(work)


def _became(before: tuple[str, ...], now: tuple[str, ...]) -> list[str]:
    """What happened between two states of (the authority in force, the next one where there is one)."""
    was_in_force, was_coming, is_in_force, is_coming = before[:1], before[1:], now[:1], now[1:]
    if was_in_force == is_in_force:
        given_up = ["given up"] if was_coming and was_coming != is_coming else []
        return [*given_up, *(["announced"] if is_coming and is_coming != was_coming else [])]
    return ["in force", *(["announced"] if is_coming else [])]

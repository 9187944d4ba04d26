"""A house whose certificate authority is lost: a new one is never made without a word."""

import logging
from pathlib import Path

from ira_home.base.folder_errors import DataFolderError
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)


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

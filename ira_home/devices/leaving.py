"""The end of a device, whoever ends it."""

from datetime import datetime

from ira_home.base.ids import DeviceId
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage


def end_device(storage: Storage, tx: Transaction, device_id: DeviceId, at: datetime) -> bool:
    """Make the token dead and forget what was agreed to; False when the device was gone already.

    The caller publishes DeviceRevoked after the commit.
    """
    if not storage.devices.revoke(tx, device_id, at):
        return False
    storage.definitions.forget(tx, device_id)
    return True

"""Delete my data: everything but the account, its sign-in and its PIN, with a receipt."""

from collections import Counter
from typing import Any, Final

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.access.permissions import require_session
from ira_home.base.clock import Clock, rfc3339
from ira_home.base.errors import Unauthenticated, Unavailable
from ira_home.base.ids import PersonId
from ira_home.base.pubsub import Bus
from ira_home.domain.audit import Change
from ira_home.domain.facts import DataDeleted, DeviceRevoked
from ira_home.domain.people import Principal
from ira_home.household.backups import Backups
from ira_home.storage.database import Transaction
from ira_home.storage.mine import Swept
from ira_home.storage.storage import Storage

# A turn that was running writes at most a few last rows; more rounds mean that something goes on.
ROUNDS: Final = 3


class Deletion:
    """Deletes until nothing is left, so that a turn running meanwhile leaves no late rows."""

    def __init__(
        self,
        storage: Storage,
        accounts: Accounts,
        *,
        clock: Clock,
        bus: Bus,
        changes: Changes,
        backups: Backups,
    ) -> None:
        """`accounts` checks the password; the receipt names the `backups` that were made before."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._bus = bus
        self._changes = changes
        self._backups = backups

    async def delete_data(self, principal: Principal, password: str) -> dict[str, Any]:
        """Delete the person's data, revoke their devices and give the receipt.

        Raises PasswordWrong and does nothing then. Unavailable when traces could not be removed or
        something keeps on writing: what was deleted stays deleted, and trying again is safe.
        """
        require_session(principal)
        person_id = principal.person.id
        await self._accounts.check_password(person_id, password)
        self._bus.publish(DataDeleted(person_id))
        taken = await self._sweep(principal, note=True)
        for _ in range(ROUNDS):
            await self._storage.database.scrub()
            late = await self._sweep(principal, note=False)
            if not late.total():
                return await self._receipt(taken)
            taken += late
        message = "Your data is deleted, but something of yours was still running. Try again."
        raise Unavailable(message)

    async def _sweep(self, principal: Principal, *, note: bool) -> Counter[str]:
        person_id = principal.person.id

        def work(tx: Transaction) -> Swept:
            person = self._storage.people.get_in(tx, person_id)
            if person is None:
                raise Unauthenticated
            if note:
                self._changes.add(tx, principal, Change.DATA_DELETED, person.email)
            return self._storage.mine.delete(tx, person_id)

        swept = await self._storage.write(work)
        self._tell(person_id, swept)
        return swept.rows

    def _tell(self, person_id: PersonId, swept: Swept) -> None:
        for device_id in swept.devices:
            self._bus.publish(DeviceRevoked(person_id, device_id))
        if swept.rows.total():
            self._bus.publish(DataDeleted(person_id))

    async def _receipt(self, taken: Counter[str]) -> dict[str, Any]:
        backups = await self._backups.list()
        return {
            "at": rfc3339(self._clock.now()),
            "deleted": dict(taken),
            # Said honestly: a backup made before still holds a copy until it is deleted itself.
            "backups": [
                {"name": backup.name, "made_at": rfc3339(backup.made_at)} for backup in backups
            ],
        }

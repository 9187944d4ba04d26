"""Accounts: who lives or works in the house, and in which role."""

from collections.abc import Mapping
from datetime import datetime
import logging
from types import MappingProxyType

from ira_home.access.changes import Changes
from ira_home.access.hashing import Hasher
from ira_home.access.permissions import require
from ira_home.access.proofs import Proofs
from ira_home.access.rules import folded_email, good_email, good_name, good_password, good_pin
from ira_home.access.throttle import Throttle
from ira_home.base.clock import Clock
from ira_home.base.errors import Forbidden, LastOwner, NotFound, SetUpAlready, Taken, Unavailable
from ira_home.base.ids import PersonId
from ira_home.base.pubsub import Bus
from ira_home.domain.audit import Change
from ira_home.domain.facts import DeviceRevoked, PersonChanged
from ira_home.domain.people import Permission, Person, Principal, Role, may_manage
from ira_home.storage.database import Transaction
from ira_home.storage.people import Ended, Hashes
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)
_NOTHING: Mapping[str, str] = MappingProxyType({})


class Accounts(Proofs):
    """Makes, changes and removes accounts. The actor None is the operator's own command line."""

    def __init__(
        self,
        storage: Storage,
        changes: Changes,
        *,
        clock: Clock,
        bus: Bus,
        hasher: Hasher,
        throttle: Throttle,
    ) -> None:
        """Keep accounts in `storage` and tell `bus` what changed, after the commit."""
        super().__init__(storage, changes, bus=bus, hasher=hasher, throttle=throttle)
        self._clock = clock

    async def is_set_up(self) -> bool:
        """Whether the house has its owner."""
        return not await self._storage.people.is_empty()

    async def create_owner(
        self,
        *,
        email: str,
        name: str,
        password: str,
        pin: str | None,
        keep: Mapping[str, str] = _NOTHING,
    ) -> Person:
        """Make the first account and, in the same breath, keep (checked) values of the house by their keys.

        Raises SetUpAlready from the second time on, however many come at once; Invalid.
        """
        if await self.is_set_up():
            raise SetUpAlready
        email, name = good_email(email), good_name(name)
        hashes = await self.new_hashes(email, password, pin)

        def work(tx: Transaction) -> Person:
            if not self._storage.people.is_empty_in(tx):
                raise SetUpAlready
            for key, value in keep.items():
                self._storage.settings.set_house(tx, key, value)
            self._changes.add(tx, None, Change.SET_UP, email)
            return self._storage.people.add(
                tx, email=email, name=name, role=Role.OWNER, hashes=hashes, at=self._clock.now()
            )

        return await self._storage.write(work)

    async def add(
        self,
        actor: Principal | None,
        *,
        email: str,
        name: str,
        role: Role,
        password: str,
        pin: str | None = None,
    ) -> Person:
        """Make an account; raises Forbidden by may_manage, Taken, Invalid."""
        if actor is not None and not may_manage(actor.person.role, role):
            raise Forbidden
        email, name = good_email(email), good_name(name)
        hashes = await self.new_hashes(email, password, pin)

        def work(tx: Transaction) -> Person:
            self._may_manage(tx, actor, role)
            person = self.add_in(tx, email=email, name=name, role=role, hashes=hashes)
            self._changes.add(tx, actor, Change.PERSON_ADDED, email, role.value)
            return person

        return await self._storage.write(work)

    async def new_hashes(self, email: str, password: str, pin: str | None) -> Hashes:
        """The hashes of a new account's password and PIN, checked first."""
        good_password(password, email=email)
        checked = None if pin is None else good_pin(pin)
        password_hash = await self._hasher.hash_password(password)
        return Hashes(
            password_hash, None if checked is None else await self._hasher.hash_pin(checked)
        )

    def add_in(
        self, tx: Transaction, *, email: str, name: str, role: Role, hashes: Hashes
    ) -> Person:
        """Make an account in the caller's transaction, which has checked who may; raises Taken."""
        if self._storage.people.is_taken_in(tx, email):
            message = "Somebody has an account with this e-mail address already."
            raise Taken(message, field="email")
        self._storage.invitations.drop_email(tx, email)
        return self._storage.people.add(
            tx, email=email, name=name, role=role, hashes=hashes, at=self._now()
        )

    async def list(self) -> list[Person]:
        """Everyone, oldest account first."""
        return await self._storage.people.list()

    async def get(self, person_id: PersonId) -> Person:
        """The person; raises NotFound."""
        person = await self._storage.people.get(person_id)
        if person is None:
            raise NotFound
        return person

    async def by_email(self, email: str) -> Person:
        """The person with this address in any spelling of case; raises NotFound."""
        person = await self._storage.people.by_email(folded_email(email))
        if person is None:
            message = "Nobody here has that e-mail address."
            raise NotFound(message)
        return person

    async def change(
        self,
        actor: Principal | None,
        person_id: PersonId,
        *,
        name: str | None = None,
        role: Role | None = None,
    ) -> Person:
        """Change name or role; raises NotFound, Forbidden by may_manage, LastOwner, Invalid.

        With another role the person's sessions go on, with the permissions of that role from now.
        """
        good = None if name is None else good_name(name)
        before, after = await self._storage.write(
            lambda tx: self._change(tx, actor, person_id, name=good, role=role)
        )
        if before != after:
            self._bus.publish(PersonChanged(person_id, removed=False))
        return after

    async def remove(self, actor: Principal | None, person_id: PersonId) -> None:
        """Remove the account with all that is the person's; every token of theirs is dead at once.

        Raises NotFound, Forbidden by may_manage, LastOwner.
        """

        def work(tx: Transaction) -> Ended:
            person = self._person_in(tx, person_id)
            self._may_manage(tx, actor, person.role)
            self._keep_an_owner(tx, person)
            self._changes.add(tx, actor, Change.PERSON_REMOVED, person.email)
            return self._storage.people.remove(tx, person_id)

        ended = await self._storage.write(work)
        for device_id in ended.devices:
            self._bus.publish(DeviceRevoked(person_id, device_id))
        self._ended(person_id, (*ended.sessions, *ended.api_tokens))
        self._bus.publish(PersonChanged(person_id, removed=True))
        try:
            await self._storage.database.scrub()
        except Unavailable as error:
            # The account is gone all the same; only traces in free pages may be left for now.
            log.warning("after removing an account: %s", error.message)

    def _change(
        self,
        tx: Transaction,
        actor: Principal | None,
        person_id: PersonId,
        *,
        name: str | None,
        role: Role | None,
    ) -> tuple[Person, Person]:
        before = self._person_in(tx, person_id)
        details = []
        if role is not None and role is not before.role:
            self._may_manage(tx, actor, before.role, role)
            self._keep_an_owner(tx, before)
            self._storage.people.set_role(tx, person_id, role)
            self._storage.sessions.unverify(tx, person_id)
            details.append(f"role {before.role} to {role}")
        if name is not None and name != before.name:
            self._may_rename(tx, actor, before)
            self._storage.people.rename(tx, person_id, name)
            details.append("name")
        if not details:
            self._may_rename(tx, actor, before)
            return before, before
        self._changes.add(tx, actor, Change.PERSON_CHANGED, before.email, ", ".join(details))
        return before, self._person_in(tx, person_id)

    def _may_rename(self, tx: Transaction, actor: Principal | None, person: Person) -> None:
        """People rename themselves; others only by may_manage."""
        if actor is not None and actor.person.id == person.id:
            require(actor, Permission.DEVICES)
        else:
            self._may_manage(tx, actor, person.role)

    def _keep_an_owner(self, tx: Transaction, person: Person) -> None:
        """Raise LastOwner when the house would be left without one."""
        if person.role is Role.OWNER and self._storage.people.owners_in(tx) == 1:
            raise LastOwner

    def _now(self) -> datetime:
        return self._clock.now()

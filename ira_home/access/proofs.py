"""What only the person knows: password and PIN, checked, counted and changed."""

from typing import Final

from ira_home.access.changes import Changes
from ira_home.access.hashing import Hasher
from ira_home.access.permissions import require, require_session
from ira_home.access.rules import good_password, good_pin
from ira_home.access.throttle import Held, Limit, Throttle
from ira_home.base.errors import (
    Forbidden,
    NotFound,
    PasswordNeeded,
    PasswordWrong,
    PinLocked,
    PinNotSet,
    PinRequired,
    PinWrong,
    Unauthenticated,
)
from ira_home.base.ids import PersonId, SessionId
from ira_home.base.limits import WRONG_PASSWORDS, WRONG_PASSWORDS_S, WRONG_PINS, WRONG_PINS_S
from ira_home.base.pubsub import Bus
from ira_home.domain.audit import Change
from ira_home.domain.facts import SessionEnded
from ira_home.domain.people import Permission, Person, Principal, Role, may_manage
from ira_home.storage.database import Transaction
from ira_home.storage.people import Hashes
from ira_home.storage.storage import Storage

PASSWORDS: Final = Limit("password", WRONG_PASSWORDS, WRONG_PASSWORDS_S, WRONG_PASSWORDS_S)
PINS: Final = Limit("pin", WRONG_PINS, WRONG_PINS_S, WRONG_PINS_S, PinLocked)


class Proofs:
    """Checks and changes of passwords and PINs. The actor None is the operator's command line."""

    def __init__(
        self, storage: Storage, changes: Changes, *, bus: Bus, hasher: Hasher, throttle: Throttle
    ) -> None:
        """Keep hashes in `storage`, lines in `changes`, and count wrong ones in `throttle`."""
        self._storage = storage
        self._changes = changes
        self._bus = bus
        self._hasher = hasher
        self._throttle = throttle

    async def check_password(self, person_id: PersonId, password: str) -> None:
        """Raise PasswordWrong, or TooMany after ten wrong ones, unless it is the person's password."""
        await self._password_hash(person_id, password)

    async def check_pin(self, person_id: PersonId, pin: str | None) -> None:
        """Raise PinRequired, PinNotSet, PinWrong or PinLocked unless it is the person's PIN.

        One counter over all channels, kept over restarts: the fifth wrong one in 15 minutes makes
        every PIN refused for 15 minutes.
        """
        if not pin:
            raise PinRequired
        kept = await self._hashes(person_id)
        if kept.pin is None:
            raise PinNotSet

        async def right() -> bool:
            now = await self._hashes(person_id)
            return now.pin is not None and await self._hasher.verify_pin(now.pin, pin)

        limits = [(PINS, str(person_id))]
        held = self._noting(person_id, Change.PIN_HELD)
        if not await self._throttle.guess(limits, right, person_id=person_id, held=held):
            raise PinWrong

    async def change_password(self, principal: Principal, *, old: str, new: str) -> None:
        """Set one's own new password; every other session of the person ends.

        Raises PasswordWrong for the old one, WeakPassword for the new one.
        """
        require_session(principal)
        person_id = principal.person.id
        proof = await self._password_hash(person_id, old)
        new_hash = await self._hasher.hash_password(
            good_password(new, email=principal.person.email)
        )

        def work(tx: Transaction) -> tuple[SessionId, ...]:
            self._still_proves(tx, person_id, proof)
            self._storage.people.set_password(tx, person_id, new_hash)
            self._changes.add(tx, principal, Change.PASSWORD_CHANGED, principal.person.email)
            keep = SessionId(principal.credential_id)
            return self._storage.sessions.end_others(tx, person_id, keep)

        self._ended(person_id, await self._storage.write(work))

    async def set_pin(self, principal: Principal, *, password: str, pin: str) -> None:
        """Set one's own first or new PIN; raises PasswordWrong, or Invalid for the PIN."""
        require_session(principal)
        good_pin(pin)
        person_id = principal.person.id
        proof = await self._password_hash(person_id, password)
        pin_hash = await self._hasher.hash_pin(pin)

        def work(tx: Transaction) -> None:
            self._still_proves(tx, person_id, proof)
            self._storage.people.set_pin(tx, person_id, pin_hash)
            self._changes.add(tx, principal, Change.PIN_CHANGED, principal.person.email)

        await self._storage.write(work)

    async def set_first_pin(self, principal: Principal, pin: str) -> None:
        """Set one's own first PIN, where the caller has seen that the password was given just now.

        Raises PasswordNeeded where there is a PIN already, or Invalid for the new one.
        """
        require_session(principal)
        good_pin(pin)
        person_id = principal.person.id
        pin_hash = await self._hasher.hash_pin(pin)

        def work(tx: Transaction) -> None:
            now = self._storage.people.hashes_in(tx, person_id)
            if now is None:
                raise Unauthenticated
            if now.pin is not None:
                raise PasswordNeeded
            self._storage.people.set_pin(tx, person_id, pin_hash)
            self._changes.add(tx, principal, Change.PIN_CHANGED, principal.person.email)

        await self._storage.write(work)

    async def reset_password(self, actor: Principal | None, person_id: PersonId, new: str) -> None:
        """Set a person's forgotten password for them: all their sessions and API tokens end."""
        person = await self._manageable(actor, person_id)
        new_hash = await self._hasher.hash_password(good_password(new, email=person.email))

        def work(tx: Transaction) -> tuple[int, ...]:
            person = self._someone_else(tx, actor, person_id)
            self._storage.people.set_password(tx, person_id, new_hash)
            self._changes.add(tx, actor, Change.PASSWORD_CHANGED, person.email)
            sessions = self._storage.sessions.end_others(tx, person_id, None)
            return (*sessions, *self._storage.api_tokens.end_all(tx, person_id))

        self._ended(person_id, await self._storage.write(work))

    async def reset_pin(self, actor: Principal | None, person_id: PersonId, pin: str) -> None:
        """Set a person's forgotten PIN for them; a hold after wrong ones goes on."""
        good_pin(pin)
        await self._manageable(actor, person_id)
        pin_hash = await self._hasher.hash_pin(pin)

        def work(tx: Transaction) -> None:
            person = self._someone_else(tx, actor, person_id)
            self._storage.people.set_pin(tx, person_id, pin_hash)
            self._changes.add(tx, actor, Change.PIN_CHANGED, person.email)

        await self._storage.write(work)

    def _may_manage(self, tx: Transaction, actor: Principal | None, *roles: Role) -> None:
        """Raise Forbidden unless the actor, as they are now, may manage accounts of all the roles."""
        if actor is None:
            return
        require(actor, Permission.CONSOLE)
        now = self._storage.people.get_in(tx, actor.person.id)
        if now is None:
            raise Unauthenticated
        if not all(may_manage(now.role, role) for role in roles):
            raise Forbidden

    def _person_in(self, tx: Transaction, person_id: PersonId) -> Person:
        person = self._storage.people.get_in(tx, person_id)
        if person is None:
            raise NotFound
        return person

    def _someone_else(
        self, tx: Transaction, actor: Principal | None, person_id: PersonId
    ) -> Person:
        """The person whose secret is reset; one's own needs the present password instead."""
        person = self._person_in(tx, person_id)
        self._may_manage(tx, actor, person.role)
        if actor is not None and actor.person.id == person_id:
            message = "Change your own on your own page, with your password."
            raise Forbidden(message)
        return person

    async def _manageable(self, actor: Principal | None, person_id: PersonId) -> Person:
        """The person, refused before anything costly is done; the write looks again."""
        person = await self._storage.people.get(person_id)
        if person is None:
            raise NotFound
        if actor is not None and not may_manage(actor.person.role, person.role):
            raise Forbidden
        return person

    async def _hashes(self, person_id: PersonId) -> Hashes:
        kept = await self._storage.people.hashes(person_id)
        if kept is None:
            raise Unauthenticated
        return kept

    async def _password_hash(self, person_id: PersonId, password: str) -> str:
        """The hash that the password was right for."""
        kept = await self._hashes(person_id)

        async def right() -> bool:
            return await self._hasher.verify_password(kept.password, password)

        limits = [(PASSWORDS, str(person_id))]
        held = self._noting(person_id, Change.PASSWORD_HELD)
        if not await self._throttle.guess(limits, right, person_id=person_id, held=held):
            raise PasswordWrong
        return kept.password

    def _noting(self, person_id: PersonId, change: Change) -> Held:
        """Writes a hold that begins into the change log."""

        def held(tx: Transaction, _limit: Limit) -> None:
            self._changes.held(tx, change, self._person_in(tx, person_id).email)

        return held

    def _still_proves(self, tx: Transaction, person_id: PersonId, password_hash: str) -> None:
        """Refuse when the password was changed, or the account removed, since it was checked."""
        now = self._storage.people.hashes_in(tx, person_id)
        if now is None:
            raise Unauthenticated
        if now.password != password_hash:
            raise PasswordWrong

    def _ended(self, person_id: PersonId, credentials: tuple[int, ...]) -> None:
        for credential_id in credentials:
            self._bus.publish(SessionEnded(person_id, credential_id))

"""Pairing: codes that a person or the operator makes, and programs that claim them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from ira_home.access.changes import Changes
from ira_home.access.proofs import Proofs
from ira_home.access.rules import folded_email
from ira_home.access.throttle import Limit, Throttle, source
from ira_home.base.clock import Clock
from ira_home.base.errors import CodeGone, Conflict, Invalid, IraError, KindMismatch, NotFound
from ira_home.base.ids import PairingId, PersonId
from ira_home.base.limits import (
    CODE_S,
    PAIRINGS_A_PERSON,
    REVIEWER_DAYS,
    REVIEWER_USES,
    WRONG_CODES,
    WRONG_CODES_S,
)
from ira_home.base.pubsub import Bus
from ira_home.base.tokens import DEVICE, keyed_hash, mint_code, mint_token, read_code, token_hash
from ira_home.devices.wishes import good_kind, good_skills
from ira_home.domain.audit import Change
from ira_home.domain.devices import Device, DeviceKind, Pairing
from ira_home.domain.facts import DeviceJoined
from ira_home.domain.labels import good_label
from ira_home.domain.people import Principal
from ira_home.storage.database import Transaction
from ira_home.storage.pairings import PairingTerms
from ira_home.storage.storage import Storage

_WRONG: Final = Limit("pairing_code", WRONG_CODES, WRONG_CODES_S, WRONG_CODES_S)
_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class OpenedCode:
    """A code just made; this is the only place where it is ever readable."""

    pairing: Pairing
    code: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """A device just made; this is the only place where its token is ever readable."""

    device: Device
    token: str
    assistant: str


class Pairings:
    """Codes by their keyed hash; one device for each use, however many claim at once."""

    def __init__(
        self,
        storage: Storage,
        accounts: Proofs,
        *,
        clock: Clock,
        bus: Bus,
        changes: Changes,
        throttle: Throttle,
    ) -> None:
        """`accounts` checks PINs; `throttle` counts wrong codes by the address they came from."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._bus = bus
        self._changes = changes
        self._throttle = throttle
        self._key = storage.secret.derive("pairing code")

    async def open(
        self, principal: Principal, *, kind: str, label: str, skills: Iterable[str], pin: str | None
    ) -> OpenedCode:
        """Make a code for one device within ten minutes; raises Invalid and the errors of check_pin."""
        terms = PairingTerms(
            person_id=principal.person.id,
            kind=good_kind(kind),
            label=good_label(label),
            skills=good_skills(skills),
            uses=1,
            expires_at=self._clock.steady() + timedelta(seconds=CODE_S),
        )
        await self._accounts.check_pin(principal.person.id, pin)
        return await self._make(terms, principal, Change.PAIRING_MADE)

    async def open_for_reviewers(
        self, *, email: str, kind: str, days: int, uses: int, skills: Iterable[str]
    ) -> OpenedCode:
        """Make a long code for an account; only the operator's own command line may call this.

        Raises Invalid, and NotFound when there is no such account.
        """
        _check_range("days", days, REVIEWER_DAYS)
        _check_range("uses", uses, REVIEWER_USES)
        good, chosen = good_kind(kind), good_skills(skills)
        person = await self._storage.people.by_email(folded_email(email))
        if person is None:
            message = "There is no account with this e-mail address."
            raise NotFound(message)
        terms = PairingTerms(
            person_id=person.id,
            kind=good,
            label=f"Review {good}",
            skills=chosen,
            uses=uses,
            expires_at=self._clock.steady() + timedelta(seconds=days * _DAY_S),
        )
        return await self._make(terms, None, Change.REVIEWER_CODE_MADE, email=person.email)

    async def list_open(self, person_id: PersonId) -> list[Pairing]:
        """The person's codes that can still be claimed, newest first."""
        return await self._storage.pairings.of_person(person_id, self._clock.steady())

    async def cancel(self, principal: Principal, pairing_id: PairingId) -> None:
        """End an unclaimed code; NotFound when it is over or not this person's."""

        def work(tx: Transaction) -> None:
            self._storage.pairings.end_expired(tx, self._clock.steady())
            if not self._storage.pairings.cancel(tx, principal.person.id, pairing_id):
                raise NotFound
            self._changes.add(tx, principal, Change.PAIRING_CANCELLED, f"pairing {pairing_id}")

        await self._storage.write(work)

    async def check(self, address: str) -> None:
        """Raise TooMany while claims from this address are held off; asked before a claim is read."""
        await self._throttle.check(_WRONG.bucket, source(address))

    async def claim(self, *, code: str, kind: str, address: str) -> Claimed:
        """Use a code up, once, for a new device.

        Raises TooMany while the address is held off, Invalid for a kind there is none of, CodeGone
        (which counts as a wrong code) and KindMismatch (which does not, and keeps the code).
        """
        await self.check(address)
        wanted = good_kind(kind)
        spelled, token = read_code(code), mint_token(DEVICE)
        made = await self._storage.write(
            lambda tx: self._claim_in(tx, spelled, kind=wanted, token=token, address=address)
        )
        if isinstance(made, IraError):
            raise made
        self._bus.publish(DeviceJoined(made.person_id, made.id, address))
        settings = await self._storage.settings.get(made.person_id)
        return Claimed(made, token, settings.assistant_name)

    def _claim_in(
        self, tx: Transaction, code: str | None, *, kind: DeviceKind, token: str, address: str
    ) -> Device | IraError:
        """The new device, or why there is none: returned, so that the wrong try stays counted."""
        self._throttle.check_in(tx, _WRONG.bucket, source(address))
        now = self._clock.steady()
        pairing = (
            self._storage.pairings.by_code(tx, keyed_hash(self._key, code), now) if code else None
        )
        if pairing is None:
            self._throttle.fail_in(tx, _WRONG, source(address))
            return CodeGone()
        if pairing.kind is not kind:
            message = f"This code is for a device of the kind {pairing.kind}."
            return KindMismatch(message, kind=pairing.kind.value)
        self._storage.pairings.use(tx, pairing)
        device = self._storage.devices.add(
            tx, pairing, token_hash=token_hash(token), address=address, at=self._clock.now()
        )
        self._note_paired(tx, device)
        return device

    def _note_paired(self, tx: Transaction, device: Device) -> None:
        person = self._storage.people.get_in(tx, device.person_id)
        self._storage.changes.add(
            tx,
            actor=person.email if person else "",
            change=Change.DEVICE_PAIRED,
            at=self._clock.now(),
            subject=f"device {device.id}",
            detail=device.kind.value,
        )

    async def _make(
        self, terms: PairingTerms, actor: Principal | None, change: Change, *, email: str = ""
    ) -> OpenedCode:
        code = mint_code()
        detail = f"{terms.kind}, uses {terms.uses}, until {terms.expires_at:%Y-%m-%d}"

        def work(tx: Transaction) -> Pairing:
            now = self._clock.steady()
            self._storage.pairings.end_expired(tx, now)
            if self._storage.pairings.count(tx, terms.person_id) >= PAIRINGS_A_PERSON:
                message = "Too many codes are open. Cancel some, or wait until they expire."
                raise Conflict(message)
            hashed = keyed_hash(self._key, code)
            pairing = self._storage.pairings.add(tx, terms, code_hash=hashed, now=now)
            self._changes.add(tx, actor, change, email or f"pairing {pairing.id}", detail)
            return pairing

        return OpenedCode(await self._storage.write(work), code)


def _check_range(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        message = f"{name} is 1 to {most}."
        raise Invalid(message, field=name)

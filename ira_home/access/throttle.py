"""Throttles: guesses are counted before they are looked at, and whoever fails often is held off."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
import ipaddress
import math
from typing import Self

from ira_home.base.clock import Clock
from ira_home.base.errors import TooMany, Unauthenticated
from ira_home.base.ids import PersonId
from ira_home.base.limits import HOLD_S_MAX
from ira_home.base.tokens import keyed_hash
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

# Guesses that are being looked at; one of a server that died meanwhile stays a try.
_UNDECIDED = ".undecided"


def source(address: str) -> str:
    """Who an address is for a throttle: IPv4 as it is, IPv6 by its /64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


@dataclass(frozen=True, slots=True)
class Limit:
    """How many wrong guesses in a window lead to a hold, and the error that says so."""

    bucket: str
    tries: int
    window_s: float
    hold_s: float
    error: type[TooMany] = TooMany


Held = Callable[[Transaction, Limit], None]


@dataclass(frozen=True, slots=True)
class _Reserved:
    limit: Limit
    subject: str
    try_id: int


class Throttle:
    """Counts by bucket and subject, kept over restarts; subjects are kept only as keyed hashes."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Use `open`."""
        self._storage = storage
        self._clock = clock
        self._key = storage.secret.derive("throttle")

    @classmethod
    async def open(cls, storage: Storage, clock: Clock) -> Self:
        """Count in `storage`, by the steady time of `clock`.

        A clock turned back between two starts lengthens no hold beyond HOLD_S_MAX.
        """
        now = clock.steady()
        longest = now + timedelta(seconds=HOLD_S_MAX)
        await storage.write(lambda tx: storage.throttle.align(tx, now=now, longest=longest))
        return cls(storage, clock)

    async def guess(
        self,
        limits: Sequence[tuple[Limit, str]],
        right: Callable[[], Awaitable[bool]],
        *,
        person_id: PersonId | None = None,
        held: Held | None = None,
    ) -> bool:
        """Whether a guess is right; raises the limit's error while any (limit, subject) is held off.

        The guess is counted before `right` is asked, so that many at once are not looked at before
        the first is known to be wrong. A right one is taken back; one that was never decided counts.
        `held` is told, in the same transaction, of each hold that a wrong one begins.
        """
        reserved = await self._storage.write(
            lambda tx: self._reserve(tx, limits, person_id), durable=False
        )
        try:
            good = await right()
        except TooMany:
            await self._settle(reserved, failed=False, person_id=person_id)
            raise
        await self._settle(reserved, failed=not good, person_id=person_id, held=held)
        return good

    async def check(self, bucket: str, subject: str) -> None:
        """Raise TooMany while the subject is held off."""
        until = await self._storage.throttle.held_until(bucket, self._hash(subject))
        self._refuse(until, TooMany)

    def check_in(
        self, tx: Transaction, bucket: str, subject: str, error: type[TooMany] = TooMany
    ) -> None:
        """Raise `error` while the subject is held off, as this transaction sees it."""
        until = self._storage.throttle.held_until_in(tx, bucket, self._hash(subject))
        self._refuse(until, error)

    def fail_in(
        self,
        tx: Transaction,
        limit: Limit,
        subject: str,
        *,
        person_id: PersonId | None = None,
        held: Held | None = None,
    ) -> None:
        """Count a failed try in the caller's transaction; while held off nothing is counted.

        The last try that the limit allows within its window begins a hold of at most HOLD_S_MAX.
        """
        store, hashed, now = self._storage.throttle, self._hash(subject), self._clock.steady()
        until = store.held_until_in(tx, limit.bucket, hashed)
        if until is not None and until > now:
            return
        store.add(tx, limit.bucket, subject=hashed, at=now, person_id=person_id)
        if self._count(tx, limit.bucket, limit, hashed) >= limit.tries:
            end = now + timedelta(seconds=min(limit.hold_s, HOLD_S_MAX))
            store.hold(tx, limit.bucket, subject=hashed, until=end, person_id=person_id)
            if held is not None:
                held(tx, limit)
        store.forget_holds(tx, now - timedelta(seconds=HOLD_S_MAX))

    def _reserve(
        self,
        tx: Transaction,
        limits: Sequence[tuple[Limit, str]],
        person_id: PersonId | None,
    ) -> list[_Reserved]:
        if person_id is not None and self._storage.people.get_in(tx, person_id) is None:
            raise Unauthenticated
        for limit, subject in limits:
            self.check_in(tx, limit.bucket, subject, limit.error)
        return [self._reserve_one(tx, limit, subject, person_id) for limit, subject in limits]

    def _reserve_one(
        self, tx: Transaction, limit: Limit, subject: str, person_id: PersonId | None
    ) -> _Reserved:
        hashed, undecided = self._hash(subject), limit.bucket + _UNDECIDED
        tries = sum(self._count(tx, bucket, limit, hashed) for bucket in (limit.bucket, undecided))
        if tries >= limit.tries:
            raise TooMany(retry_after_s=1)
        try_id = self._storage.throttle.add(
            tx, undecided, subject=hashed, at=self._clock.steady(), person_id=person_id
        )
        return _Reserved(limit, subject, try_id)

    async def _settle(
        self,
        reserved: list[_Reserved],
        *,
        failed: bool,
        person_id: PersonId | None,
        held: Held | None = None,
    ) -> None:
        def work(tx: Transaction) -> None:
            for one in reserved:
                # A try that is gone went with its person's account.
                if self._storage.throttle.drop(tx, one.try_id) and failed:
                    self.fail_in(tx, one.limit, one.subject, person_id=person_id, held=held)

        await self._storage.write(work, durable=False)

    def _count(self, tx: Transaction, bucket: str, limit: Limit, hashed: str) -> int:
        since = self._clock.steady() - timedelta(seconds=limit.window_s)
        return self._storage.throttle.count(tx, bucket, subject=hashed, since=since)

    def _refuse(self, until: datetime | None, error: type[TooMany]) -> None:
        now = self._clock.steady()
        if until is not None and until > now:
            raise error(retry_after_s=max(1, math.ceil((until - now).total_seconds())))

    def _hash(self, subject: str) -> str:
        return keyed_hash(self._key, subject).hex()

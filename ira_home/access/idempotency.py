"""Idempotency keys: a POST that acts, sent twice, acts once."""

from collections.abc import Callable
from datetime import timedelta
import hashlib
import hmac

from ira_home.base.clock import Clock
from ira_home.base.errors import IdempotencyConflict, InProgress, Invalid, Unauthenticated
from ira_home.base.ids import PersonId
from ira_home.base.limits import IDEMPOTENCY_KEY_CHARS, IDEMPOTENCY_S
from ira_home.domain.people import Principal
from ira_home.storage.database import Transaction
from ira_home.storage.idempotency import Earlier
from ira_home.storage.storage import Storage

# Keeps the name of what came of a request, within the transaction that makes it.
Keep = Callable[[Transaction, str], None]


class Idempotency:
    """Remembers for a day what came of a person's request under its key.

    Keys and bodies are kept only as keyed hashes: a body may hold a PIN, which a plain hash of it
    would give away.
    """

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Keep requests in `storage`."""
        self._storage = storage
        self._clock = clock
        self._secret = storage.secret.derive("idempotency")
        self._started_at = clock.steady()

    async def begin(
        self, principal: Principal, route: str, key: str, body: bytes, *, is_whole: bool = False
    ) -> str | None:
        """None when the request is to be carried out now, else what came of the same one before.

        Raises IdempotencyConflict when the key came with another body, InProgress while the first
        is still worked on or its outcome is not known, Invalid for a bad key. After None the caller
        calls `finish`, or `drop` when nothing was done. `is_whole`: what the request does and its
        name are kept in one transaction (`keeping`), so one that a stop of the server cut off did
        nothing, and is carried out now.
        """
        if not 1 <= len(key) <= IDEMPOTENCY_KEY_CHARS or not key.isprintable():
            message = f"An Idempotency-Key has 1 to {IDEMPOTENCY_KEY_CHARS} characters."
            raise Invalid(message, field="Idempotency-Key")
        key_hash, request_hash = self._key_hash(route, key), self._hash(b"body", body)
        person_id = principal.person.id

        def work(tx: Transaction) -> Earlier | None:
            earlier = self._begin(tx, person_id, key_hash=key_hash, request_hash=request_hash)
            if earlier is None or not (is_whole and self._was_cut_off(earlier, request_hash)):
                return earlier
            self._storage.idempotency.drop(tx, person_id, key_hash)
            return self._begin(tx, person_id, key_hash=key_hash, request_hash=request_hash)

        earlier = await self._storage.write(work)
        if earlier is None:
            return None
        if not hmac.compare_digest(earlier.request_hash, request_hash):
            raise IdempotencyConflict
        if not earlier.result:
            raise self._unfinished(earlier)
        return earlier.result

    async def finish(self, principal: Principal, route: str, key: str, result: str) -> None:
        """Keep the name (an id, never a body or secret) of what came of the request."""
        key_hash, person_id = self._key_hash(route, key), principal.person.id
        await self._storage.write(
            lambda tx: self._storage.idempotency.finish(
                tx, person_id, key_hash=key_hash, result=result
            )
        )

    def keeping(self, principal: Principal, route: str, key: str) -> Keep:
        """What `finish` does, for the transaction of whoever carries the request out."""
        key_hash, person_id = self._key_hash(route, key), principal.person.id

        def keep(tx: Transaction, result: str) -> None:
            self._storage.idempotency.finish(tx, person_id, key_hash=key_hash, result=result)

        return keep

    async def drop(self, principal: Principal, route: str, key: str) -> None:
        """Forget a request that was refused and did nothing, so that it can be made again."""
        key_hash, person_id = self._key_hash(route, key), principal.person.id
        await self._storage.write(
            lambda tx: self._storage.idempotency.drop(tx, person_id, key_hash)
        )

    def _begin(
        self, tx: Transaction, person_id: PersonId, *, key_hash: bytes, request_hash: bytes
    ) -> Earlier | None:
        if self._storage.people.get_in(tx, person_id) is None:
            raise Unauthenticated
        store, now = self._storage.idempotency, self._clock.steady()
        store.prune(tx, person_id, now - timedelta(seconds=IDEMPOTENCY_S))
        earlier = store.get_in(tx, person_id, key_hash)
        if earlier is None:
            store.begin(tx, person_id, key_hash=key_hash, request_hash=request_hash, at=now)
        return earlier

    def _was_cut_off(self, earlier: Earlier, request_hash: bytes) -> bool:
        is_same = hmac.compare_digest(earlier.request_hash, request_hash)
        return is_same and not earlier.result and earlier.begun_at < self._started_at

    def _unfinished(self, earlier: Earlier) -> InProgress:
        if earlier.begun_at >= self._started_at:
            return InProgress(retry_after_s=1)
        message = (
            "The server stopped during the first request with this Idempotency-Key, so what came "
            "of it is not known. Look first, then use a new key."
        )
        return InProgress(message)

    def _key_hash(self, route: str, key: str) -> bytes:
        return self._hash(b"key", f"{route}\n{key}".encode("utf-8", "surrogatepass"))

    def _hash(self, what: bytes, content: bytes) -> bytes:
        return hmac.new(self._secret, what + b"\n" + content, hashlib.sha256).digest()

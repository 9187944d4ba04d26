"""Argon2id for passwords and PINs: in threads, few at once, and never for free to an attacker."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
import secrets
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ira_home.base.errors import TooMany
from ira_home.base.limits import HASHES_AT_ONCE, HASHES_WAITING, PASSWORD_CHARS_MAX, PIN_DIGITS_MAX
from ira_home.base.tokens import keyed_hash
from ira_home.storage.vault import SecretFile

T = TypeVar("T")

# The smallest setting that OWASP recommends: some 30 to 80 ms and 19 MiB on a spare family PC.
MEMORY_KIB: Final = 19_456
PASSES: Final = 2


def _dummy() -> str:
    """A hash that no password has, as slow to refuse as a real one, without being made slowly."""
    salt, digest = (
        b64encode(secrets.token_bytes(length)).rstrip(b"=").decode() for length in (16, 32)
    )
    return f"$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p=1${salt}${digest}"


def _bytes(password: str) -> bytes:
    """Exactly what was typed; half a character of a strange terminal does no harm."""
    return password.encode("utf-8", "surrogatepass")


class Hasher:
    """Makes and checks the hashes of passwords and PINs."""

    def __init__(self, secret: SecretFile) -> None:
        """Key PINs with the secret file, so that a copied database does not give them away."""
        self._argon = PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=1)
        self._pin_key = secret.derive("pin")
        self._dummy = _dummy()
        self._threads = ThreadPoolExecutor(HASHES_AT_ONCE, thread_name_prefix="ira-hash")
        self._unfinished = 0

    async def hash_password(self, password: str) -> str:
        """The hash to keep; the caller has checked the length."""
        return await self._run(lambda: self._argon.hash(_bytes(password)))

    async def verify_password(self, kept: str | None, password: str) -> bool:
        """Whether the password has this hash; without one the same time is spent and it is False."""
        fits = len(password) <= PASSWORD_CHARS_MAX
        asked = _bytes(password) if fits else b""
        known = await self._verify(kept or self._dummy, asked)
        return known and fits and kept is not None

    async def hash_pin(self, pin: str) -> str:
        """The keyed hash to keep of a PIN."""
        return await self._run(lambda: self._argon.hash(keyed_hash(self._pin_key, pin)))

    async def verify_pin(self, kept: str, pin: str) -> bool:
        """Whether the PIN has this hash; one that cannot be a PIN is False at once."""
        if len(pin) > PIN_DIGITS_MAX or not pin.isascii():
            return False
        return await self._verify(kept, keyed_hash(self._pin_key, pin))

    def close(self) -> None:
        """Let the threads go; what still waits is not done."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _verify(self, kept: str, asked: bytes) -> bool:
        def work() -> bool:
            try:
                return self._argon.verify(kept, asked)
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(work)

    async def _run(self, work: Callable[[], T]) -> T:
        """Run in a thread; TooMany when the queue is full. A waiter that leaves frees no place early."""
        if self._unfinished >= HASHES_AT_ONCE + HASHES_WAITING:
            raise TooMany(retry_after_s=2)
        loop = asyncio.get_running_loop()
        self._unfinished += 1
        future = self._threads.submit(work)

        def finished(_: Future[T]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._finish)

        future.add_done_callback(finished)
        return await asyncio.wrap_future(future)

    def _finish(self) -> None:
        self._unfinished -= 1

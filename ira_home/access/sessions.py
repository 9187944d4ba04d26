"""Sessions: signing in on the web, and what a session cookie is worth."""

from datetime import datetime, timedelta
import logging
from typing import Final

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.access.hashing import Hasher
from ira_home.access.permissions import require_session, session_principal
from ira_home.access.rules import folded_email
from ira_home.access.throttle import Limit, Throttle, source
from ira_home.base.clock import Clock
from ira_home.base.errors import (
    NotFound,
    PasswordNeeded,
    Unauthenticated,
    Unavailable,
    WrongCredentials,
)
from ira_home.base.ids import PersonId, SessionId
from ira_home.base.limits import (
    AGENT_CHARS,
    SESSION_IDLE_S,
    SESSION_TOTAL_S,
    SESSIONS_A_PERSON,
    USED_S,
    VERIFIED_S,
    WRONG_PASSWORDS,
    WRONG_PASSWORDS_ADDRESS,
    WRONG_PASSWORDS_S,
)
from ira_home.base.pubsub import Bus
from ira_home.base.text import cut, one_line
from ira_home.base.tokens import SESSION, mint_token, token_hash
from ira_home.domain.audit import Change
from ira_home.domain.facts import SessionEnded
from ira_home.domain.people import Person, Principal
from ira_home.domain.sessions import SessionRow
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)

# Counted per address, so that failing on purpose locks nobody out who comes from elsewhere.
BY_ADDRESS: Final = Limit("sign_in", WRONG_PASSWORDS_ADDRESS, WRONG_PASSWORDS_S, WRONG_PASSWORDS_S)
BY_ACCOUNT: Final = Limit("sign_in_as", WRONG_PASSWORDS, WRONG_PASSWORDS_S, WRONG_PASSWORDS_S)


class Sessions:
    """Opens, checks and ends sessions; of a token only its SHA-256 is kept."""

    def __init__(
        self,
        storage: Storage,
        accounts: Accounts,
        *,
        clock: Clock,
        bus: Bus,
        hasher: Hasher,
        throttle: Throttle,
        changes: Changes,
    ) -> None:
        """Sign people of `accounts` in; expiries follow the steady time of `clock`."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._bus = bus
        self._hasher = hasher
        self._throttle = throttle
        self._changes = changes

    async def sign_in(
        self, *, email: str, password: str, address: str, agent: str
    ) -> tuple[str, Principal]:
        """Open a session with a new token, shown this once; raises WrongCredentials or TooMany.

        An unknown person and a wrong password get the same refusal after the same work.
        """
        folded, place = folded_email(email), source(address)
        person = await self._storage.people.by_email(folded)
        # Looked up for unknown people as well: nobody has the id 0, and the time is the same.
        kept = await self._storage.people.hashes(PersonId(0) if person is None else person.id)
        password_hash = None if kept is None else kept.password

        async def right() -> bool:
            return await self._hasher.verify_password(password_hash, password)

        def held(tx: Transaction, limit: Limit) -> None:
            # An address that nobody here has may hold anything, and is not written down.
            if limit is BY_ACCOUNT and person is not None:
                self._changes.held(tx, Change.PASSWORD_HELD, person.email)

        limits = [(BY_ADDRESS, place), (BY_ACCOUNT, f"{folded} {place}")]
        good = await self._throttle.guess(limits, right, held=held)
        if not good or person is None or password_hash is None:
            raise WrongCredentials
        return await self._open(person, password_hash, address=address, agent=agent)

    async def authenticate(self, token: str) -> Principal:
        """Whose session this is, with the permissions of their present role; raises Unauthenticated.

        A session ends 30 days after its last use and 180 days after it was opened.
        """
        found = await self._storage.sessions.by_token(token_hash(token))
        if found is None:
            raise Unauthenticated
        session, person = found
        now = self._clock.steady()
        if self._is_over(session, now):
            raise Unauthenticated
        if now - session.used_at >= timedelta(seconds=USED_S):
            await self._touch(session, now)
        return session_principal(person, session.id)

    async def sign_out(self, principal: Principal) -> None:
        """End the principal's own session."""
        require_session(principal)
        person, session_id = principal.person, SessionId(principal.credential_id)

        def work(tx: Transaction) -> None:
            if self._storage.sessions.end(tx, person.id, session_id):
                self._changes.add(tx, principal, Change.SIGNED_OUT, person.email)

        await self._storage.write(work)
        self._bus.publish(SessionEnded(person.id, session_id))

    async def list(self, person_id: PersonId) -> list[SessionRow]:
        """The person's sessions that are not over, last used first."""
        now = self._clock.steady()
        rows = await self._storage.sessions.of_person(person_id)
        return [row for row in rows if not self._is_over(row, now)]

    async def end(self, principal: Principal, session_id: SessionId) -> None:
        """End one of one's own sessions; raises NotFound."""
        require_session(principal)
        person = principal.person

        def work(tx: Transaction) -> None:
            if not self._storage.sessions.end(tx, person.id, session_id):
                raise NotFound
            self._changes.add(tx, principal, Change.SESSION_ENDED, person.email)

        await self._storage.write(work)
        self._bus.publish(SessionEnded(person.id, session_id))

    async def end_others(self, principal: Principal) -> int:
        """End all of one's own sessions but the one that asks; how many."""
        require_session(principal)
        person, own = principal.person, SessionId(principal.credential_id)

        def work(tx: Transaction) -> tuple[SessionId, ...]:
            ended = self._storage.sessions.end_others(tx, person.id, own)
            if ended:
                self._changes.add(tx, principal, Change.SESSION_ENDED, person.email, "all others")
            return ended

        ended = await self._storage.write(work)
        for over in ended:
            self._bus.publish(SessionEnded(person.id, over))
        return len(ended)

    async def verify(self, principal: Principal, password: str) -> None:
        """Take the password again: serious steps are open for 10 minutes; raises PasswordWrong."""
        require_session(principal)
        await self._accounts.check_password(principal.person.id, password)
        session_id, now = SessionId(principal.credential_id), self._clock.steady()
        if not await self._storage.write(
            lambda tx: self._storage.sessions.verify(tx, session_id, now)
        ):
            raise Unauthenticated

    async def is_verified(self, principal: Principal) -> bool:
        """Whether the password was given in this session within the last 10 minutes."""
        require_session(principal)
        at = await self._storage.sessions.verified_at(SessionId(principal.credential_id))
        # A moment after now was written before the clock was turned back between two starts.
        return at is not None and timedelta() <= self._clock.steady() - at < _VERIFIED

    async def set_first_pin(self, principal: Principal, pin: str) -> None:
        """Set one's own first PIN within 10 minutes of the password.

        Raises PasswordNeeded after that, and where there is a PIN already; Invalid for the new one.
        """
        if not await self.is_verified(principal):
            raise PasswordNeeded
        await self._accounts.set_first_pin(principal, pin)

    async def _open(
        self, person: Person, password_hash: str, *, address: str, agent: str
    ) -> tuple[str, Principal]:
        token, now = mint_token(SESSION), self._clock.steady()

        def work(tx: Transaction) -> tuple[Person, SessionId, tuple[SessionId, ...]]:
            present = self._storage.people.get_in(tx, person.id)
            kept = self._storage.people.hashes_in(tx, person.id)
            if present is None or kept is None or kept.password != password_hash:
                raise WrongCredentials
            store = self._storage.sessions
            store.end_expired(
                tx,
                idle_since=now - timedelta(seconds=SESSION_IDLE_S),
                opened_before=now - timedelta(seconds=SESSION_TOTAL_S),
            )
            ended = store.end_excess(tx, person.id, SESSIONS_A_PERSON - 1)
            session_id = store.add(
                tx,
                person_id=person.id,
                token_hash=token_hash(token),
                agent=cut(one_line(agent), AGENT_CHARS),
                address=address,
                at=now,
            )
            self._changes.add(tx, present, Change.SIGNED_IN, present.email)
            return present, session_id, ended

        present, session_id, ended = await self._storage.write(work)
        for over in ended:
            self._bus.publish(SessionEnded(person.id, over))
        return token, session_principal(present, session_id)

    async def _touch(self, session: SessionRow, now: datetime) -> None:
        try:
            await self._storage.write(
                lambda tx: self._storage.sessions.touch(tx, session.id, now), durable=False
            )
        except Unavailable as error:
            # Reading must go on with a full disk; the session only ages a little faster.
            log.warning("the last use of a session was not written: %s", error.message)

    def _is_over(self, session: SessionRow, now: datetime) -> bool:
        return now - session.used_at >= _IDLE or now - session.created_at >= _TOTAL


_VERIFIED: Final = timedelta(seconds=VERIFIED_S)
_IDLE: Final = timedelta(seconds=SESSION_IDLE_S)
_TOTAL: Final = timedelta(seconds=SESSION_TOTAL_S)

"""API tokens: credentials for a person's own scripts, never broader than their scopes."""

from collections.abc import Iterable
from datetime import datetime, timedelta
import logging

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.access.permissions import narrowed, require_session
from ira_home.base.clock import Clock
from ira_home.base.errors import Conflict, Invalid, NotFound, Unauthenticated, Unavailable
from ira_home.base.ids import ApiTokenId, PersonId
from ira_home.base.limits import TOKENS_A_PERSON, USED_S
from ira_home.base.pubsub import Bus
from ira_home.base.tokens import API, mint_token, token_hash
from ira_home.domain.api_tokens import ApiTokenRow
from ira_home.domain.audit import Change
from ira_home.domain.facts import SessionEnded
from ira_home.domain.labels import good_label
from ira_home.domain.people import TOKEN_PERMISSIONS, Credential, Permission, Principal
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

log = logging.getLogger(__name__)


class ApiTokens:
    """Makes, checks and ends API tokens; of a token only its SHA-256 is kept."""

    def __init__(
        self, storage: Storage, accounts: Accounts, *, clock: Clock, bus: Bus, changes: Changes
    ) -> None:
        """A new token is a new grant, so `accounts` checks the PIN for it."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._bus = bus
        self._changes = changes

    async def make(
        self, principal: Principal, *, name: str, scopes: Iterable[str], pin: str | None
    ) -> tuple[str, ApiTokenRow]:
        """Make a token, shown this once, with scopes of ask, voice and actions.

        Raises Invalid, Forbidden without a session, the errors of check_pin, Conflict with too many.
        """
        require_session(principal)
        wanted = _scopes(principal, scopes)
        label = good_label(name, field="name")
        await self._accounts.check_pin(principal.person.id, pin)
        token, person = mint_token(API), principal.person

        def work(tx: Transaction) -> ApiTokenRow:
            if self._storage.people.get_in(tx, person.id) is None:
                raise Unauthenticated
            if self._storage.api_tokens.count_in(tx, person.id) >= TOKENS_A_PERSON:
                message = f"You have {TOKENS_A_PERSON} tokens already. End one first."
                raise Conflict(message)
            detail = ", ".join(sorted(wanted))
            self._changes.add(tx, principal, Change.API_TOKEN_MADE, person.email, detail)
            return self._storage.api_tokens.add(
                tx,
                person_id=person.id,
                name=label,
                token_hash=token_hash(token),
                scopes=wanted,
                at=self._clock.now(),
            )

        return token, await self._storage.write(work)

    async def list(self, person_id: PersonId) -> list[ApiTokenRow]:
        """The person's tokens, newest first."""
        return await self._storage.api_tokens.of_person(person_id)

    async def end(self, principal: Principal, token_id: ApiTokenId) -> None:
        """End one of one's own tokens; raises NotFound."""
        require_session(principal)
        person = principal.person

        def work(tx: Transaction) -> None:
            if not self._storage.api_tokens.end(tx, person.id, token_id):
                raise NotFound
            self._changes.add(tx, principal, Change.API_TOKEN_ENDED, person.email)

        await self._storage.write(work)
        self._bus.publish(SessionEnded(person.id, token_id))

    async def authenticate(self, token: str) -> Principal:
        """Whose token this is; its scopes are narrowed to the person's role; raises Unauthenticated."""
        found = await self._storage.api_tokens.by_token(token_hash(token))
        if found is None:
            raise Unauthenticated
        row, person = found
        now = self._clock.now()
        if row.used_at is None or abs(now - row.used_at) >= timedelta(seconds=USED_S):
            await self._touch(row.id, now)
        scopes = row.scopes & TOKEN_PERMISSIONS
        return Principal(person, Credential.API_TOKEN, row.id, narrowed(person, scopes))

    async def _touch(self, token_id: ApiTokenId, now: datetime) -> None:
        try:
            await self._storage.write(
                lambda tx: self._storage.api_tokens.touch(tx, token_id, now), durable=False
            )
        except Unavailable as error:
            # Reading must go on with a full disk; only the time of last use stays behind.
            log.warning("the last use of a token was not written: %s", error.message)


def _scopes(principal: Principal, scopes: Iterable[str]) -> frozenset[Permission]:
    """The scopes asked for; Invalid unless the principal has them and a token may."""
    allowed = TOKEN_PERMISSIONS & principal.permissions
    wanted = frozenset(scopes)
    if not wanted or not wanted <= frozenset(allowed):
        message = f"Choose one or more of {', '.join(sorted(allowed))}."
        raise Invalid(message, field="scopes")
    return frozenset(Permission(scope) for scope in wanted)

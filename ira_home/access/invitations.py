"""Invitations: a link with which somebody makes their own account and chooses its secrets."""

from datetime import timedelta

from ira_home.access.accounts import Accounts
from ira_home.access.changes import Changes
from ira_home.access.permissions import require
from ira_home.access.rules import good_email, good_name
from ira_home.base.clock import Clock
from ira_home.base.errors import Conflict, Forbidden, Gone, NotFound, Taken, Unauthenticated
from ira_home.base.limits import INVITATION_S, INVITATIONS_OPEN
from ira_home.base.tokens import INVITATION, mint_token, token_hash
from ira_home.domain.audit import Change
from ira_home.domain.invitations import Invitation
from ira_home.domain.people import Permission, Person, Principal, Role, may_manage
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage


class Invitations:
    """Makes, lists, takes back and accepts invitations; of a token only its SHA-256 is kept."""

    def __init__(
        self, storage: Storage, accounts: Accounts, *, clock: Clock, changes: Changes
    ) -> None:
        """`accounts` makes the account when one is accepted."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._changes = changes

    async def make(self, principal: Principal, email: str, role: Role) -> str:
        """Invite an address for 7 days, in place of an earlier invitation; the token is shown once.

        Raises Forbidden by may_manage, Taken, Invalid, Conflict with too many open.
        """
        require(principal, Permission.CONSOLE)
        address, token, now = good_email(email), mint_token(INVITATION), self._clock.steady()

        def work(tx: Transaction) -> None:
            self._may_invite(tx, principal, role)
            if self._storage.people.is_taken_in(tx, address):
                message = "Somebody has an account with this e-mail address already."
                raise Taken(message, field="email")
            store = self._storage.invitations
            store.drop_expired(tx, now)
            store.drop_email(tx, address)
            if store.count_in(tx) >= INVITATIONS_OPEN:
                message = f"There are {INVITATIONS_OPEN} open invitations. Take one back first."
                raise Conflict(message)
            store.add(
                tx,
                token_hash=token_hash(token),
                email=address,
                role=role,
                made_by=principal.person.id,
                at=now,
                expires_at=now + timedelta(seconds=INVITATION_S),
            )
            self._changes.add(tx, principal, Change.INVITATION_MADE, address, role.value)

        await self._storage.write(work)
        return token

    async def list(self) -> list[Invitation]:
        """Open invitations, newest first."""
        now = self._clock.steady()
        return [one for one in await self._storage.invitations.list() if one.expires_at > now]

    async def cancel(self, principal: Principal, invitation_id: int) -> None:
        """Take an invitation back; raises NotFound, Forbidden by may_manage."""
        require(principal, Permission.CONSOLE)

        def work(tx: Transaction) -> None:
            found = self._storage.invitations.get_in(tx, invitation_id)
            if found is None:
                raise NotFound
            self._may_invite(tx, principal, found.role)
            self._storage.invitations.drop(tx, invitation_id)
            self._changes.add(tx, principal, Change.INVITATION_ENDED, found.email)

        await self._storage.write(work)

    async def accept(self, token: str, name: str, password: str, pin: str) -> Person:
        """Make the invited account, once; raises Gone, Invalid.

        An unknown, used and expired token, and one whose maker may no longer invite, are alike.
        """
        open_one = self._still_open(await self._storage.invitations.by_token(token_hash(token)))
        good = good_name(name)
        hashes = await self._accounts.new_hashes(open_one.email, password, pin)

        def work(tx: Transaction) -> Person:
            found = self._still_open(self._storage.invitations.by_token_in(tx, token_hash(token)))
            maker = self._storage.people.get_in(tx, found.made_by)
            if maker is None or not may_manage(maker.role, found.role):
                raise Gone
            person = self._accounts.add_in(
                tx, email=found.email, name=good, role=found.role, hashes=hashes
            )
            detail = f"{person.role}, by invitation"
            self._changes.add(tx, maker, Change.PERSON_ADDED, person.email, detail)
            return person

        return await self._storage.write(work)

    def _still_open(self, found: Invitation | None) -> Invitation:
        if found is None or found.expires_at <= self._clock.steady():
            message = "This invitation is over. Ask for a new one."
            raise Gone(message)
        return found

    def _may_invite(self, tx: Transaction, principal: Principal, role: Role) -> None:
        now = self._storage.people.get_in(tx, principal.person.id)
        if now is None:
            raise Unauthenticated
        if not may_manage(now.role, role):
            raise Forbidden

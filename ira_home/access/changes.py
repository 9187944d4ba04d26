"""The change log: who changed what, written in the transaction of the change."""

from ira_home.base.clock import Clock
from ira_home.domain.audit import Change, ChangeEntry
from ira_home.domain.pages import Page, page_of, read_cursor
from ira_home.domain.people import Person, Principal
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

OPERATOR, HOUSE = "operator", "house"
_UNPROVED = ""


class Changes:
    """Lines of the change log; the actor None is the operator's own command line."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Write to `storage` with the time of `clock`."""
        self._storage = storage
        self._clock = clock

    def held(self, tx: Transaction, change: Change, subject: str) -> None:
        """Add that somebody, who knows whom, has guessed at a person's secret until it was enough."""
        self._storage.changes.add(
            tx, actor=_UNPROVED, change=change, at=self._clock.now(), subject=subject
        )

    def add(
        self,
        tx: Transaction,
        actor: Principal | Person | None,
        change: Change,
        subject: str = "",
        detail: str = "",
    ) -> None:
        """Add a line in the change's own transaction; never a label, code, token, PIN or content."""
        self._storage.changes.add(
            tx,
            actor=_name_of(actor),
            change=change,
            at=self._clock.now(),
            subject=subject,
            detail=detail,
        )

    def of_house(self, tx: Transaction, change: Change, detail: str, *, by_operator: bool) -> None:
        """Add a line about a change that nobody made who has an account: the operator, or the house itself."""
        actor = OPERATOR if by_operator else HOUSE
        self._storage.changes.add(
            tx, actor=actor, change=change, at=self._clock.now(), detail=detail
        )

    async def list(self, cursor: str | None, limit: int) -> Page[ChangeEntry]:
        """A page of lines, newest first."""
        start = read_cursor(cursor)
        found = await self._storage.changes.list(start[0] if start else None, limit + 1)
        return page_of(found, limit, lambda entry: str(entry.id))


def _name_of(actor: Principal | Person | None) -> str:
    if actor is None:
        return OPERATOR
    return actor.person.email if isinstance(actor, Principal) else actor.email

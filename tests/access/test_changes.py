"""The change log: with the change or not at all, and read in pages."""

from functools import partial

import pytest

from ira_home.base.errors import Conflict, Invalid
from ira_home.domain.audit import Change
from ira_home.storage.database import Transaction
from tests.support.people import People


async def test_a_line_stands_and_falls_with_its_transaction(people: People) -> None:
    owner = await people.owner()
    before = await people.logged()

    def work(tx: Transaction) -> None:
        people.changes.add(tx, owner, Change.HOUSE_CHANGED, detail="name")
        raise Conflict

    with pytest.raises(Conflict):
        await people.storage.write(work)
    assert await people.logged() == before


async def test_pages_go_from_the_newest_to_the_oldest_and_end(people: People) -> None:
    for number in range(7):
        await people.storage.write(
            partial(
                people.changes.add,
                actor=None,
                change=Change.HOUSE_CHANGED,
                subject=f"thing {number}",
            )
        )
    cursor, seen = None, []
    while True:
        page = await people.changes.list(cursor, 3)
        seen += [entry.subject for entry in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == [f"thing {number}" for number in reversed(range(7))]


@pytest.mark.parametrize("cursor", ["x", "-1", "1.2", "9" * 40])
async def test_a_cursor_of_another_list_is_refused(people: People, cursor: str) -> None:
    with pytest.raises(Invalid):
        await people.changes.list(cursor, 3)

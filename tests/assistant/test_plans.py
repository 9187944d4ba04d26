"""What a turn asks of the database is found by an index: a long life of the house must not slow it."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from ira_home.storage.database import Database, Transaction
from tests.assistant.asking import ASK_PARCEL
from tests.support.talk import Talk

GROWS = {"messages", "turns", "tool_log", "pending_actions", "conversations", "device_events"}


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, int]]]:
    """Meanwhile every statement is noted, with the number of its parameters."""
    noted: set[tuple[str, int]] = set()

    def note(patch: pytest.MonkeyPatch, kind: type, name: str) -> None:
        real = getattr(kind, name)

        def noting(self: Any, sql: str, params: Any = ()) -> Any:
            noted.add((sql, len(params)))
            return real(self, sql, params)

        patch.setattr(kind, name, noting)

    with monkeypatch.context() as patch:
        for name in ("one", "all"):
            note(patch, Database, name)
        for name in ("one", "all", "run", "insert"):
            note(patch, Transaction, name)
        yield noted


async def scans(database: Database, sql: str, holes: int) -> list[str]:
    """The growing tables that a statement would read from end to end."""
    asked = f"EXPLAIN QUERY PLAN {sql}"
    plan = await database.write(lambda tx: tx.all(asked, (None,) * holes))
    words = sql.split()
    named = {alias: table for table, alias in pairwise(words) if table in GROWS}
    scanned = [step.split()[1] for row in plan if (step := str(row["detail"])).startswith("SCAN")]
    return [one for one in scanned if named.get(one, one) in GROWS]


async def test_a_turn_with_calls_and_an_answered_question_reads_no_table_from_end_to_end(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha = await talk.house.person()
    await talk.gadget(asha)
    database = talk.house.storage.database
    with statements(monkeypatch) as noted:
        talk.brain.call("lantern_colour")
        talk.brain.call("parcel_send", name="Marigold")
        result = await talk.ask(asha, ASK_PARCEL)
        await talk.ask(asha, "yes", result.conversation_id)
    assert len(noted) > 20
    asked = [(sql, holes) for sql, holes in noted if not sql.startswith("CREATE")]
    slow = {sql: found for sql, holes in asked if (found := await scans(database, sql, holes))}
    assert slow == {}

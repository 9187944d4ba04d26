"""Where the words come from that a tool of the house keeps and gives back: nothing is laundered by keeping it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ira_home.base.clock import Clock
from ira_home.base.jsontext import texts_in
from ira_home.domain.own_words import own_speech, says
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage
from ira_home.tools.calls import Ended, FoundCall, TurnContext
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.library import may_keep, tables_name

_FIXED = frozenset({"date", "date-time", "time"})
KEPT = "kept by the house"  # what a wrapper names as the source of words that were kept


class Origins:
    """Remembers who gave tools their words, and labels what the tools give back by it."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Keep whose words they are, never the words."""
        self._storage = storage
        self._clock = clock

    async def note(self, turn: TurnContext, tool: DeclaredTool, call: FoundCall) -> None:
        """Before a call: remember the origin of every text that it hands to a tool that may keep it.

        Words change on their way: a brain rewrites them, a person pads them or cuts them up. So the
        whole tool file is marked, and not these words.
        """
        texts = list(_texts(call)) if may_keep(tool) else []
        if not texts:
            return
        own = own_speech(turn.own_words)
        is_foreign = turn.taint.is_tainted and not all(says(own, one) for one in texts)
        person_id, at, keeper = turn.principal.person.id, self._clock.now(), tables_name(tool)

        def work(tx: Transaction) -> None:
            if is_foreign:
                self._storage.tool_authors.taint(tx, keeper, turn.taint.label, at)
            self._storage.tool_authors.add(tx, keeper, person_id, at)

        await self._storage.write(work, durable=False)

    async def judged(self, turn: TurnContext, tool: DeclaredTool, ended: Ended) -> Ended:
        """After a call: what came back, labelled as untrusted where words of it may not be this person's own."""
        if ended.label is not TrustLabel.HOUSE or not may_keep(tool):
            return ended
        if ended.outcome not in (Outcome.DONE, Outcome.FAILED):
            return ended
        label = await self._storage.tool_authors.label_of(
            tables_name(tool), turn.principal.person.id
        )
        return ended if label is None else replace(ended, label=label, source=KEPT)


def _texts(call: FoundCall) -> Iterator[str]:
    """The texts in a call that could say anything: no choice, day or time of a fixed form."""
    properties = call.tool.parameters.get("properties")
    schemas = properties if isinstance(properties, Mapping) else {}
    for name, value in call.arguments.items():
        schema = schemas.get(name)
        if not (isinstance(schema, Mapping) and _is_fixed(schema)):
            yield from texts_in(value)


def _is_fixed(schema: Mapping[str, Any]) -> bool:
    return "enum" in schema or schema.get("format") in _FIXED

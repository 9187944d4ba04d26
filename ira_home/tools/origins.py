"""Where the words come from that a tool of the house keeps and gives back: nothing is laundered by keeping it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ira_home.base.clock import Clock
from ira_home.domain.own_words import own_speech, says
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import TrustLabel
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage
from ira_home.tools.calls import Ended, FoundCall, TurnContext
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.library import may_keep, tables_name

_SOMEBODY = "kept by the house"  # what a wrapper names as the source of words that were kept


class Origins:
    """Remembers what tools were given that was nobody's own words, and knows it again in what they give back."""

    def __init__(self, storage: Storage, clock: Clock) -> None:
        """Keep prints of the words, never the words."""
        self._storage = storage
        self._clock = clock

    async def note(self, turn: TurnContext, tool: DeclaredTool, call: FoundCall) -> None:
        """Before a call: remember the origin of every text that it hands to a tool with tables."""
        texts = list(_texts(call.arguments)) if may_keep(tool) else []
        if not texts:
            return
        own = own_speech(turn.own_words)
        foreign = [one for one in texts if turn.taint.is_tainted and not says(own, one)]
        said = [one for one in texts if one not in foreign]
        person_id, at, keeper = turn.principal.person.id, self._clock.now(), tables_name(tool)

        def work(tx: Transaction) -> None:
            for label, some in ((turn.taint.label, foreign), (TrustLabel.OWN, said)):
                if some:
                    self._storage.tool_texts.add(
                        tx, keeper, some, label=label, person_id=person_id, at=at
                    )

        await self._storage.write(work, durable=False)

    async def judged(self, turn: TurnContext, tool: DeclaredTool, ended: Ended) -> Ended:
        """After a call: what came back, labelled as untrusted where words in it are not this person's own."""
        if ended.label is not TrustLabel.HOUSE or not may_keep(tool):
            return ended
        if ended.outcome not in (Outcome.DONE, Outcome.FAILED):
            return ended
        label = await self._storage.tool_texts.knows_foreign(
            tables_name(tool), ended.text, turn.principal.person.id
        )
        if label is None:
            return ended
        untrusted = TrustLabel.DEVICE if label.is_trusted else label
        return replace(ended, label=untrusted, source=_SOMEBODY)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)

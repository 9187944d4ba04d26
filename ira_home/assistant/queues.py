"""One turn at a time in a conversation; other conversations never wait for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ira_home.base.errors import Busy
from ira_home.base.ids import ConversationId
from ira_home.base.limits import ASKS_QUEUED


class _Queue:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.asks = 0  # asked and not finished: the one that works and those that wait
        self.users = 0


class Queues:
    """The order of turns in each conversation: first come, first served."""

    def __init__(self) -> None:
        """Every conversation is free."""
        self._queues: dict[ConversationId, _Queue] = {}

    def enter(self, conversation_id: ConversationId) -> None:
        """Take a place for one ask; raises Busy when three wait already. Paired with `leave`."""
        queue = self._queues.setdefault(conversation_id, _Queue())
        if queue.asks > ASKS_QUEUED:
            raise Busy
        queue.asks += 1

    def leave(self, conversation_id: ConversationId) -> None:
        """Give the place of an ask back."""
        queue = self._queues[conversation_id]
        queue.asks -= 1
        self._drop_idle(conversation_id, queue)

    @asynccontextmanager
    async def turn(self, conversation_id: ConversationId) -> AsyncIterator[None]:
        """Wait until no other turn works in the conversation, and hold the others off meanwhile."""
        queue = self._queues.setdefault(conversation_id, _Queue())
        queue.users += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.users -= 1
            self._drop_idle(conversation_id, queue)

    def _drop_idle(self, conversation_id: ConversationId, queue: _Queue) -> None:
        if not queue.asks and not queue.users:
            self._queues.pop(conversation_id, None)

"""The turn that a log row belongs to."""

from ira_home.base.clock import Clock
from ira_home.base.ids import PersonId, TurnId, mint
from ira_home.domain.turns import Turn
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage
from ira_home.storage.turns import new_turn


async def begin_turn(storage: Storage, clock: Clock, person_id: PersonId) -> Turn:
    """A turn of the person's in a conversation of its own, as asking begins one."""

    def work(tx: Transaction) -> Turn:
        now = clock.now()
        conversation = storage.conversations.start(tx, person_id, title="bench", at=now)
        turn = new_turn(
            TurnId(mint("turn_")),
            conversation,
            person_id=person_id,
            channel="web",
            here_device_id=None,
            at=now,
        )
        storage.turns.start(tx, turn)
        return turn

    return await storage.write(work)

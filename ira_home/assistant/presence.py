"""Telling people that a device is back, who asked for it."""

from contextlib import ExitStack

from ira_home.assistant.scribe import Place, Scribe
from ira_home.base.ids import DeviceId, TurnId, mint
from ira_home.base.pubsub import Bus
from ira_home.base.tasks import Tasks
from ira_home.domain.conversations import EntryKind
from ira_home.domain.facts import DeviceChanged
from ira_home.domain.people import Person
from ira_home.domain.trust import bare_label
from ira_home.storage.storage import Storage
from ira_home.storage.tables import TableStore
from ira_home.tools.toolbox import Toolboxes
from ira_home.tools.waits import Wait, Waits
from ira_home.tools.wording import language_for, say


class PresenceWatch:
    """Hears of devices that connect, and says so where somebody waits for it."""

    def __init__(
        self, storage: Storage, bus: Bus, *, toolboxes: Toolboxes, scribe: Scribe, tasks: Tasks
    ) -> None:
        """Nothing is heard before `start`."""
        self._storage = storage
        self._bus = bus
        self._toolboxes = toolboxes
        self._scribe = scribe
        self._tasks = tasks
        self._hearing = ExitStack()
        self._waits = Waits(TableStore(storage.database, Waits.TABLES))

    def start(self) -> None:
        """Hear from now on."""
        self._hearing.callback(self._bus.subscribe(DeviceChanged, self._on_change))

    def stop(self) -> None:
        """Hear no more."""
        self._hearing.close()

    def _on_change(self, fact: DeviceChanged) -> None:
        _ = self._tasks.start(self._look(fact), "presence")

    async def _look(self, fact: DeviceChanged) -> None:
        # Asked first: hundreds of devices may come back at once, and hardly anybody waits for one.
        if not await self._waits.is_anybody_waiting(fact.device_id):
            return
        person = await self._storage.people.get(fact.person_id)
        if person is None:
            return
        label = await self._online_label(person, fact.device_id)
        if label is None:
            return
        for wait in await self._waits.take(fact.device_id):
            await self._tell(wait, label)

    async def _online_label(self, person: Person, device_id: DeviceId) -> str | None:
        toolbox = await self._toolboxes.of(person)
        found = (one.label for one in toolbox.devices if one.id == device_id and one.online)
        return next(found, None)

    async def _tell(self, wait: Wait, label: str) -> None:
        place = Place(wait.person_id, wait.conversation_id, TurnId(mint("turn_")))
        settings = await self._storage.settings.get(wait.person_id)
        entries = await self._storage.conversations.recent(wait.conversation_id, 24)
        said = [one.text for one in entries if one.kind is EntryKind.PERSON]
        language = language_for(said[-1] if said else "", settings.reply_language)
        await self._scribe.note(place, say("back", language, device=bare_label(label)))

"""What a tool of the house may ask for while it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from ira_home.base.clock import Clock
from ira_home.base.ids import ConversationId, DeviceId
from ira_home.domain.people import Person
from ira_home.domain.ports import Internet
from ira_home.storage.tables import TableStore


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """One of the person's own devices, as a tool may know of it."""

    id: DeviceId
    label: str
    online: bool


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Who asks, when and where. `devices` are the person's own.

    `time_zone` is the house's, in which its business keeps time; `person_zone` is where the person lives.
    """

    person: Person
    conversation_id: ConversationId
    house_name: str
    time_zone: tzinfo
    person_zone: tzinfo
    clock: Clock
    devices: tuple[KnownDevice, ...]
    tables: Callable[[str], TableStore] = field(repr=False)
    internet: Internet = field(repr=False)

    def now(self) -> datetime:
        """The time in the house's zone."""
        return self.clock.now().astimezone(self.time_zone)

    def person_now(self) -> datetime:
        """The time on the person's own clock."""
        return self.clock.now().astimezone(self.person_zone)

    def table_store(self, name: str) -> TableStore:
        """The tool's own tables. Their name is that of the tool's file, in small letters and digits.

        Raises ToolFailed for every other name: they would be another file's.
        """
        return self.tables(name)

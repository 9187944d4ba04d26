"""The tools floor put together: library, toolboxes, proposals and the gate before them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from ira_home.base.clock import Clock
from ira_home.base.errors import ToolFailed
from ira_home.base.pubsub import Bus
from ira_home.domain.house import HouseSkill, HouseView
from ira_home.domain.ports import Internet
from ira_home.storage.storage import Storage
from ira_home.storage.tables import TableStore
from ira_home.tools.calls import TurnContext
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.gate import Gate
from ira_home.tools.house import HouseRunner
from ira_home.tools.library import Library, load, tables_name
from ira_home.tools.origins import Origins
from ira_home.tools.proposal_watch import ProposalWatch
from ira_home.tools.proposals import Proposals
from ira_home.tools.send import Caller, Sender
from ira_home.tools.skills import SkillBook
from ira_home.tools.toolbox import Offers, Toolbox, Toolboxes


class HouseFacts(Protocol):
    """Who knows the house's own settings (household.house.House)."""

    async def get(self) -> HouseView:
        """The house's name and time zone as they are now."""
        ...

    async def skills(self) -> frozenset[HouseSkill]:
        """What the server has set up for those who switch it on."""
        ...


class Devices(Offers, Caller, Protocol):
    """All that the tools need of the device hub."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """What the floors above use of the tools. Whoever owns it starts and closes `watch` and `gate`."""

    library: Library
    toolboxes: Toolboxes
    proposals: Proposals
    watch: ProposalWatch
    gate: Gate

    @classmethod
    def put_together(
        cls,
        storage: Storage,
        clock: Clock,
        bus: Bus,
        *,
        devices: Devices,
        folder: Path,
        house: HouseFacts,
        internet: Internet,
    ) -> "Workshop":
        """`folder` holds the house's own tool files; it need not exist."""
        library = load(folder)
        toolboxes = Toolboxes(devices, library.tools, SkillBook(storage, house.skills))
        proposals = Proposals(storage, clock, bus)
        maker = ContextMaker(storage, clock, house, internet)
        sender = Sender(devices, HouseRunner(), maker.make, Origins(storage, clock))
        return cls(
            library=library,
            toolboxes=toolboxes,
            proposals=proposals,
            watch=ProposalWatch(storage, clock, bus, proposals=proposals, toolboxes=toolboxes),
            gate=Gate(storage, clock, toolboxes=toolboxes, proposals=proposals, sender=sender),
        )


class ContextMaker:
    """Makes what a tool of the house may ask for."""

    def __init__(
        self, storage: Storage, clock: Clock, house: HouseFacts, internet: Internet
    ) -> None:
        """`house` tells its name and time zone, `internet` is what tools may have from outside."""
        self._storage = storage
        self._clock = clock
        self._house = house
        self._internet = internet

    async def make(self, turn: TurnContext, toolbox: Toolbox, tool: DeclaredTool) -> ToolContext:
        """The context of one call of the tool."""
        house = await self._house.get()
        person = turn.principal.person
        settings = await self._storage.settings.get(person.id)
        return ToolContext(
            person=person,
            conversation_id=turn.turn.conversation_id,
            house_name=house.name,
            time_zone=ZoneInfo(house.time_zone),
            person_zone=settings.zone(house.time_zone),
            clock=self._clock,
            devices=toolbox.devices,
            tables=lambda name: self._tables(tool, name),
            internet=self._internet,
        )

    def _tables(self, tool: DeclaredTool, name: str) -> TableStore:
        own = tables_name(tool)
        if name != own:
            message = f"the tables of {tool.name} are {own}, as its file is named, and not {name!r}"
            raise ToolFailed(message)
        return TableStore(self._storage.database, own)

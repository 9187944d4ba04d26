"""A gate over a hub that records, with one person and one turn."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from ira_home.base.ids import DeviceId, PersonId, TurnId, mint
from ira_home.devices.definitions import HeldTool
from ira_home.devices.hub import DeviceOffer
from ira_home.domain.devices import Device, DeviceKind
from ira_home.domain.people import Principal
from ira_home.domain.ports import CallPart
from ira_home.domain.taint import taint_of
from ira_home.domain.tools import Tier
from ira_home.storage.storage import Storage
from ira_home.storage.turns import new_turn
from ira_home.tools.calls import Ended, GateResult, TurnContext
from ira_home.tools.gate import Gate
from ira_home.tools.house import HouseRunner
from ira_home.tools.origins import Origins
from ira_home.tools.proposals import Proposals
from ira_home.tools.send import Sender
from ira_home.tools.toolbox import Toolbox, Toolboxes
from ira_home.tools.workshop import ContextMaker
from tests.support.internet import NoInternet, NoSkills, StandingHouse
from tests.support.talk import HOUSE, Talk

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def held(name: str, tier: int = 0, **more: Any) -> HeldTool:
    made: dict[str, Any] = {
        "name": name, "description": f"Do {name}", "parameters": PATH, "skill": "files",
        "skills": frozenset({"files"}), "tier": Tier(tier), "outward": False, "schemas": (PATH,),
        "title": "", "examples": (), "digest": f"digest of {name} {tier}", "freer": False,
    }  # fmt: skip
    return HeldTool(**(made | more))


class RecordingHub:
    """Devices as a test says they are; it looks at the log at the very moment of a call."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.devices: dict[PersonId, list[DeviceOffer]] = {}
        self.calls: list[tuple[DeviceId, str, dict[str, Any], bool]] = []
        self.rows: list[list[Any]] = []
        self.fault: Exception | None = None
        self.takes: Callable[[], None] = lambda: None  # what happens meanwhile
        self.entries: list[tuple[Any, ...]] = []  # of all conversations, when it was last called
        self.spent = 0  # calls that their turn had counted then

    def give(
        self,
        person_id: PersonId,
        *tools: HeldTool,
        number: int = 1,
        online: bool = True,
        skills: frozenset[str] = frozenset({"files"}),
    ) -> None:
        device = Device(
            id=DeviceId(number), person_id=person_id, kind=DeviceKind.MAC, label=f"Mac {number}",
            created_at=datetime(2026, 1, 1, tzinfo=UTC), last_seen=None, version="", skills=skills,
            decided=skills, tools=(),
        )  # fmt: skip
        offer = DeviceOffer(device, online=online, since=None, tools=tools)
        others = [one for one in self.devices.get(person_id, []) if one.device.id != number]
        self.devices[person_id] = [*others, offer]

    async def offers(self, person_id: PersonId) -> list[DeviceOffer]:
        return self.devices.get(person_id, [])

    async def call(
        self, device_id: DeviceId, *, person_id: PersonId, tool: str, args: Mapping[str, Any], here: bool, definition: str | None = None
    ) -> Any:  # fmt: skip
        self.calls.append((device_id, tool, dict(args), here))
        sql = "SELECT tool, device_id, outcome FROM tool_log ORDER BY id DESC LIMIT 1"
        row = await self.storage.database.one(sql)
        self.rows.append([] if row is None else list(row))
        sql = "SELECT kind, text, tool, device_id, outcome FROM messages ORDER BY id"
        self.entries = [tuple(one) for one in await self.storage.database.all(sql)]
        found = await self.storage.database.one("SELECT max(calls) FROM turns")
        self.spent = 0 if found is None else found[0]
        self.takes()
        if self.fault is not None:
            raise self.fault
        return {"summary": "Finished."}


class Bench:
    """A gate over the recording hub, with one person and one turn."""

    def __init__(self, talk: Talk, principal: Principal) -> None:
        self.storage, clock = talk.house.storage, talk.house.clock
        self.clock, self.tools = clock, talk.workshop.library.tools
        self.hub = RecordingHub(self.storage)
        self.principal = principal
        self.toolboxes = Toolboxes(self.hub, talk.workshop.library.tools, NoSkills())
        maker = ContextMaker(self.storage, clock, StandingHouse(HOUSE), NoInternet())
        self.gate = Gate(
            self.storage, clock, toolboxes=self.toolboxes,
            proposals=Proposals(self.storage, clock, talk.house.bus),
            sender=Sender(self.hub, HouseRunner(), maker.make, Origins(self.storage, clock)),
        )  # fmt: skip
        self.at = clock.now()

    async def turn(self, own_words: str = "do it", here: int | None = None) -> TurnContext:
        person_id = self.principal.person.id

        def work(tx: Any) -> Any:
            conversation_id = self.storage.conversations.start(tx, person_id, title="", at=self.at)
            turn = new_turn(
                TurnId(mint()), conversation_id, person_id=person_id, channel="web",
                here_device_id=None if here is None else DeviceId(here), at=self.at,
            )  # fmt: skip
            self.storage.turns.start(tx, turn)
            return turn

        turn = await self.storage.write(work)
        return TurnContext(
            turn, self.principal, own_words, "en", shown=(), taint=taint_of(()), now=self.at
        )

    async def box(self) -> Toolbox:
        return await self.toolboxes.of(self.principal.person)

    async def run(
        self, part: CallPart, turn: TurnContext | None = None, box: Toolbox | None = None
    ) -> GateResult:
        return await self.gate.run(turn or await self.turn(), box or await self.box(), part)

    async def ended(self, part: CallPart, **more: Any) -> Ended:
        result = await self.run(part, **more)
        assert isinstance(result, Ended)
        return result

    async def outcomes(self) -> list[str]:
        sql = "SELECT outcome FROM tool_log ORDER BY id"
        return [row["outcome"] for row in await self.storage.database.all(sql)]

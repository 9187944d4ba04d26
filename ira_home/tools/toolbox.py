"""The tools of one person in one turn: the house's, and those of their own devices."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ira_home.base.ids import DeviceId, PersonId
from ira_home.devices.definitions import HeldTool
from ira_home.devices.hub import DeviceOffer
from ira_home.domain.people import Person
from ira_home.domain.tools import OfferedTool, Target
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turn_view import DeviceAway, HouseSkillOff, SkillOff
from ira_home.tools.context import KnownDevice
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.merge import device_argument_of, merged_parameters
from ira_home.tools.skills import HouseSkills


class Offers(Protocol):
    """Who knows a person's devices (devices.hub.Hub)."""

    async def offers(self, person_id: PersonId) -> list[DeviceOffer]:
        """The person's devices, connected or not, with the definitions in force."""
        ...


class Skills(Protocol):
    """Who knows which skills of the house a person has (tools.skills.SkillBook)."""

    async def of(self, person_id: PersonId) -> HouseSkills:
        """What is on for the person now, and what is off."""
        ...


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What is there for one person now. Of skills that are off it holds no tool."""

    offered: Mapping[str, OfferedTool]
    house: Mapping[str, DeclaredTool]
    skills_off: tuple[SkillOff, ...]
    devices_away: tuple[DeviceAway, ...]
    devices: tuple[KnownDevice, ...]
    house_off: tuple[HouseSkillOff, ...] = ()

    def target(self, name: str, device_id: DeviceId | None) -> Target | None:
        """The device behind a tool, when the tool is offered and the device is among its own."""
        tool = self.offered.get(name)
        targets = () if tool is None else tool.targets
        return next((one for one in targets if one.device_id == device_id), None)


class Toolboxes:
    """Makes toolboxes."""

    def __init__(self, hub: Offers, declared: Iterable[DeclaredTool], skills: Skills) -> None:
        """`declared` are the house's own tools, the same for everybody but for their `skills`."""
        self._hub = hub
        self._skills = skills
        self._made: dict[PersonId, tuple[list[DeviceOffer], HouseSkills, Toolbox]] = {}
        self._house = {tool.name: tool for tool in declared}
        self._offered = {name: _house_tool(tool) for name, tool in self._house.items()}

    @property
    def names(self) -> frozenset[str]:
        """Names that the house keeps: a device's tool of such a name is not offered."""
        return frozenset(self._house)

    async def of(self, person: Person) -> Toolbox:
        """The person's tools at this moment; the last box is given again while nothing has changed."""
        return await self._of(person, await self._skills.of(person.id))

    async def of_devices(self, person: Person) -> Toolbox:
        """The same, for a call to a device: the skills of the house may be those of a moment ago.

        That spares each such call the reading of settings that it does not depend on.
        """
        known = self._made.get(person.id)
        return await (self.of(person) if known is None else self._of(person, known[1]))

    async def _of(self, person: Person, skills: HouseSkills) -> Toolbox:
        offers, known = await self._hub.offers(person.id), self._made.get(person.id)
        if known is not None and known[:2] == (offers, skills):
            return known[2]
        toolbox = self._make(offers, skills)
        self._made[person.id] = (offers, skills, toolbox)
        return toolbox

    def _make(self, offers: Sequence[DeviceOffer], skills: HouseSkills) -> Toolbox:
        of_house = {
            name: tool
            for name, tool in self._offered.items()
            if self._house[name].skill in (None, *skills.on)
        }
        return Toolbox(
            offered=of_house | self._of_devices(offers),
            house=self._house,
            skills_off=tuple(_skills_off(offers)),
            devices_away=tuple(_devices_away(offers)),
            devices=tuple(KnownDevice(o.device.id, o.device.label, o.online) for o in offers),
            house_off=skills.off,
        )

    def _of_devices(self, offers: Sequence[DeviceOffer]) -> dict[str, OfferedTool]:
        holders: dict[str, list[tuple[DeviceOffer, HeldTool]]] = defaultdict(list)
        for offer in offers:
            for tool in offer.tools:
                if (
                    offer.online
                    and tool.skills <= offer.device.skills
                    and tool.name not in self._house
                ):
                    holders[tool.name].append((offer, tool))
        return {name: _device_tool(held) for name, held in holders.items()}


def _house_tool(tool: DeclaredTool) -> OfferedTool:
    return OfferedTool(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        tier=tool.tier,
        outward=tool.outward,
        label=TrustLabel.HOUSE,
        output=tool.output,
        skill=tool.skill or "",
        title=tool.title,
        examples=tool.examples,
    )


def _device_tool(held: list[tuple[DeviceOffer, HeldTool]]) -> OfferedTool:
    first = held[0][1]
    targets = _targets(held)
    schemas = [tool.parameters for _offer, tool in held]
    argument = device_argument_of(schemas) if len(held) > 1 else None
    parameters = (
        first.parameters
        if argument is None
        else merged_parameters(schemas, argument=argument, labels=[t.label for t in targets])
    )
    return OfferedTool(
        name=first.name,
        description=first.description,
        parameters=parameters,
        tier=max(target.tier for target in targets),
        outward=any(target.outward for target in targets),
        label=TrustLabel.DEVICE,
        output=TrustLabel.DEVICE,
        skill=first.skill,
        title=first.title,
        examples=first.examples,
        targets=targets,
        device_argument=argument,
    )


def _targets(held: list[tuple[DeviceOffer, HeldTool]]) -> tuple[Target, ...]:
    labels = [offer.device.label for offer, _tool in held]
    return tuple(
        Target(
            device_id=offer.device.id,
            label=_unique_label(offer, labels),
            skills=tool.skills,
            tier=tool.tier,
            outward=tool.outward,
            schemas=tool.schemas,
            definition=tool.digest,
        )
        for offer, tool in held
    )


def _unique_label(offer: DeviceOffer, labels: list[str]) -> str:
    label = offer.device.label
    return label if labels.count(label) == 1 else f"{label} (#{offer.device.id})"


def _skills_off(offers: Sequence[DeviceOffer]) -> Iterable[SkillOff]:
    for offer in offers:
        reported = {skill for tool in offer.tools for skill in tool.skills}
        for skill in sorted(reported - offer.device.skills):
            yield SkillOff(offer.device.label, offer.device.kind, skill)


def _devices_away(offers: Sequence[DeviceOffer]) -> Iterable[DeviceAway]:
    for offer in offers:
        if not offer.online:
            reported = {skill for tool in offer.tools for skill in tool.skills}
            skills = tuple(sorted(reported & offer.device.skills))
            yield DeviceAway(offer.device.label, offer.device.kind, skills, offer.since)

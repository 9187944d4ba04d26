"""A person's devices as they see and change them, and what an admin may do to them."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from ira_home.access.changes import Changes
from ira_home.access.proofs import Proofs
from ira_home.base.clock import Clock
from ira_home.base.errors import Forbidden, Invalid, NotFound
from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.limits import SKILLS_A_DEVICE
from ira_home.base.pubsub import Bus
from ira_home.devices.definitions import HeldTool, hold_all, skills_of
from ira_home.devices.leaving import end_device
from ira_home.devices.roster import Card, Roster
from ira_home.devices.wishes import good_skill
from ira_home.domain.audit import Change
from ira_home.domain.devices import Device, ToolDefinition, ToolState
from ira_home.domain.facts import DeviceChanged, DeviceRevoked, SkillSwitchedOff, ToolsChanged
from ira_home.domain.labels import good_label
from ira_home.domain.pages import Page, page_of, read_cursor
from ira_home.domain.people import Permission, Principal
from ira_home.storage.database import Transaction
from ira_home.storage.devices import OwnedDevice
from ira_home.storage.storage import Storage


class Presences(Protocol):
    """Who knows which devices are connected (devices.hub.Hub)."""

    def is_online(self, device_id: DeviceId) -> bool:
        """Whether the device is connected and has said a good hello."""
        ...


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A device as its person sees it. `skills_known`: all that it offers or that were ever decided."""

    device: Device
    online: bool
    tools: tuple[tuple[HeldTool, ToolState], ...]
    skills_known: tuple[str, ...]
    paired_from: str


@dataclass(frozen=True, slots=True)
class AdminDevice:
    """Anybody's device as an admin sees it: none of its tools, none of its output."""

    device: OwnedDevice
    online: bool


class Registry:
    """The devices of everybody; each method says whose it is about."""

    def __init__(  # noqa: PLR0913 - one of each thing that a device touches
        self,
        storage: Storage,
        accounts: Proofs,
        *,
        clock: Clock,
        bus: Bus,
        changes: Changes,
        roster: Roster,
        hub: Presences,
        house_tools: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """`house_tools` names the tools of the house, which a device's of the same name yields to."""
        self._storage = storage
        self._accounts = accounts
        self._clock = clock
        self._bus = bus
        self._changes = changes
        self._roster = roster
        self._hub = hub
        self._house_tools = house_tools

    # --- looking

    async def get(self, device_id: DeviceId) -> Device | None:
        """The device, or None when there is none or it is revoked."""
        return await self._storage.devices.get(device_id)

    async def list(self, person_id: PersonId) -> list[ListedDevice]:
        """The person's own devices, newest first."""
        cards = await self._roster.of(person_id)
        return [self._listed(card) for card in reversed(cards.values())]

    async def list_all(self, cursor: str | None, limit: int) -> Page[AdminDevice]:
        """A page of everybody's devices for an admin, newest first."""
        start = read_cursor(cursor)
        found = await self._storage.devices.all(DeviceId(start[0]) if start else None, limit + 1)
        seen = [AdminDevice(one, self._hub.is_online(one.id)) for one in found]
        return page_of(seen, limit, lambda one: str(one.device.id))

    # --- changing one's own

    async def rename(self, principal: Principal, device_id: DeviceId, label: str) -> ListedDevice:
        """Give one's own device another label; raises NotFound and Invalid."""
        await self._own(principal, device_id)
        good = good_label(label)

        def work(tx: Transaction) -> Card:
            self._storage.devices.rename(tx, device_id, good)
            self._changes.add(tx, principal, Change.DEVICE_RENAMED, f"device {device_id}")
            return self._card_in(tx, self._still(tx, device_id))

        return self._changed(await self._storage.write(work))

    async def switch(
        self,
        principal: Principal,
        device_id: DeviceId,
        skill: str,
        *,
        on: bool,
        pin: str | None = None,
    ) -> ListedDevice:
        """Switch a skill of one's own device; on needs the PIN.

        Raises NotFound, Invalid and the errors of check_pin. The first time on agrees to the
        skill's tools as they are declared now.
        """
        card = await self._own(principal, device_id)
        good = good_skill(skill)
        if not on:
            return await self._switch_off(principal, card.device, good)
        await self._accounts.check_pin(principal.person.id, pin)
        fresh = await self._storage.write(
            lambda tx: self._switch_on_in(tx, principal, device_id, good)
        )
        return self._changed(fresh, tools=True)

    async def agree(
        self, principal: Principal, device_id: DeviceId, tool: str, pin: str | None
    ) -> ListedDevice:
        """Agree to a tool of one's own device as it is declared now; needs the PIN.

        Raises NotFound when there is no such device or tool, and the errors of check_pin.
        """
        card = await self._own(principal, device_id)
        if card.tool(tool) is None:
            raise NotFound
        await self._accounts.check_pin(principal.person.id, pin)

        def work(tx: Transaction) -> Card:
            device = self._still(tx, device_id)
            declared = [one for one in device.tools if one.name == tool]
            if not declared:
                raise NotFound
            self._storage.definitions.put(tx, device_id, declared[0], self._clock.now())
            self._changes.add(tx, principal, Change.TOOL_AGREED, f"device {device_id}", tool)
            return self._card_in(tx, device)

        return self._changed(await self._storage.write(work), tools=True)

    async def revoke(
        self, actor: Principal | None, device_id: DeviceId, *, admin: bool = False
    ) -> None:
        """End a device: its token is dead at once and its line closes with 4403.

        One's own; anybody's when `admin` (which needs the console) or for the operator. Raises
        NotFound and Forbidden.
        """
        if actor is not None and admin:
            _check_admin(actor)
        device = await self._storage.devices.get(device_id)
        is_theirs = actor is None or admin or (device and device.person_id == actor.person.id)
        if device is None or not is_theirs:
            raise NotFound

        def work(tx: Transaction) -> None:
            if not end_device(self._storage, tx, device_id, self._clock.now()):
                raise NotFound
            self._changes.add(tx, actor, Change.DEVICE_REVOKED, f"device {device_id}")

        await self._storage.write(work)
        self._bus.publish(DeviceRevoked(device.person_id, device_id))

    # --- what an admin may do to others

    async def switch_off_as_admin(
        self, principal: Principal, device_id: DeviceId, skill: str, *, on: bool = False
    ) -> None:
        """Switch off anybody's skill; raises Forbidden for `on` and without the console, NotFound."""
        _check_admin(principal)
        if on:
            message = "Only the device's own person can switch a skill on."
            raise Forbidden(message)
        device = await self._storage.devices.get(device_id)
        if device is None:
            raise NotFound
        await self._switch_off(principal, device, good_skill(skill))

    # --- inside

    async def _own(self, principal: Principal, device_id: DeviceId) -> Card:
        card = (await self._roster.of(principal.person.id)).get(device_id)
        if card is None:
            raise NotFound
        return card

    async def _switch_off(self, principal: Principal, device: Device, skill: str) -> ListedDevice:
        def work(tx: Transaction) -> Card:
            now = self._still(tx, device.id)
            self._set_skills(tx, now, now.skills - {skill}, skill)
            self._changes.add(tx, principal, Change.SKILL_OFF, f"device {device.id}", skill)
            return self._card_in(tx, self._still(tx, device.id))

        card = await self._storage.write(work)
        listed = self._changed(card)
        self._bus.publish(SkillSwitchedOff(device.person_id, device.id, skill))
        return listed

    def _switch_on_in(
        self, tx: Transaction, principal: Principal, device_id: DeviceId, skill: str
    ) -> Card:
        device = self._still(tx, device_id)
        if skill not in device.decided:
            self._agree_to_skill(tx, device, skill)
        self._set_skills(tx, device, device.skills | {skill}, skill)
        self._changes.add(tx, principal, Change.SKILL_ON, f"device {device_id}", skill)
        return self._card_in(tx, self._still(tx, device_id))

    def _agree_to_skill(self, tx: Transaction, device: Device, skill: str) -> None:
        """Nothing of a skill that was never decided on was ever in force: what is declared now counts."""
        agreed = self._storage.definitions.of_device_in(tx, device.id)
        for one in device.tools:
            before: ToolDefinition = agreed.get(one.name, one)
            if one.skill == skill and before.skill not in device.decided:
                self._storage.definitions.put(tx, device.id, one, self._clock.now())

    def _set_skills(
        self, tx: Transaction, device: Device, skills: frozenset[str], skill: str
    ) -> None:
        decided = device.decided | {skill}
        if len(decided) > SKILLS_A_DEVICE:
            message = f"A device has {SKILLS_A_DEVICE} skills at most."
            raise Invalid(message, field="skill")
        self._storage.devices.set_skills(tx, device.id, skills=skills, decided=decided)

    def _still(self, tx: Transaction, device_id: DeviceId) -> Device:
        device = self._storage.devices.get_in(tx, device_id)
        if device is None:
            raise NotFound
        return device

    def _card_in(self, tx: Transaction, device: Device) -> Card:
        agreed = self._storage.definitions.of_device_in(tx, device.id)
        return Card(device, hold_all(agreed, device.tools))

    def _changed(self, card: Card, *, tools: bool = False) -> ListedDevice:
        """Let everybody know after the commit: from here on the change holds."""
        device = card.device
        self._roster.put(card)
        if tools:
            self._bus.publish(ToolsChanged(device.person_id, device.id))
        self._bus.publish(DeviceChanged(device.person_id, device.id))
        return self._listed(card)

    def _listed(self, card: Card) -> ListedDevice:
        device = card.device
        shadowed = self._house_tools()
        return ListedDevice(
            device=device,
            online=self._hub.is_online(device.id),
            tools=tuple((tool, _state(tool, device, shadowed)) for tool in card.tools),
            skills_known=tuple(sorted(skills_of(card.tools) | device.decided)),
            paired_from=device.paired_from,
        )


def _state(tool: HeldTool, device: Device, shadowed: Collection[str]) -> ToolState:
    missing = tool.skills - device.skills
    if tool.name in shadowed:
        return ToolState.SHADOWED
    if missing:
        return ToolState.OFF if missing <= device.decided else ToolState.NEW
    return ToolState.FREER if tool.freer else ToolState.ON


def _check_admin(principal: Principal) -> None:
    if Permission.CONSOLE not in principal.permissions:
        raise Forbidden

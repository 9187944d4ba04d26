"""Every person's devices as they are now, kept in memory for those who were asked about."""

from dataclasses import dataclass, replace

from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.pubsub import Bus
from ira_home.devices.definitions import HeldTool, hold_all
from ira_home.domain.devices import Device
from ira_home.domain.facts import DataDeleted, DeviceJoined, DeviceRevoked, PersonChanged
from ira_home.storage.storage import Storage


@dataclass(frozen=True, slots=True)
class Card:
    """A device with the definitions in force of the tools of its last good hello."""

    device: Device
    tools: tuple[HeldTool, ...]

    def tool(self, name: str) -> HeldTool | None:
        """The tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)


class Roster:
    """Reads a person's devices once; whoever changes one in the database says so here after the commit."""

    def __init__(self, storage: Storage, bus: Bus) -> None:
        """Read from `storage`; devices that join or are revoked are heard of on `bus`."""
        self._storage = storage
        self._people: dict[PersonId, dict[DeviceId, Card]] = {}
        self._cards: dict[DeviceId, Card] = {}
        self._versions: dict[PersonId, int] = {}
        bus.subscribe(DeviceJoined, lambda fact: self.forget(fact.person_id))
        bus.subscribe(DeviceRevoked, lambda fact: self.drop(fact.person_id, fact.device_id))
        bus.subscribe(DataDeleted, lambda fact: self.forget(fact.person_id))
        bus.subscribe(PersonChanged, lambda fact: self.forget(fact.person_id))

    async def of(self, person_id: PersonId) -> dict[DeviceId, Card]:
        """The person's devices by id; not to be changed by the caller."""
        while (found := self._people.get(person_id)) is None:
            version = self._versions.get(person_id, 0)
            cards = await self._read(person_id)
            if self._versions.get(person_id, 0) == version:
                self._people[person_id] = cards
                self._cards.update(cards)
        return found

    async def card(self, person_id: PersonId, device_id: DeviceId) -> Card | None:
        """One device of a person, or None; does not wait when it is known."""
        return self._cards.get(device_id) or (await self.of(person_id)).get(device_id)

    def find(self, device_id: DeviceId) -> Card | None:
        """A device whose person was asked about before, or None."""
        return self._cards.get(device_id)

    def put(self, card: Card) -> None:
        """A device as it is since the last commit."""
        device = card.device
        self._bump(device.person_id)
        cards = self._people.get(device.person_id)
        if cards is not None:
            cards[device.id] = card
            self._cards[device.id] = card

    def put_device(self, device: Device) -> None:
        """The same, when its tools did not change; nothing when the device is not known here."""
        self._bump(device.person_id)
        card = self._cards.get(device.id)
        if card is not None:
            self.put(replace(card, device=device))

    def drop(self, person_id: PersonId, device_id: DeviceId) -> None:
        """The device is revoked."""
        self._bump(person_id)
        self._people.get(person_id, {}).pop(device_id, None)
        self._cards.pop(device_id, None)

    def forget(self, person_id: PersonId) -> None:
        """Read the person's devices anew when they are next asked about."""
        self._bump(person_id)
        for device_id in self._people.pop(person_id, {}):
            self._cards.pop(device_id, None)

    def _bump(self, person_id: PersonId) -> None:
        """A read that began before this moment is not believed."""
        self._versions[person_id] = self._versions.get(person_id, 0) + 1

    async def _read(self, person_id: PersonId) -> dict[DeviceId, Card]:
        devices = await self._storage.devices.of_person(person_id)
        agreed = await self._storage.definitions.of_person(person_id)
        return {
            device.id: Card(device, hold_all(agreed.get(device.id, {}), device.tools))
            for device in reversed(devices)
        }

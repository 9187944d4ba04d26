"""Facts published on the bus after commit (base/pubsub.py)."""

from dataclasses import dataclass
from typing import Any

from ira_home.base.ids import ConversationId, DeviceId, PersonId
from ira_home.domain.devices import DeviceEvent
from ira_home.domain.proposals import Proposal


@dataclass(frozen=True, slots=True)
class DeviceJoined:
    """A device was paired."""

    person_id: PersonId
    device_id: DeviceId
    address: str


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device connected, went away, was renamed, said hello again or had a skill switched."""

    person_id: PersonId
    device_id: DeviceId


@dataclass(frozen=True, slots=True)
class SkillSwitchedOff:
    """A skill of a device was switched off: proposals of it are void at once."""

    person_id: PersonId
    device_id: DeviceId
    skill: str


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    """A device said a good hello: proposals whose definition changed or went are void."""

    person_id: PersonId
    device_id: DeviceId


@dataclass(frozen=True, slots=True)
class DeviceRevoked:
    """A device's token is dead: its connection closes with 4403, its proposals are void."""

    person_id: PersonId
    device_id: DeviceId


@dataclass(frozen=True, slots=True)
class PersonChanged:
    """Role, permissions or account of a person changed; `removed`: the account is gone."""

    person_id: PersonId
    removed: bool


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """A session or API token ended: its streams close."""

    person_id: PersonId
    credential_id: int


@dataclass(frozen=True, slots=True)
class DataDeleted:
    """A person deleted their data: runs, streams' backlogs and caches of theirs are dropped."""

    person_id: PersonId


@dataclass(frozen=True, slots=True)
class EventKept:
    """A device's event was kept; `data` is passed on to Android only and never kept.

    `to_phones`: its person has events of this kind sent to their phones at this hour.
    """

    event: DeviceEvent
    data: dict[str, Any] | None
    to_phones: bool


@dataclass(frozen=True, slots=True)
class ProposalOpened:
    """A call waits for its person."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """A proposal left WAITING or RUNNING; `proposal` has its new state."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ConversationChanged:
    """Something was added to, or the run state changed of, a conversation."""

    person_id: PersonId
    conversation_id: ConversationId


@dataclass(frozen=True, slots=True)
class LogGrew:
    """There are more lines in the server's log, which this person looks at."""

    person_id: PersonId


@dataclass(frozen=True, slots=True)
class HouseChanged:
    """The house's own settings changed: time zone, name or the model that answers."""


@dataclass(frozen=True, slots=True)
class AddressPicked:
    """The owner chose the address for links and QR codes; empty: the best there is."""

    address: str


@dataclass(frozen=True, slots=True)
class PinsHeard:
    """A device has read by which pins the server is known."""

    device_id: DeviceId
    pins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NetworkChanged:
    """The addresses of this server or its announcement changed."""


@dataclass(frozen=True, slots=True)
class TrustChanged:
    """The server's certificate or its authority changed; `pins` are those good now, the one in force first."""

    pins: tuple[str, ...]

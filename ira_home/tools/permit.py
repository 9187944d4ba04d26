"""Whether a call may run at this moment: its tool as it was shown, on a device that is there."""

from collections.abc import Collection
from enum import StrEnum

from ira_home.base.errors import DeviceAway, ProposalOver
from ira_home.base.ids import DeviceId
from ira_home.base.jsontext import canonical
from ira_home.domain.people import Person
from ira_home.domain.proposals import digest_of
from ira_home.domain.tools import OfferedTool, Outcome, Target
from ira_home.tools.calls import Refused
from ira_home.tools.toolbox import Toolbox, Toolboxes


class VoidReason(StrEnum):
    """Why a call no longer stands; each is a key of the wording."""

    CHANGED = "changed"
    SKILL_OFF = "skill_off"
    DEVICE_GONE = "device_gone"
    ACCOUNT_CHANGED = "account_changed"


class Void(ProposalOver):
    """What was shown is not what would run now."""

    def __init__(self, reason: VoidReason) -> None:
        """Say why."""
        super().__init__("This can no longer be done as it was shown. Ask again.")
        self.reason = reason


async def permit(
    toolboxes: Toolboxes, person: Person, tool: OfferedTool, target: Target | None
) -> None:
    """Refuse a tool that has gone, been switched off or changed since the brain was shown it."""
    if target is None and not tool.skill:
        return  # a tool of the house that everybody always has
    toolbox = await (toolboxes.of(person) if target is None else toolboxes.of_devices(person))
    try:
        as_shown(
            toolbox,
            tool.name,
            None if target is None else target.device_id,
            definition=definition_of(tool, target),
            skills=frozenset() if target is None else target.skills,
        )
    except DeviceAway:
        message = "The device is not connected."
        raise Refused(message, Outcome.AWAY) from None
    except Void:
        message = "This tool was switched off or changed just now."
        raise Refused(message) from None


def as_shown(
    toolbox: Toolbox,
    name: str,
    device_id: DeviceId | None,
    *,
    definition: str,
    skills: Collection[str],
) -> tuple[OfferedTool, Target | None]:
    """The tool and the device behind it, if they are now what was shown under this definition.

    Raises Void where they are not, DeviceAway where the device alone is missing.
    """
    tool, target = toolbox.offered.get(name), toolbox.target(name, device_id)
    if tool is None or (device_id is not None and target is None):
        raise _missing(toolbox, device_id, skills)
    if (device_id is None and tool.targets) or definition_of(tool, target) != definition:
        raise Void(VoidReason.CHANGED)
    return tool, target


def definition_of(tool: OfferedTool, target: Target | None) -> str:
    """The digest of the definition that a call is made under: the device's, or the house's own."""
    if target is not None:
        return target.definition
    told = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "tier": tool.tier,
        "title": tool.title,
    }
    return digest_of(canonical(told))


def _missing(
    toolbox: Toolbox, device_id: DeviceId | None, skills: Collection[str]
) -> Void | DeviceAway:
    """Why a tool is not offered any more."""
    if device_id is None:
        return Void(VoidReason.CHANGED)
    device = next((one for one in toolbox.devices if one.id == device_id), None)
    if device is None:
        return Void(VoidReason.DEVICE_GONE)
    if not device.online:
        return DeviceAway()
    off = {one.skill for one in toolbox.skills_off if one.device == device.label}
    return Void(VoidReason.SKILL_OFF if off & set(skills) else VoidReason.CHANGED)

"""The gate's stage that asks again, at the moment of running, whether this person may call this."""

from ira_home.base.jsontext import canonical
from ira_home.domain.people import Person
from ira_home.domain.proposals import digest_of
from ira_home.domain.tools import OfferedTool, Outcome, Target
from ira_home.tools.calls import Refused
from ira_home.tools.toolbox import Toolboxes


async def permit(
    toolboxes: Toolboxes, person: Person, tool: OfferedTool, target: Target | None
) -> None:
    """Refuse a tool that has gone, been switched off or changed since the brain was shown it."""
    if target is None:
        return
    toolbox = await toolboxes.of(person)
    now = toolbox.target(tool.name, target.device_id)
    if now is not None and now.definition == target.definition and now.tier == target.tier:
        return
    device = next((one for one in toolbox.devices if one.id == target.device_id), None)
    if device is None or not device.online:
        message = "The device is not connected."
        raise Refused(message, Outcome.AWAY)
    message = "This tool was switched off or changed on its device just now."
    raise Refused(message)


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

"""Telling a person when their device is connected again."""

from ira_home.base.clock import to_ms
from ira_home.base.errors import ToolFailed
from ira_home.domain.trust import bare_label
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import tool
from ira_home.tools.waits import Waits


@tool(
    tier=1,
    title="Tell you when a device is connected again",
    examples=("Tell me when my phone is back", "phone wapas aaye to batana"),
)
async def device_tell_when_back(context: ToolContext, device: str) -> str:
    """Wait until one of the person's own devices that is away is connected again, and then tell them."""
    known = next(
        (one for one in context.devices if one.label.casefold() == device.casefold()), None
    )
    if known is None:
        labels = ", ".join(bare_label(one.label) for one in context.devices) or "none"
        message = f"there is no device of that name; there are: {labels}"
        raise ToolFailed(message)
    if known.online:
        return f"{bare_label(known.label)} is connected now."
    waits = Waits(context.table_store(Waits.TABLES))
    await waits.add(
        person_id=context.person.id,
        device_id=known.id,
        conversation_id=context.conversation_id,
        at_ms=to_ms(context.clock.now()),
    )
    return f"I will say it here when {bare_label(known.label)} is connected again."

"""The gate's first stages: which tool, which device, and do the arguments fit."""

from collections.abc import Mapping
import re
from typing import Any

from ira_home.base.errors import BadJson
from ira_home.base.ids import DeviceId
from ira_home.base.jsontext import parse
from ira_home.base.limits import BODY_BYTES
from ira_home.domain.floors import Floor, floor_of
from ira_home.domain.ports import CallPart
from ira_home.domain.tools import OfferedTool, Outcome, Target, Tier
from ira_home.domain.trust import bare_label
from ira_home.protocol.schemas import Misfit, misfit
from ira_home.tools.calls import FoundCall, Refused
from ira_home.tools.toolbox import Toolbox

# The place of an argument as most tools name theirs: no sentence can be written in one.
_PLACE = re.compile(r"[\w.-]{1,60}")


def find_tool(toolbox: Toolbox, name: str) -> OfferedTool:
    """The tool of this name among this person's tools of this turn."""
    tool = toolbox.offered.get(name)
    if tool is None:
        message = "There is no tool of that name for this person now."
        raise Refused(message)
    return tool


def read_arguments(call: CallPart) -> dict[str, Any]:
    """The arguments as the brain wrote them, as a strict JSON object."""
    if len(call.arguments.encode("utf-8", "replace")) > BODY_BYTES:
        message = "The arguments are too long."
        raise Refused(message)
    try:
        read = parse(call.arguments or "{}")
    except BadJson as error:
        message = f"The arguments are not valid: {error.message}"
        raise Refused(message) from error
    if not isinstance(read, dict):
        message = "The arguments are not valid: they must be one JSON object."
        raise Refused(message)
    return read


def choose_target(tool: OfferedTool, arguments: dict[str, Any]) -> Target | None:
    """The device that is meant; its argument is taken out, because it is not sent on."""
    if not tool.targets:
        return None
    if tool.device_argument is None:
        _drop_old_device_argument(tool.targets[0], arguments)
        return tool.targets[0]
    labels = ", ".join(bare_label(target.label) for target in tool.targets)
    named = arguments.pop(tool.device_argument, None)
    if named is None:
        message = f"Several devices can do this: {labels}. Ask the person which one."
        raise Refused(message)
    for target in tool.targets:
        if target.label == named:
            return target
    message = f"No connected device of that name offers this. There are: {labels}."
    raise Refused(message)


def _drop_old_device_argument(target: Target, arguments: dict[str, Any]) -> None:
    """A brain may still name the device from a time when there were two to choose from."""
    known = any("device" in schema.get("properties", {}) for schema in target.schemas)
    named = arguments.get("device")
    if named is None or known or not isinstance(named, str):
        return
    if named != target.label:
        label = bare_label(target.label)
        message = f"That device is not connected; {label} is the only one that offers this."
        raise Refused(message, Outcome.AWAY)
    del arguments["device"]


def check_arguments(tool: OfferedTool, target: Target | None, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that do not fit every schema in force; neither they nor its words are repeated."""
    schemas = (tool.parameters,) if target is None else target.schemas
    wrong = misfit(schemas, arguments)
    if wrong is not None:
        message = f"The arguments do not fit: {_told(wrong)}"
        raise Refused(message)


def _told(wrong: Misfit) -> str:
    """Where and why, in words that hold nothing of a device or of what was read."""
    where = ".".join(wrong.place)
    if not _PLACE.fullmatch(where):
        where = "one of them" if where else "all of them together"
    if wrong.word == "required":
        return f"{where} is missing."
    return f"{where} must be as its schema says under {wrong.word}."


def tier_of(tool: OfferedTool, target: Target | None) -> Tier:
    """The tier as declared, raised to the floor of a device's tool where one stands."""
    return tool.tier if target is None else max(target.tier, _floor(tool, target).tier)


def _is_outward(tool: OfferedTool, target: Target | None) -> bool:
    """Whether it can carry data out of the house, as declared or as its kind always does."""
    if target is None:
        return tool.outward
    return target.outward or _floor(tool, target).outward


def _floor(tool: OfferedTool, target: Target) -> Floor:
    return floor_of(tool.name, target.skills, target.schemas[0] if target.schemas else {})


def found_call(
    call: CallPart,
    tool: OfferedTool,
    target: Target | None,
    *,
    arguments: Mapping[str, Any],
    tier: Tier,
    here_device_id: DeviceId | None,
) -> FoundCall:
    """The call with all that was found of it; `here` only for the device whose own token asked."""
    here = target is not None and target.device_id == here_device_id
    return FoundCall(
        call_id=call.call_id,
        tool=tool,
        target=target,
        arguments=arguments,
        tier=tier,
        outward=_is_outward(tool, target),
        here=here,
    )

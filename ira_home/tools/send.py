"""The only place from which a call leaves: to a device by the hub, or to a function of the house."""

from collections.abc import Awaitable, Callable, Mapping
import logging
from typing import Any, Protocol

from ira_home.base.errors import DeviceAway, IraError, NotFound, ToolFailed
from ira_home.base.ids import DeviceId, PersonId
from ira_home.devices.outcomes import CallLost, CallTimedOut, DeviceBusy, ToolWithdrawn
from ira_home.domain.pictures import Picture
from ira_home.domain.tools import Outcome, Target
from ira_home.domain.trust import TrustLabel
from ira_home.tools.calls import Ended, FoundCall, TurnContext
from ira_home.tools.content import picture_of, text_of
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.house import HouseRunner
from ira_home.tools.origins import Origins
from ira_home.tools.toolbox import Toolbox

log = logging.getLogger(__name__)
# What the server says where the device said nothing.
_UNSAID: dict[type[IraError], tuple[str, Outcome]] = {
    DeviceAway: ("The device is not connected.", Outcome.AWAY),
    DeviceBusy: ("The device is busy. Nothing was sent to it.", Outcome.BUSY),
    CallTimedOut: ("The device did not answer.", Outcome.TIMEOUT),
    CallLost: (
        "The connection to the device broke: whether it was done is not known.",
        Outcome.UNKNOWN,
    ),
    ToolWithdrawn: (
        "The tool was switched off or changed on its device just now. Nothing was sent.",
        Outcome.REFUSED,
    ),
    NotFound: ("This person has no such device. Nothing was sent.", Outcome.REFUSED),
}
MakeContext = Callable[[TurnContext, Toolbox, DeclaredTool], Awaitable[ToolContext]]


class Caller(Protocol):
    """Who reaches devices (devices.hub.Hub)."""

    async def call(
        self,
        device_id: DeviceId,
        *,
        person_id: PersonId,
        tool: str,
        args: Mapping[str, Any],
        here: bool,
        definition: str | None = None,
    ) -> Any:
        """The content of the result of the person's device; raises one of the ways in which a call fails."""
        ...


class Sender:
    """Sends calls that the gate has let through and the log has on record."""

    def __init__(
        self, hub: Caller, runner: HouseRunner, context: MakeContext, origins: Origins
    ) -> None:
        """`context` makes what a tool of the house may ask for; `origins` labels what it kept."""
        self._hub = hub
        self._runner = runner
        self._context = context
        self._origins = origins

    async def send(self, turn: TurnContext, toolbox: Toolbox, call: FoundCall) -> Ended:
        """Make the call and wait for its end, whatever that is."""
        try:
            if call.target is None:
                tool = toolbox.house[call.tool.name]
                context = await self._context(turn, toolbox, tool)
                await self._origins.note(turn, tool, call)
                ended = await self._runner.run(tool, context, call)
                return await self._origins.judged(turn, tool, ended)
            return await self._to_device(call, call.target, turn.principal.person.id)
        except Exception:
            # A boundary: the call may have been sent, so its end has to be written down all the same.
            log.exception("a call of %s broke", call.tool.name)
            text = "Something went wrong on the server: whether it was done is not known."
            return Ended(text, Outcome.UNKNOWN, device_id=call.device_id, device=call.device)

    async def _to_device(self, call: FoundCall, target: Target, person_id: PersonId) -> Ended:
        try:
            content = await self._hub.call(
                target.device_id,
                person_id=person_id,
                tool=call.tool.name,
                args=call.arguments,
                here=call.here,
                definition=target.definition,
            )
        except tuple(_UNSAID) as error:
            text, outcome = _UNSAID[type(error)]
            return Ended(text, outcome, device_id=target.device_id, device=target.label)
        except ToolFailed as error:
            return _said(target, error.message, Outcome.FAILED)
        content, picture = picture_of(content)
        return _said(target, text_of(content), Outcome.DONE, picture)


def _said(target: Target, text: str, outcome: Outcome, picture: Picture | None = None) -> Ended:
    """Words of the device itself: untrusted, and its person's alone."""
    return Ended(
        text,
        outcome,
        label=TrustLabel.DEVICE,
        source=target.label,
        private=True,
        device_id=target.device_id,
        device=target.label,
        picture=picture,
    )

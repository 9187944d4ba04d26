"""The only place from which a call leaves: to a device by the hub, or to a function of the house."""

from collections.abc import Awaitable, Callable, Mapping
import logging
from typing import Any, Protocol

from ira_home.base.errors import DeviceAway, ToolFailed
from ira_home.base.ids import DeviceId
from ira_home.devices.outcomes import CallLost, CallTimedOut, DeviceBusy
from ira_home.domain.tools import Outcome
from ira_home.domain.trust import TrustLabel
from ira_home.tools.calls import Ended, FoundCall, TurnContext
from ira_home.tools.content import text_of
from ira_home.tools.context import ToolContext
from ira_home.tools.house import HouseRunner
from ira_home.tools.toolbox import Toolbox

log = logging.getLogger(__name__)
MakeContext = Callable[[TurnContext, Toolbox], Awaitable[ToolContext]]


class Caller(Protocol):
    """Who reaches devices (devices.hub.Hub)."""

    async def call(
        self, device_id: DeviceId, *, tool: str, args: Mapping[str, Any], here: bool
    ) -> Any:
        """The content of the device's result; raises one of the ways in which a call fails."""
        ...


class Sender:
    """Sends calls that the gate has let through and the log has on record."""

    def __init__(self, hub: Caller, runner: HouseRunner, context: MakeContext) -> None:
        """`context` makes what a tool of the house may ask for."""
        self._hub = hub
        self._runner = runner
        self._context = context

    async def send(self, turn: TurnContext, toolbox: Toolbox, call: FoundCall) -> Ended:
        """Make the call and wait for its end, whatever that is."""
        try:
            if call.target is None:
                context = await self._context(turn, toolbox)
                return await self._runner.run(toolbox.house[call.tool.name], context, call)
            return await self._to_device(call, call.target.device_id, call.target.label)
        except Exception:
            # A boundary: the call may have been sent, so its end has to be written down all the same.
            log.exception("a call of %s broke", call.tool.name)
            text = "Something went wrong on the server: whether it was done is not known."
            return Ended(text, Outcome.UNKNOWN, device_id=call.device_id, device=call.device)

    async def _to_device(self, call: FoundCall, device_id: DeviceId, label: str) -> Ended:
        def ended(text: str, outcome: Outcome) -> Ended:
            return Ended(text, outcome, device_id=device_id, device=label)

        def said(text: str, outcome: Outcome) -> Ended:
            """Words of the device itself: untrusted, and its person's alone."""
            return Ended(text, outcome, label=TrustLabel.DEVICE, source=label, private=True,
                         device_id=device_id, device=label)  # fmt: skip

        try:
            content = await self._hub.call(
                device_id, tool=call.tool.name, args=call.arguments, here=call.here
            )
        except DeviceAway:
            return ended("The device is not connected.", Outcome.AWAY)
        except DeviceBusy:
            return ended("The device is busy. Nothing was sent to it.", Outcome.BUSY)
        except CallTimedOut:
            return ended("The device did not answer.", Outcome.TIMEOUT)
        except CallLost:
            text = "The connection to the device broke: whether it was done is not known."
            return ended(text, Outcome.UNKNOWN)
        except ToolFailed as error:
            return said(error.message, Outcome.FAILED)
        return said(text_of(content), Outcome.DONE)

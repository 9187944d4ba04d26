"""How a call of a device, or an event of one, can fail."""

from ira_home.base.errors import Conflict, IraError, ProtocolError, ToolFailed


class DeviceBusy(Conflict):
    """Four calls are in flight on the device: nothing was sent."""

    code = "device_busy"
    default = "the device is busy"


class CallTimedOut(IraError):
    """No result came in 25 seconds. What the device did is not known."""

    code = "call_timeout"
    status = 504
    default = "the device did not answer"


class CallLost(IraError):
    """The line ended while the call was in flight. What the device did is not known."""

    code = "call_lost"
    status = 502
    default = "The connection to the device broke."


class ToolWithdrawn(ToolFailed):
    """The device, or its person, took the tool away before it was called: nothing was sent."""

    code = "tool_withdrawn"
    default = "This tool is not offered any more. Nothing was sent."


class EventTooSoon(ProtocolError):
    """A good event within 30 seconds of the last one; the device may send it again later."""

    code = "event_too_soon"
    default = "One event in 30 seconds: send it again later."

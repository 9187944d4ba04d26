"""Make any Python program a device of an Ira Home.

device = Device("My lamp", kind="linux", version="1.0")

@device.tool(tier=0)
async def lamp_state() -> dict:
    "Tell whether the lamp is on"
    return {"summary": "The lamp is on."}

device.run()
"""

from ira_device.client import Device
from ira_device.refusals import (
    DeviceRemoved,
    HelloRefused,
    NotPaired,
    PairingRefused,
    Replaced,
    ServerUnreachable,
    TokenUnreadable,
    WrongServer,
)
from ira_device.tools import Asked
from ira_home.base.errors import ToolFailed

__all__ = [
    "Asked",
    "Device",
    "DeviceRemoved",
    "HelloRefused",
    "NotPaired",
    "PairingRefused",
    "Replaced",
    "ServerUnreachable",
    "TokenUnreadable",
    "ToolFailed",
    "WrongServer",
]

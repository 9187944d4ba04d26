"""How the house is doing."""

from dataclasses import asdict

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.web.api import admin_devices
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route


class ModelUsage(msgspec.Struct):
    """What a model's server said that its answers of one month (UTC, like 2026-07) took."""

    month: str
    model: str
    steps: int
    prompt_tokens: int
    completion_tokens: int


class Status(msgspec.Struct):
    """The server at a glance: no contents, nothing of a person."""

    version: str
    brain: str
    now: str
    name: str
    time_zone: str
    identity: str
    fingerprint: str
    people: int
    devices: int
    devices_online: int
    model_usage: list[ModelUsage]


async def show(call: Call) -> Status:
    """The server at a glance."""
    services = call.services
    house = await services.house.get()
    devices = await admin_devices.every(call)
    return Status(
        version=services.version,
        brain=services.brain.name,
        now=rfc3339(services.clock.now()),
        name=house.name,
        time_zone=house.time_zone,
        identity=services.trust.identity,
        fingerprint=services.trust.fingerprint,
        people=len(await services.accounts.list()),
        devices=len(devices),
        devices_online=sum(one.online for one in devices),
        model_usage=[ModelUsage(**asdict(one)) for one in await services.usage.list()],
    )


ROUTES = (
    Route(
        "GET",
        "/v1/admin/status",
        show,
        Needs.CONSOLE,
        summary="The server at a glance",
        reply=Status,
    ),
)

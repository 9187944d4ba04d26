"""The support bundle, for whoever cannot open the console."""

from typing import Any

from ira_home.base.clock import rfc3339
from ira_home.control.operation import Nothing, Operation
from ira_home.web.services import Services


async def bundle(services: Services, _: Nothing) -> Any:
    """The text of each part, and when it was put together."""
    return {"at": rfc3339(services.support.now), "parts": await services.support.parts()}


OPERATIONS = (Operation("support.bundle", Nothing, bundle),)

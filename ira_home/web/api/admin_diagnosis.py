"""Why devices cannot connect, as far as the server can see it."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.web.call import Call
from ira_home.web.diagnosis import FindingShown, told
from ira_home.web.pages.view import words_for
from ira_home.web.routes import Needs, Route


class DiagnosisShown(msgspec.Struct):
    """What was looked at, in the order in which a device meets it; `looked_at` is the server's clock."""

    looked_at: str
    items: list[FindingShown]
    next_cursor: str | None = None


async def show(call: Call) -> DiagnosisShown:
    """Look now; the sentences are in the language of the request."""
    found = await call.services.diagnose()
    return DiagnosisShown(rfc3339(call.services.clock.now()), told(found, words_for(call.request)))


ROUTES = (
    Route(
        "GET",
        "/v1/admin/diagnosis",
        show,
        Needs.CONSOLE,
        summary="Why devices cannot connect",
        reply=DiagnosisShown,
    ),
)

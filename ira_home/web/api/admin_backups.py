"""The backups that lie in the data folder: one is made before every migration."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items


class Backup(msgspec.Struct):
    """A backup file."""

    name: str
    made_at: str
    bytes: int


async def show(call: Call) -> Items[Backup]:
    """The backups there are, newest first."""
    rows = await call.services.backups.list()
    return Items([Backup(row.name, rfc3339(row.made_at), row.bytes) for row in rows])


ROUTES = (
    Route(
        "GET",
        "/v1/admin/backups",
        show,
        Needs.CONSOLE,
        summary="The backups there are",
        reply=Items[Backup],
    ),
)

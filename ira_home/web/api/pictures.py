"""Pictures that a person's devices returned: theirs alone, in no cache."""

from aiohttp import web

from ira_home.base.errors import NotFound
from ira_home.base.ids import PictureId
from ira_home.web.call import Call
from ira_home.web.routes import Needs, Route

_SUFFIXES = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
# A device made the bytes: whatever a browser finds in them, it runs nothing and fetches nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"


async def show(call: Call) -> web.Response:
    """The picture as the device returned it."""
    number = PictureId(call.number("id"))
    picture = await call.services.assistant.conversations.picture(call.person_id, number)
    name = f"ira-{number}.{_SUFFIXES[picture.media_type]}"
    response = web.Response(body=picture.data, content_type=picture.media_type)
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    response.headers["Content-Security-Policy"] = _POLICY
    return response


ROUTES = (
    Route(
        "GET",
        "/v1/me/pictures/{id}",
        show,
        Needs.SESSION,
        summary="A picture that one of my devices returned",
        media="image/*",
        problems=(NotFound,),
    ),
)

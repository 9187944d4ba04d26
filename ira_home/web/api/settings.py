"""The person's own settings."""

import msgspec

from ira_home.domain.settings import PersonSettings
from ira_home.web.call import Call
from ira_home.web.routes import PIN_ERRORS, Needs, Route


class Settings(msgspec.Struct):
    """What a person chose."""

    assistant_name: str
    wake_phrase: str
    languages: list[str]
    reply_language: str
    web_search: bool


class Changed(msgspec.Struct):
    """What to change; switching web search on needs the PIN."""

    assistant_name: str | None = None
    wake_phrase: str | None = None
    languages: list[str] | None = None
    reply_language: str | None = None
    web_search: bool | None = None
    pin: str | None = None


def _shown(settings: PersonSettings) -> Settings:
    return Settings(
        assistant_name=settings.assistant_name,
        wake_phrase=settings.wake_phrase,
        languages=list(settings.languages),
        reply_language=settings.reply_language,
        web_search=settings.web_search,
    )


async def show(call: Call) -> Settings:
    """What the person chose."""
    return _shown(await call.services.person_settings.get(call.person_id))


async def change(call: Call) -> Settings:
    """Change some of it."""
    asked: Changed = call.body
    book = call.services.person_settings
    return _shown(await book.change(call.principal, **msgspec.structs.asdict(asked)))


ROUTES = (
    Route("GET", "/v1/me/settings", show, Needs.SESSION, summary="My settings", reply=Settings),
    Route(
        "PATCH",
        "/v1/me/settings",
        change,
        Needs.SESSION,
        summary="Change my settings",
        body=Changed,
        reply=Settings,
        problems=PIN_ERRORS,
    ),
)

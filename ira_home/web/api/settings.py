"""The person's own settings."""

import msgspec

from ira_home.domain.settings import PersonSettings, settings_json
from ira_home.web.call import Call
from ira_home.web.routes import PIN_ERRORS, Needs, Route


class Settings(msgspec.Struct):
    """What a person chose. An empty time zone is the house's, an empty language the browser's.

    `events` has for each kind of event its ways: bell, phones, quiet_hours (then as well).
    """

    assistant_name: str
    wake_phrase: str
    languages: list[str]
    reply_language: str
    web_search: bool
    time_zone: str
    page_language: str
    theme: str
    text_size: str
    quiet_from: str
    quiet_until: str
    events: dict[str, list[str]]


class Changed(msgspec.Struct):
    """What to change; switching web search on needs the PIN.

    Quiet hours are given together, like 22:00 and 07:00; both empty: none.
    """

    assistant_name: str | None = None
    wake_phrase: str | None = None
    languages: list[str] | None = None
    reply_language: str | None = None
    web_search: bool | None = None
    pin: str | None = None
    time_zone: str | None = None
    page_language: str | None = None
    theme: str | None = None
    text_size: str | None = None
    quiet_from: str | None = None
    quiet_until: str | None = None
    events: dict[str, list[str]] | None = None


def _shown(settings: PersonSettings) -> Settings:
    return Settings(**settings_json(settings))


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

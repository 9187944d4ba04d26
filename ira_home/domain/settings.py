"""Each person's own settings (spec: settings.*) and the house's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any
import zoneinfo

from ira_home.domain.devices import EventKind
from ira_home.domain.events import USUAL_WAYS, QuietHours, Telling, Way

LANGUAGES = ("en", "hi", "hinglish")
REPLY_LANGUAGES = ("auto", *LANGUAGES)
PAGE_LANGUAGES = ("en", "hi")
THEMES = ("system", "light", "dark")
TEXT_SIZES = ("normal", "large", "larger")


def zone_of(name: str) -> tzinfo:
    """The time zone of this name; UTC where it is not known, or no longer."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class PersonSettings:
    """What a person chose; the defaults are those of a new account."""

    assistant_name: str = "Ira"
    wake_phrase: str = "Hey Ira"
    languages: tuple[str, ...] = LANGUAGES
    reply_language: str = "auto"  # one of REPLY_LANGUAGES
    web_search: bool = False
    time_zone: str = ""  # empty: the house's
    page_language: str = ""  # one of PAGE_LANGUAGES; empty: the browser's
    theme: str = "system"  # one of THEMES
    text_size: str = "normal"  # one of TEXT_SIZES
    quiet: QuietHours | None = None
    events: Mapping[EventKind, frozenset[Way]] = field(default_factory=dict)  # where not USUAL_WAYS

    def zone(self, of_house: str) -> tzinfo:
        """The person's time zone; `of_house` is the name of the house's."""
        return zone_of(self.time_zone or of_house)

    def telling(self, of_house: str) -> Telling:
        """How the person is told of events; `of_house` is the name of the house's time zone."""
        return Telling(self.events, self.quiet, self.zone(of_house))


def settings_json(settings: PersonSettings) -> dict[str, Any]:
    """All that a person chose, as their own API and export show it."""
    quiet = settings.quiet
    return {
        "assistant_name": settings.assistant_name,
        "wake_phrase": settings.wake_phrase,
        "languages": list(settings.languages),
        "reply_language": settings.reply_language,
        "web_search": settings.web_search,
        "time_zone": settings.time_zone,
        "page_language": settings.page_language,
        "theme": settings.theme,
        "text_size": settings.text_size,
        "quiet_from": f"{quiet.start:%H:%M}" if quiet else "",
        "quiet_until": f"{quiet.end:%H:%M}" if quiet else "",
        "events": {
            kind.value: sorted(way.value for way in settings.events.get(kind, USUAL_WAYS))
            for kind in EventKind
        },
    }

"""Tables user_settings and house: what each person, and what the house, has set."""

from datetime import time

from ira_home.base.ids import PersonId
from ira_home.base.jsontext import dump, parse
from ira_home.domain.devices import EventKind
from ira_home.domain.events import QuietHours, Way, Ways
from ira_home.domain.settings import PersonSettings
from ira_home.storage.database import Database, Row, Transaction

_OF_PERSON = "SELECT * FROM user_settings WHERE user_id = ?"
_OF_HOUSE = "SELECT value FROM house WHERE key = ?"


def _settings_of(row: Row | None) -> PersonSettings:
    if row is None:
        return PersonSettings()
    return PersonSettings(
        assistant_name=row["assistant_name"],
        wake_phrase=row["wake_phrase"],
        languages=tuple(row["languages"].split(",")),
        reply_language=row["reply_language"],
        web_search=bool(row["web_search"]),
        time_zone=row["time_zone"],
        page_language=row["page_language"],
        theme=row["theme"],
        text_size=row["text_size"],
        quiet=_quiet_of(row["quiet_from"], row["quiet_until"]),
        events=_ways_of(parse(row["events"])),
    )


def _quiet_of(start: str, end: str) -> QuietHours | None:
    if not start or not end:
        return None
    return QuietHours(time.fromisoformat(start), time.fromisoformat(end))


def _ways_of(kept: dict[str, list[str]]) -> Ways:
    return {EventKind(kind): frozenset(Way(one) for one in ways) for kind, ways in kept.items()}


class SettingsStore:
    """A person without a row has the defaults; a key of the house may be absent."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def get(self, person_id: PersonId) -> PersonSettings:
        """What the person chose, or the defaults."""
        return _settings_of(await self._database.one(_OF_PERSON, (person_id,)))

    def get_in(self, tx: Transaction, person_id: PersonId) -> PersonSettings:
        """What the person chose, as this transaction sees it."""
        return _settings_of(tx.one(_OF_PERSON, (person_id,)))

    def put(self, tx: Transaction, person_id: PersonId, settings: PersonSettings) -> None:
        """Keep all settings of the person."""
        tx.run(
            "INSERT OR REPLACE INTO user_settings "
            "(user_id, assistant_name, wake_phrase, languages, reply_language, web_search, time_zone, "
            "page_language, theme, text_size, quiet_from, quiet_until, events) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                person_id,
                settings.assistant_name,
                settings.wake_phrase,
                ",".join(settings.languages),
                settings.reply_language,
                int(settings.web_search),
                settings.time_zone,
                settings.page_language,
                settings.theme,
                settings.text_size,
                f"{settings.quiet.start:%H:%M}" if settings.quiet else "",
                f"{settings.quiet.end:%H:%M}" if settings.quiet else "",
                dump({kind: sorted(ways) for kind, ways in settings.events.items()}),
            ),
        )

    async def house(self, key: str) -> str | None:
        """A value of the house, or None."""
        row = await self._database.one(_OF_HOUSE, (key,))
        return None if row is None else str(row["value"])

    async def house_all(self) -> dict[str, str]:
        """Every value of the house by its key."""
        rows = await self._database.all("SELECT key, value FROM house")
        return {row["key"]: row["value"] for row in rows}

    def house_in(self, tx: Transaction, key: str) -> str | None:
        """A value of the house, as this transaction sees it."""
        row = tx.one(_OF_HOUSE, (key,))
        return None if row is None else str(row["value"])

    def set_house(self, tx: Transaction, key: str, value: str) -> None:
        """Keep a value of the house."""
        tx.run("INSERT OR REPLACE INTO house (key, value) VALUES (?, ?)", (key, value))

    def drop_house(self, tx: Transaction, key: str) -> None:
        """Keep a value of the house no longer."""
        tx.run("DELETE FROM house WHERE key = ?", (key,))

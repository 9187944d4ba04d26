"""Reading "What Ira did"."""

from ira_home.base.ids import PersonId
from ira_home.domain.audit import LogEntry
from ira_home.domain.pages import Page
from ira_home.storage.storage import Storage
from ira_home.tools.wording import log_sentence


class ToolLog:
    """The tool log as its person, or an admin, reads it."""

    def __init__(self, storage: Storage) -> None:
        """Read from this storage."""
        self._log = storage.tool_log

    async def list(self, person_id: PersonId, cursor: str | None, limit: int) -> Page[LogEntry]:
        """The person's own lines, newest first."""
        return await self._log.list(person_id, cursor, limit)

    async def list_all(self, cursor: str | None, limit: int) -> Page[LogEntry]:
        """Everybody's lines, newest first, for an admin."""
        return await self._log.list_all(cursor, limit)

    def sentence(self, entry: LogEntry, language: str = "en") -> str:
        """The line in words."""
        return log_sentence(entry, language)

"""Sessions: a browser in which a person is signed in."""

from dataclasses import dataclass
from datetime import datetime

from ira_home.base.ids import PersonId, SessionId


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as its person may see it: never its token or the hash of it."""

    id: SessionId
    person_id: PersonId
    agent: str
    address: str
    created_at: datetime
    used_at: datetime
    verified_at: datetime | None

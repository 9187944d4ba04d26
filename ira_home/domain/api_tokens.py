"""API tokens: a person's credential for scripts of their own."""

from dataclasses import dataclass
from datetime import datetime

from ira_home.base.ids import ApiTokenId, PersonId
from ira_home.domain.people import Permission


@dataclass(frozen=True, slots=True)
class ApiTokenRow:
    """An API token as its person may see it: never the token or the hash of it."""

    id: ApiTokenId
    person_id: PersonId
    name: str
    scopes: frozenset[Permission]
    created_at: datetime
    used_at: datetime | None

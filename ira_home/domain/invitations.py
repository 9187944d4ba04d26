"""Invitations: a link with which somebody makes their own account."""

from dataclasses import dataclass
from datetime import datetime

from ira_home.base.ids import PersonId
from ira_home.domain.people import Role


@dataclass(frozen=True, slots=True)
class Invitation:
    """An open invitation: never its token or the hash of it."""

    id: int
    email: str
    role: Role
    made_by: PersonId
    created_at: datetime
    expires_at: datetime

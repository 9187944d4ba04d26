"""People of the house, their roles, and who acts in a request."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ira_home.base.ids import DeviceId, PersonId


class Role(StrEnum):
    """What a person is in the house."""

    OWNER = "owner"
    ADMIN = "admin"
    STAFF = "staff"


class Permission(StrEnum):
    """What a role, and a credential of it, may open."""

    ASK = "ask"
    VOICE = "voice"
    ACTIONS = "actions"
    DEVICES = "devices"
    CONSOLE = "console"


_EVERYONE = frozenset({Permission.ASK, Permission.VOICE, Permission.ACTIONS, Permission.DEVICES})
ROLE_PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.OWNER: _EVERYONE | {Permission.CONSOLE},
    Role.ADMIN: _EVERYONE | {Permission.CONSOLE},
    Role.STAFF: _EVERYONE,
}
# A device token has at most these, whatever the role (spec/devices.md, Tokens); API tokens as well.
TOKEN_PERMISSIONS = frozenset({Permission.ASK, Permission.VOICE, Permission.ACTIONS})


class Credential(StrEnum):
    """The kind of proof with which somebody came."""

    SESSION = "session"
    API_TOKEN = "api_token"
    DEVICE_TOKEN = "device_token"
    OPERATOR = "operator"  # the server's own command line


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the household or clinic with an account."""

    id: PersonId
    email: str
    name: str
    role: Role
    created_at: datetime
    has_pin: bool


@dataclass(frozen=True, slots=True)
class Principal:
    """Whoever acts now: a person, by which credential, with which permissions.

    `credential_id` is the row of the session, API token or device; `device_id` is set only for a
    device token. `permissions` are already narrowed to what role and credential both allow.
    """

    person: Person
    credential: Credential
    credential_id: int
    permissions: frozenset[Permission]
    device_id: DeviceId | None = None


def may_manage(actor: Role, subject: Role) -> bool:
    """Whether someone of one role may change, remove or invite an account of another.

    Owners manage everyone, admins manage staff only, staff nobody.
    """
    return actor is Role.OWNER or (actor is Role.ADMIN and subject is Role.STAFF)

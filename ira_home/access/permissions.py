"""What a principal may: roles and credentials narrowed to permissions, and the check itself."""

from ira_home.base.errors import Forbidden
from ira_home.domain.people import ROLE_PERMISSIONS, Credential, Permission, Person, Principal


def require(principal: Principal, permission: Permission) -> None:
    """Raise Forbidden unless the principal has the permission."""
    if permission not in principal.permissions:
        raise Forbidden


def require_session(principal: Principal) -> None:
    """Raise Forbidden for every credential but a signed-in session."""
    if principal.credential is not Credential.SESSION:
        message = "This needs a signed-in session."
        raise Forbidden(message)


def session_principal(person: Person, session_id: int) -> Principal:
    """The person in a session: everything their role has."""
    return Principal(person, Credential.SESSION, session_id, ROLE_PERMISSIONS[person.role])


def narrowed(person: Person, scopes: frozenset[Permission]) -> frozenset[Permission]:
    """Of the scopes of a credential those that the person's role has now."""
    return ROLE_PERMISSIONS[person.role] & scopes

"""What a principal may: roles and credentials narrowed to permissions, and the check itself."""

from ira_home.base.errors import Forbidden, Unauthenticated
from ira_home.domain.people import ROLE_PERMISSIONS, Credential, Permission, Person, Principal
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage


def require(principal: Principal, permission: Permission) -> None:
    """Raise Forbidden unless the principal has the permission."""
    if permission not in principal.permissions:
        raise Forbidden


def require_now(
    storage: Storage, tx: Transaction, principal: Principal, permission: Permission
) -> None:
    """Raise unless the principal may do this at the moment of the transaction, not when they came.

    Unauthenticated once the account or the credential is gone, Forbidden without the permission or
    in another role: what was asked for in one role is not gone on with in another.
    """
    require(principal, permission)
    role = storage.people.role_in(
        tx, principal.person.id, principal.credential, principal.credential_id
    )
    if role is None:
        raise Unauthenticated
    if role is not principal.person.role:
        message = "Your role in the house was changed meanwhile. Ask again."
        raise Forbidden(message)


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

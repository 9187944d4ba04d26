"""The system's keyring, where it has one that keeps secrets: Keychain, Credential Manager, Secret Service, KWallet."""

from collections.abc import Callable
import threading
from typing import Any, Final, Protocol, TypeVar

from ira_device.refusals import TokenUnreadable

T = TypeVar("T")

SERVICE: Final = "ira-home"
ANSWER_S: Final = 60.0  # the system may ask the person to unlock the keyring
# Only these: other packages bring backends that write secrets into plain files.
_KEPT_BY: Final = {
    "keyring.backends.macOS",
    "keyring.backends.Windows",
    "keyring.backends.SecretService",
    "keyring.backends.kwallet",
}


class KeyringClosed(TokenUnreadable):
    """The keyring is locked, did not answer in time, or failed."""

    code = "keyring_closed"
    default = "The keyring does not open. Unlock it and try again."


class Keyring(Protocol):
    """Secrets by name; every method raises KeyringClosed but `delete`, which never fails."""

    def get(self, name: str) -> str | None:
        """The secret of this name, if there is one."""
        ...

    def set(self, name: str, secret: str) -> None:
        """Keep a secret under a name."""
        ...

    def delete(self, name: str) -> None:
        """Forget the secret of a name, as far as the keyring lets."""
        ...


class SystemKeyring:
    """A backend of the `keyring` package, waited for only so long."""

    def __init__(self, backend: Any) -> None:
        """Use this backend."""
        self._backend = backend

    def get(self, name: str) -> str | None:
        """The secret of this name, if there is one."""
        found = _in_time(lambda: self._backend.get_password(SERVICE, name))
        return None if found is None else str(found)

    def set(self, name: str, secret: str) -> None:
        """Keep a secret under a name."""
        _in_time(lambda: self._backend.set_password(SERVICE, name, secret))

    def delete(self, name: str) -> None:
        """Forget a secret."""
        try:
            _in_time(lambda: self._backend.delete_password(SERVICE, name))
        except KeyringClosed:
            return  # silent-ok: a token that is forgotten here is dead on the server as well


def system_keyring() -> Keyring | None:
    """The best keyring of this system that really keeps secrets, or None."""
    try:
        return _in_time(_best)
    except KeyringClosed:
        return None


def _best() -> Keyring | None:
    from keyring.backend import get_all_keyring  # takes long to import

    good = [one for one in get_all_keyring() if type(one).__module__ in _KEPT_BY]
    working = [one for one in good if one.priority > 0]
    return SystemKeyring(max(working, key=lambda one: one.priority)) if working else None


def _in_time(work: Callable[[], T]) -> T:
    """Run in a thread that may hang on a prompt nobody sees; raises KeyringClosed then."""
    outcome: list[T] = []

    def run() -> None:
        # Backends raise errors of many packages; whatever it was, the keyring did not open.
        try:
            outcome.append(work())
        except Exception:  # noqa: BLE001
            return  # silent-ok: the missing outcome is raised below

    thread = threading.Thread(target=run, name="keyring", daemon=True)
    thread.start()
    thread.join(ANSWER_S)
    if not outcome:
        raise KeyringClosed
    return outcome[0]

"""Where a device keeps its pairing: the token in the keyring, everything else beside it in a folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ira_device.http import Address
from ira_device.keyrings import Keyring, KeyringClosed, system_keyring
from ira_device.pinning import Trust
from ira_device.refusals import NotPaired, TokenUnreadable
from ira_home.base.files import make_missing, write_private
from ira_home.base.folder_errors import DataFolderError

_PAIRING = "device.json"
_TOKEN = "token"  # noqa: S105  # a file name
_TRIAL = "trial"


class Paired(Struct, frozen=True, kw_only=True):
    """What a device knows of its server; the token is kept apart."""

    host: str
    port: int
    server_name: str
    ca_pem: str
    device_id: int
    kind: str
    label: str
    assistant: str
    websocket: str
    next_pins: tuple[str, ...] = ()  # of the authorities that the present one has announced
    kept_in: Literal["keyring", "file"] = "keyring"

    @property
    def address(self) -> Address:
        """Where the server listens."""
        return Address(self.host, self.port)

    @property
    def trust(self) -> Trust:
        """What proves that it is this server."""
        return Trust(self.ca_pem, self.server_name)

    @property
    def keyring_name(self) -> str:
        """Under which name the keyring has the token."""
        return f"{self.server_name}/device-{self.device_id}"


@dataclass(slots=True)
class Store:
    """The pairing of one device in one folder (0700). `keyring` None: the token is kept in a file."""

    folder: Path
    keyring: Keyring | None

    @classmethod
    def of(cls, folder: Path, *, use_keyring: bool = True) -> "Store":
        """The store in a folder, with the system's keyring where there is one."""
        return cls(folder, system_keyring() if use_keyring else None)

    def load(self) -> Paired:
        """The pairing; raises NotPaired, or DataFolderError when it cannot be read."""
        path = self.folder / _PAIRING
        try:
            return msgspec.json.decode(path.read_bytes(), type=Paired)
        except FileNotFoundError:
            raise NotPaired from None
        except (OSError, msgspec.MsgspecError) as error:
            message = f"{path} cannot be read. Pair this device again."
            raise DataFolderError(message) from error

    def is_paired(self) -> bool:
        """Whether there is a pairing to use."""
        try:
            self.load()
        except NotPaired:
            return False
        return True

    def prepare(self) -> None:
        """Make sure that a pairing can be kept, before a code is used up; raises DataFolderError."""
        self._write(_TRIAL, b"")
        (self.folder / _TRIAL).unlink(missing_ok=True)

    def save(self, paired: Paired, token: str) -> Paired:
        """Keep a new pairing in place of any old one; says in `kept_in` where the token went."""
        old = self._load_if_any()
        paired = msgspec.structs.replace(paired, kept_in=self._keep_token(paired, token))
        self._write_pairing(paired)
        if old is not None and old.keyring_name != paired.keyring_name:
            self._drop_from_keyring(old)
        if paired.kept_in == "keyring":
            (self.folder / _TOKEN).unlink(missing_ok=True)
        return paired

    def keep(self, paired: Paired) -> None:
        """Keep what is known of its server now, unless it was forgotten or replaced; raises DataFolderError."""
        try:
            kept = self.load()
        except NotPaired:
            return
        except DataFolderError:
            kept = None  # silent-ok: what is known is better than what cannot be read
        if kept is None or (kept != paired and kept.keyring_name == paired.keyring_name):
            self._write_pairing(paired)

    def newer_than(self, paired: Paired) -> Paired | None:
        """The pairing that has taken the place of this one, if one has."""
        kept = self._load_if_any()
        return None if kept is None or kept.keyring_name == paired.keyring_name else kept

    def _keep_token(self, paired: Paired, token: str) -> Literal["keyring", "file"]:
        if self.keyring is not None:
            try:
                self.keyring.set(paired.keyring_name, token)
            except KeyringClosed:
                pass  # silent-ok: `kept_in` says it, and the program tells the person
            else:
                return "keyring"
        self._write(_TOKEN, token.encode())
        return "file"

    def token(self, paired: Paired) -> str:
        """The token of a pairing; raises TokenUnreadable."""
        found = self._kept_in_file() if paired.kept_in == "file" else self._kept_in_keyring(paired)
        if not found:
            message = "The device's token is gone. Pair it again."
            raise TokenUnreadable(message)
        return found

    def _kept_in_file(self) -> str | None:
        try:
            return (self.folder / _TOKEN).read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            message = f"{self.folder / _TOKEN} cannot be read."
            raise TokenUnreadable(message) from error

    def _kept_in_keyring(self, paired: Paired) -> str | None:
        if self.keyring is None:
            message = (
                "The token is in the keyring, which cannot be used here (no desktop session?)."
            )
            raise TokenUnreadable(message)
        try:
            return self.keyring.get(paired.keyring_name)
        except KeyringClosed as error:
            raise TokenUnreadable(error.message) from error

    def forget(self) -> None:
        """Forget pairing and token; nothing happens when there is none."""
        self._drop_from_keyring(self._load_if_any())
        (self.folder / _TOKEN).unlink(missing_ok=True)
        (self.folder / _PAIRING).unlink(missing_ok=True)

    def _load_if_any(self) -> Paired | None:
        try:
            return self.load()
        except (NotPaired, DataFolderError):
            return None

    def _drop_from_keyring(self, paired: Paired | None) -> None:
        if paired is not None and paired.kept_in == "keyring" and self.keyring is not None:
            self.keyring.delete(paired.keyring_name)

    def _write_pairing(self, paired: Paired) -> None:
        self._write(_PAIRING, msgspec.json.format(msgspec.json.encode(paired), indent=2))

    def _write(self, name: str, content: bytes) -> None:
        try:
            make_missing(self.folder)
            write_private(self.folder / name, content)
        except OSError as error:
            message = f"{self.folder} cannot be written: {error.strerror}."
            raise DataFolderError(message) from error

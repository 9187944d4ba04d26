"""The secret file beside the database, and what is encrypted with it."""

from collections.abc import Iterable
import hmac
import os
from pathlib import Path
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ira_home.base.files import PRIVATE_FILE, tighten, write_private
from ira_home.base.folder_errors import DataFolderError, SecretUnreadable
from ira_home.storage.database import Database, Transaction

_BYTES = 32
_NONCE = 12
_FORM = b"\x01"  # the form of a sealed value, so that another can follow


class SecretFile:
    """32 random bytes that never enter the database: a stolen copy of it opens nothing."""

    def __init__(self, content: bytes) -> None:
        """Use `open` or `make`."""
        self._content = content

    def __repr__(self) -> str:
        return "SecretFile(***)"

    @classmethod
    def open(cls, path: Path) -> "SecretFile":
        """The secret of an existing house; raises DataFolderError with what to do."""
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            message = (
                f"The secret file {path.name} is missing beside the database in {path.parent}. Put it "
                "back from a backup: without it PINs, pairing codes and stored keys cannot be read."
            )
            raise DataFolderError(message) from None
        except OSError as error:
            message = f"The secret file {path} cannot be read ({error.strerror})."
            raise DataFolderError(message) from error
        if len(content) != _BYTES:
            message = f"The secret file {path} is damaged. Put it back from a backup."
            raise DataFolderError(message)
        tighten(path, PRIVATE_FILE)
        return cls(content)

    @classmethod
    def make(cls, path: Path) -> "SecretFile":
        """A new secret in a new file."""
        content = secrets.token_bytes(_BYTES)
        write_private(path, content)
        return cls(content)

    def derive(self, purpose: str) -> bytes:
        """32 bytes for one purpose, which tell nothing about those for another."""
        return hmac.digest(self._content, b"ira-home/1/" + purpose.encode(), "sha256")


class Vault:
    """Secrets at rest (API keys, bot tokens): AES-256-GCM under the secret file, bound to their name."""

    def __init__(self, secret: SecretFile, database: Database) -> None:
        """Keep sealed values in the table `secrets`."""
        self._cipher = AESGCM(secret.derive("vault"))
        self._database = database

    def seal(self, plain: str, name: str) -> bytes:
        """The encrypted form of a value, good for this name only."""
        nonce = os.urandom(_NONCE)
        return _FORM + nonce + self._cipher.encrypt(nonce, plain.encode(), _FORM + name.encode())

    def open(self, sealed: bytes, name: str) -> str:
        """The value again; raises SecretUnreadable when it was changed or sealed for something else."""
        form, nonce, body = sealed[:1], sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
        try:
            return self._cipher.decrypt(nonce, body, form + name.encode()).decode()
        except (
            InvalidTag,
            ValueError,
        ):  # ValueError: cut so short that not even the nonce is whole
            message = (
                f"The stored secret “{name}” cannot be read with this secret file. Enter it again."
            )
            raise SecretUnreadable(message) from None

    def set(self, tx: Transaction, name: str, plain: str) -> None:
        """Keep the value, in place of an earlier one."""
        tx.run(
            "INSERT INTO secrets (name, sealed) VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed",
            (name, self.seal(plain, name)),
        )

    def delete(self, tx: Transaction, name: str) -> None:
        """Forget the value, if there is one."""
        tx.run("DELETE FROM secrets WHERE name = ?", (name,))

    async def get(self, name: str) -> str | None:
        """The value, or None; raises SecretUnreadable."""
        row = await self._database.one("SELECT sealed FROM secrets WHERE name = ?", (name,))
        return None if row is None else self.open(row["sealed"], name)

    async def several(self, names: Iterable[str]) -> dict[str, str]:
        """Those of the values that are kept; raises SecretUnreadable."""
        rows = await self._database.all("SELECT name, sealed FROM secrets")
        wanted = set(names)
        return {
            row["name"]: self.open(row["sealed"], row["name"])
            for row in rows
            if row["name"] in wanted
        }

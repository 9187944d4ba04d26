"""The files of `<data>/pki`: private whatever the umask, and openable whenever the writing was cut off."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
import logging
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding

from ira_home.base.files import (
    PRIVATE_FILE,
    make_folder,
    make_private,
    replace_durably,
    tighten,
    write_private,
)
from ira_home.base.folder_errors import DataFolderError
from ira_home.net.certificates import profile
from ira_home.net.certificates.profile import Certificate, Key

log = logging.getLogger(__name__)

NEXT = "next-"
SERVER, META, ROLL_OVER = "server.pem", "server.meta.json", "next-ca.json"
PUBLIC_FILE = 0o644


@dataclass(frozen=True, slots=True)
class Slot:
    """The three files of one authority: the one in force, or the next one."""

    folder: Path
    prefix: str = ""

    @property
    def pem(self) -> Path:
        """The certificate; it is written last and removed last, so an authority is there when this is."""
        return self.folder / f"{self.prefix}ca.crt.pem"

    @property
    def der(self) -> Path:
        """The certificate once more, as phones take it."""
        return self.folder / f"{self.prefix}ca.crt.der"

    @property
    def key_file(self) -> Path:
        """The key, which is needed only to sign."""
        return self.folder / f"{self.prefix}ca.key.pem"

    def certificate(self) -> Certificate | None:
        """The authority's certificate; raises DataFolderError when it is damaged."""
        if not self.pem.exists():
            return None
        try:
            return x509.load_pem_x509_certificate(self.pem.read_bytes())
        except ValueError:
            raise profile.broken(self.pem, "is damaged") from None

    def key(self) -> Key | None:
        """The authority's key; raises DataFolderError when it is damaged."""
        if not self.key_file.exists():
            return None
        return profile.read_key(self.key_file, self.key_file.read_bytes())

    def checked(self) -> Certificate | None:
        """The certificate, after a look whether the key belongs to it; raises DataFolderError."""
        ca = self.certificate()
        key = None if ca is None else self.key()
        if ca is not None and key is not None and key.public_key() != ca.public_key():
            raise profile.broken(self.key_file, f"does not belong to {self.pem.name}")
        return ca

    def make(
        self, named: str, *, extra: Iterable[str], constrained: bool, now: datetime
    ) -> Certificate:
        """A new authority; a key that lies there alone is from a making that was cut off."""
        key = self.key()
        if key is None:
            key = profile.new_key()
            write_private(self.key_file, profile.pem(key))
        ca = profile.sign_ca(key, named, extra=extra, constrained=constrained, now=now)
        self.put(ca)
        return ca

    def put(self, ca: Certificate) -> None:
        """Write the certificate in both forms, where it is not there already."""
        _publish(self.der, ca.public_bytes(Encoding.DER))
        _publish(self.pem, ca.public_bytes(Encoding.PEM))

    def drop(self) -> None:
        """Remove the authority."""
        for path in (self.key_file, self.der, self.pem):
            path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Pki:
    """The whole folder."""

    path: Path

    @property
    def ca(self) -> Slot:
        """The authority in force."""
        return Slot(self.path)

    @property
    def next_ca(self) -> Slot:
        """The one that comes after it."""
        return Slot(self.path, NEXT)

    @property
    def roll_over(self) -> Path:
        """What is remembered of the change from the one to the other."""
        return self.path / ROLL_OVER

    def enter(self) -> None:
        """Make the folder, close it to others, and end what was cut off."""
        make_folder(self.path)
        for half_made in self.path.glob("*.part"):
            half_made.unlink()
        self._finish_promotion()
        private = (self.ca.key_file, self.next_ca.key_file, *map(self.path.joinpath, (SERVER, META, ROLL_OVER)))  # fmt: skip
        for path in private:
            if path.exists() and tighten(path, PRIVATE_FILE):
                log.warning("%s could be read by others; it was closed", path.name)

    def has_promoted(self, coming: Certificate) -> bool:
        """Whether this authority has taken the place of the one in force, or begun to."""
        ca = self.ca.certificate()
        return ca is not None and ca.public_key() == coming.public_key()

    def promote(self) -> None:
        """Put the next authority in the place of the one in force.

        The first file written decides: from then on the next one is in force, and `enter` or this
        does the rest when it was cut off.
        """
        if self.next_ca.pem.exists():
            _publish(self.ca.pem, self.next_ca.pem.read_bytes())
        self._finish_promotion()

    def _finish_promotion(self) -> None:
        try:
            ca, coming = self.ca.certificate(), self.next_ca.certificate()
        except DataFolderError:
            return  # whoever reads the damaged one says so
        if ca is None or coming is None or ca.public_key() != coming.public_key():
            return
        if self.next_ca.key_file.exists():
            write_private(self.ca.key_file, self.next_ca.key_file.read_bytes())
        self.ca.put(ca)
        self.forget_next()

    def forget_next(self) -> None:
        """There is no next authority any more."""
        # The key first: without it there is nothing to go on with.
        self.next_ca.drop()
        self.roll_over.unlink(missing_ok=True)

    def server(self, ca: Certificate) -> tuple[Key | None, Certificate | None]:
        """Key and leaf of this CA; nothing when the file is missing or of no use, as it can be made anew."""
        path = self.path / SERVER
        if not path.exists():
            return None, None
        try:
            content = path.read_bytes()
            key, leaf = profile.read_key(path, content), x509.load_pem_x509_certificate(content)
            leaf.verify_directly_issued_by(ca)
        except (DataFolderError, ValueError, TypeError, InvalidSignature):
            log.warning("%s is damaged or of another authority", SERVER)
            return None, None
        return (key, leaf) if key.public_key() == leaf.public_key() else (None, None)

    def half_server(self, key: Key, leaf: Certificate, ca: Certificate) -> Path:
        """A new server file that is not in force yet: see `take_server`."""
        # One file, so that key and certificate can never be of two different makings.
        parts = (profile.pem(key), leaf.public_bytes(Encoding.PEM), ca.public_bytes(Encoding.PEM))
        half_made = self.path / f"{SERVER}.part"
        half_made.unlink(missing_ok=True)
        make_private(half_made)
        half_made.write_bytes(b"".join(parts))
        return half_made

    def take_server(self, half_made: Path) -> None:
        """Put the new server file in force."""
        replace_durably(half_made, self.path / SERVER)


def _publish(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        write_private(path, content)
    tighten(path, PUBLIC_FILE)

"""Knowing the server: its own CA, found by fingerprint, is all that a device trusts.

The server at home has a CA that no computer knows. What the person sees on their own screen (the
`fp` of the link, or the fingerprint they compare) decides which CA that is. Until then nothing
secret is sent, and after it this one CA is trusted and no other: there is no falling back.
"""

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
import hashlib
from itertools import islice
import re
import ssl

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ira_device.http import Address, get_unverified
from ira_device.refusals import PairingRefused, WrongServer
from ira_home.protocol.pairing_link import PairingLinkText

_SUBJECT = re.compile(r"Ira Home CA ([0-9A-Fa-f]{6,12}) \d{4}")
_OTHERS_MAX = 4  # one is the next, and there is seldom a second
_PIN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Trust:
    """The one CA, and the name its server must prove whatever address was dialled."""

    ca_pem: str
    server_name: str

    def context(self) -> ssl.SSLContext:
        """A strict context that knows this CA alone."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_STRICT
        context.load_verify_locations(cadata=self.ca_pem)
        return context

    def others(self, pins: Iterable[str]) -> tuple[str, ...]:
        """The pins of other authorities than this one: the next ones, when the server itself says them."""
        own = pin_of(read_certificate(self.ca_pem.encode()))
        found = (pin for pin in dict.fromkeys(pins) if pin != own and _PIN.fullmatch(pin))
        return tuple(islice(found, _OTHERS_MAX))


@dataclass(frozen=True, slots=True)
class Witness:
    """What the person gives when the link carries no fingerprint; the first that is there counts.

    `ca_pem`: the CA certificate itself, taken from the server's own disk. `fingerprint`: as the
    server shows it. `confirm`: shows a fingerprint to the person and asks whether it is the same.
    """

    ca_pem: bytes | None = None
    fingerprint: str | None = None
    confirm: Callable[[str], bool] | None = None


async def find_trust(link: PairingLinkText, witness: Witness) -> Trust:
    """Recognise the server of the link; raises WrongServer, PairingRefused or ServerUnreachable."""
    if link.host is None:
        message = "The server's address is missing."
        raise PairingRefused(message)
    address = Address(link.host, link.port)
    offered = witness.ca_pem or await get_unverified(address, "/ca.crt")
    authority = read_certificate(offered)
    _recognise(authority, link, witness)
    return Trust(authority.public_bytes(Encoding.PEM).decode(), _server_name(link, authority))


def read_certificate(content: bytes) -> x509.Certificate:
    """The first certificate of a PEM or DER file; raises WrongServer."""
    try:
        if content.lstrip().startswith(b"-----BEGIN"):
            return x509.load_pem_x509_certificate(content)
        return x509.load_der_x509_certificate(content)
    except ValueError:
        message = "This is not the server you meant: its CA certificate cannot be read."
        raise WrongServer(message) from None


def pin_of(authority: x509.Certificate) -> str:
    """base64url of SHA-256 of the key: the `fp` of a pairing link."""
    key = authority.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.urlsafe_b64encode(hashlib.sha256(key).digest()).rstrip(b"=").decode()


def shown_fingerprint(authority: x509.Certificate) -> str:
    """SHA-256 of the certificate in groups of four, as the server's page and console show it."""
    digest = hashlib.sha256(authority.public_bytes(Encoding.DER)).hexdigest().upper()
    return " ".join(digest[start : start + 4] for start in range(0, len(digest), 4))


def _recognise(authority: x509.Certificate, link: PairingLinkText, witness: Witness) -> None:
    if link.fingerprint is not None and link.fingerprint != pin_of(authority):
        raise WrongServer
    if witness.fingerprint is not None:
        if not _is_fingerprint_of(witness.fingerprint, authority):
            message = "This is not the server you meant: its fingerprint is another."
            raise WrongServer(message)
        return
    if link.fingerprint is not None or witness.ca_pem is not None:
        return
    _ask(authority, witness)


def _ask(authority: x509.Certificate, witness: Witness) -> None:
    if witness.confirm is None:
        message = "Without a link the server's fingerprint must be confirmed, and nobody was asked."
        raise PairingRefused(message)
    if not witness.confirm(shown_fingerprint(authority)):
        message = "The fingerprint was not confirmed, so nothing was sent."
        raise PairingRefused(message)


def _is_fingerprint_of(text: str, authority: x509.Certificate) -> bool:
    text = text.strip()
    if _PIN.fullmatch(text):
        return text == pin_of(authority)
    typed = re.sub(r"[\s:.-]", "", text).upper()
    return typed == shown_fingerprint(authority).replace(" ", "")


def _server_name(link: PairingLinkText, authority: x509.Certificate) -> str:
    """The identity name: from the link, else from the recognised CA, else the address that was typed."""
    install_id = link.install_id
    if install_id is None:
        names = authority.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
        found = _SUBJECT.fullmatch(str(names[0].value)) if names else None
        install_id = found[1].lower() if found else None
    return f"ira-{install_id}.local" if install_id else str(link.host)

"""The house's own certificate authority and the server certificate that it signs."""

import base64
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
import hashlib
import ipaddress
import logging
from pathlib import Path
import ssl
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ira_home.base.clock import Clock, rfc3339
from ira_home.base.errors import BadJson
from ira_home.base.files import PRIVATE_FILE, make_folder, tighten, write_private
from ira_home.base.folder_errors import DataFolderError
from ira_home.base.jsontext import dump, parse
from ira_home.net.names import DOMAINS, LOOPBACK, NETWORKS, Names, dns_names, remember

log = logging.getLogger(__name__)

CA_PEM, CA_DER, CA_KEY = "ca.crt.pem", "ca.crt.der", "ca.key.pem"
SERVER, META = "server.pem", "server.meta.json"
PUBLIC_FILE = 0o644

CA_DAYS = 3_650
LEAF_DAYS = 397  # what every platform accepts
RENEW_DAYS = 60
_HEAD_START = timedelta(hours=24)  # for clients whose clock is behind
# A board without a battery starts in 1970; no certificate is older than this program.
_EARLIEST = datetime(2026, 11, 1, tzinfo=UTC)
_P256 = ec.SECP256R1

Key = ec.EllipticCurvePrivateKey
Certificate = x509.Certificate


class Authority:
    """The house's certificates as they lie in `<data>/pki`. The CA stays; the leaf is made anew as needed."""

    def __init__(self, folder: Path, ca: Certificate, leaf: Certificate) -> None:
        """Use `open`."""
        self._folder = folder
        self.ca_pem = ca.public_bytes(Encoding.PEM)
        self.ca_der = ca.public_bytes(Encoding.DER)
        self.pin = _pin(ca)
        self.fingerprint = _grouped(hashlib.sha256(self.ca_der).hexdigest())
        found = _names_of(leaf)
        self.names, self.addresses = found.dns, found.addresses

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Whether the authority that clients know is there."""
        return (folder / CA_PEM).exists()

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        install_id: str,
        clock: Clock,
        addresses: Sequence[str],
        hostname: str,
        extra_names: Iterable[str] = (),
    ) -> "Authority":
        """Open the certificates, making what is missing; raises DataFolderError with what to do.

        The leaf is made anew when an address or name is not in it or its end is near. What the
        CA may not vouch for (a public address, a name that came after it was made) is left out.
        """
        now = max(clock.now(), _EARLIEST)
        try:
            make_folder(folder)
            keeper = _Keeper(folder, now)
            dns = dns_names(install_id, hostname=hostname, extra=extra_names)
            ca = keeper.ca(install_id, extra=extra_names)
            leaf = keeper.leaf(ca, dns=dns, addresses=addresses)
        except OSError as error:
            message = f"The certificates in {folder} cannot be read or written ({error.strerror})."
            raise DataFolderError(message) from error
        return cls(folder, ca, leaf)

    def server_context(self) -> ssl.SSLContext:
        """A new context for HTTPS: TLS 1.2 and up, HTTP/1.1, leaf and CA sent in the handshake."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(self._folder / SERVER)
        return context


class _Keeper:
    """Reads and writes the files of the folder."""

    def __init__(self, folder: Path, now: datetime) -> None:
        self._folder = folder
        self._now = now
        for name in (CA_KEY, SERVER, META):
            if (folder / name).exists() and tighten(folder / name, PRIVATE_FILE):
                log.warning("%s could be read by others; it was closed", name)

    def ca(self, install_id: str, *, extra: Iterable[str]) -> Certificate:
        """The CA's certificate, checked against its key; made when there is none."""
        path = self._folder / CA_PEM
        ca = self._read_ca(path) if path.exists() else self._make_ca(install_id, extra)
        if ca.not_valid_after_utc <= self._now:
            raise _broken(path, f"ended on {ca.not_valid_after_utc:%d %B %Y}")
        self._publish(CA_DER, ca.public_bytes(Encoding.DER))
        self._publish(CA_PEM, ca.public_bytes(Encoding.PEM))
        return ca

    def leaf(self, ca: Certificate, *, dns: Iterable[str], addresses: Sequence[str]) -> Certificate:
        """The server's certificate, covering what the CA may vouch for."""
        spelled = frozenset(str(ipaddress.ip_address(one)) for one in addresses)
        current = _allowed(ca, Names(frozenset(dns), spelled))
        seen = remember(self._seen(), current.addresses, now=self._now)
        key, old = self._read_server(ca)
        loopback = frozenset(LOOPBACK)
        reason = _why_new(old, Names(current.dns, current.addresses | loopback), self._now)
        leaf = old
        if leaf is None or reason:
            log.info("a new server certificate is made: %s", reason)
            same_key = key if reason == _NAMES else None
            everything = Names(
                current.dns, loopback | _allowed(ca, Names(frozenset(), frozenset(seen))).addresses
            )
            leaf = self._issue(ca, everything, same_key or ec.generate_private_key(_P256()))
        self._write_meta(ca, leaf, seen)
        return leaf

    def _read_ca(self, path: Path) -> Certificate:
        try:
            ca = x509.load_pem_x509_certificate(path.read_bytes())
        except ValueError:
            raise _broken(path, "is damaged") from None
        key = self._ca_key()
        if key is not None and key.public_key() != ca.public_key():
            raise _broken(self._folder / CA_KEY, f"does not belong to {CA_PEM}")
        return ca

    def _make_ca(self, install_id: str, extra: Iterable[str]) -> Certificate:
        """A new CA. The certificate is written last: a key alone is from an interrupted start."""
        key = self._ca_key()
        if key is None:
            key = ec.generate_private_key(_P256())
            write_private(self._folder / CA_KEY, _pem(key))
        return _sign_ca(key, install_id, extra=extra, now=self._now)

    def _ca_key(self) -> Key | None:
        path = self._folder / CA_KEY
        return _read_key(path, path.read_bytes()) if path.exists() else None

    def _issue(self, ca: Certificate, names: Names, key: Key) -> Certificate:
        ca_key = self._ca_key()
        if ca_key is None:
            message = (
                f"A new server certificate is due, but {self._folder / CA_KEY} is missing. "
                "Put it back from a backup."
            )
            raise DataFolderError(message)
        leaf = _sign_leaf(ca, ca_key, names, key=key, now=self._now)
        # One file, so that key and certificate can never be of two different makings.
        parts = (_pem(key), leaf.public_bytes(Encoding.PEM), ca.public_bytes(Encoding.PEM))
        write_private(self._folder / SERVER, b"".join(parts))
        return leaf

    def _read_server(self, ca: Certificate) -> tuple[Key | None, Certificate | None]:
        """Key and leaf of this CA; nothing when the file is missing or of no use, as it can be made anew."""
        path = self._folder / SERVER
        if not path.exists():
            return None, None
        try:
            content = path.read_bytes()
            key, leaf = _read_key(path, content), x509.load_pem_x509_certificate(content)
            leaf.verify_directly_issued_by(ca)
        except (DataFolderError, ValueError, TypeError, InvalidSignature):
            log.warning("%s is damaged or of another authority", SERVER)
            return None, None
        return (key, leaf) if key.public_key() == leaf.public_key() else (None, None)

    def _seen(self) -> dict[str, int]:
        """What the last start remembered; it is only a memory, so a damaged one is empty."""
        try:
            seen = parse((self._folder / META).read_bytes())["seen"]
            return {str(ipaddress.ip_address(one)): int(at) for one, at in seen.items()}
        except (OSError, BadJson, KeyError, TypeError, ValueError, AttributeError):
            return {}

    def _write_meta(self, ca: Certificate, leaf: Certificate, seen: dict[str, int]) -> None:
        found = _names_of(leaf)
        meta = {
            "names": sorted(found.dns),
            "addresses": sorted(found.addresses),
            "not_after": rfc3339(leaf.not_valid_after_utc),
            "pin": _pin(ca),
            "seen": seen,
        }
        write_private(self._folder / META, dump(meta).encode())

    def _publish(self, name: str, content: bytes) -> None:
        path = self._folder / name
        if not path.exists() or path.read_bytes() != content:
            write_private(path, content)
        tighten(path, PUBLIC_FILE)


_NAMES = "an address or a name is not in it"


def _why_new(leaf: Certificate | None, wanted: Names, now: datetime) -> str | None:
    if leaf is None:
        return "there is none of this authority"
    if leaf.not_valid_after_utc - now < timedelta(days=RENEW_DAYS):
        return "its end is near"
    if leaf.not_valid_before_utc > now:
        return "it begins in the future"
    return None if _names_of(leaf).covers(wanted) else _NAMES


def _sign_ca(key: Key, install_id: str, *, extra: Iterable[str], now: datetime) -> Certificate:
    begin = now - _HEAD_START
    # iOS lists authorities by their common name.
    name = _name(f"Ira Home CA {install_id.upper()} {now.year}", organisation="Ira Home")
    usage = _usage(key_cert_sign=True, crl_sign=True)
    builder = (
        _builder(key, subject=name, issuer=name)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=CA_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(_constraints(extra), critical=True)
    )
    return builder.sign(key, hashes.SHA256())


def _sign_leaf(
    ca: Certificate, ca_key: Key, names: Names, *, key: Key, now: datetime
) -> Certificate:
    begin = now - _HEAD_START
    own = ca.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    issuer = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own)
    builder = (
        _builder(key, subject=_name("Ira Home server"), issuer=ca.subject)
        .not_valid_before(begin)
        .not_valid_after(min(begin + timedelta(days=LEAF_DAYS), ca.not_valid_after_utc))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
        .add_extension(_alternative(names), critical=False)
    )
    return builder.sign(ca_key, hashes.SHA256())


def _builder(key: Key, *, subject: x509.Name, issuer: x509.Name) -> x509.CertificateBuilder:
    public = key.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _name(common: str, *, organisation: str | None = None) -> x509.Name:
    parts = [x509.NameAttribute(NameOID.COMMON_NAME, common)]
    if organisation:
        parts.insert(0, x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation))
    return x509.Name(parts)


_USES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
    "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
)  # fmt: skip


def _usage(**allowed: bool) -> x509.KeyUsage:
    return x509.KeyUsage(**(dict.fromkeys(_USES, False) | allowed))


def _constraints(extra: Iterable[str]) -> x509.NameConstraints:
    """What the CA may vouch for. Both kinds stand there: one that is absent would be without bounds."""
    domains = [x509.DNSName(name) for name in dict.fromkeys((*DOMAINS, *extra))]
    networks = [x509.IPAddress(ipaddress.ip_network(one)) for one in NETWORKS]
    return x509.NameConstraints([*domains, *networks], excluded_subtrees=None)


def _allowed(ca: Certificate, names: Names) -> Names:
    """Without what a client would refuse; one name too many makes the whole certificate invalid."""
    try:
        bounds = ca.extensions.get_extension_for_class(x509.NameConstraints).value
    except x509.ExtensionNotFound:
        return names
    bases: list[Any] = [one.value for one in bounds.permitted_subtrees or ()]
    domains = tuple(base for base in bases if isinstance(base, str))
    networks = tuple(base for base in bases if not isinstance(base, str))
    dns = {name for name in names.dns if any(f".{name}".endswith(f".{base}") for base in domains)}
    parsed = {one: ipaddress.ip_address(one) for one in names.addresses}
    addresses = {one for one, ip in parsed.items() if any(ip in network for network in networks)}
    if names.dns - dns:
        log.warning("the certificate cannot name %s: no name of a house", sorted(names.dns - dns))
    if names.addresses - addresses:
        # Whoever starts the server is told on the console, with what to use instead.
        log.info("the certificate cannot name %s: no address of a home network", sorted(names.addresses - addresses))  # fmt: skip
    return Names(frozenset(dns), frozenset(addresses))


def _alternative(names: Names) -> x509.SubjectAlternativeName:
    dns = [x509.DNSName(name) for name in sorted(names.dns)]
    addresses = [x509.IPAddress(ipaddress.ip_address(one)) for one in sorted(names.addresses)]
    return x509.SubjectAlternativeName([*dns, *addresses])


def _names_of(leaf: Certificate) -> Names:
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = (str(one) for one in names.get_values_for_type(x509.IPAddress))
    return Names(frozenset(names.get_values_for_type(x509.DNSName)), frozenset(addresses))


def _pin(ca: Certificate) -> str:
    """base64url of the SHA-256 of the CA's public key: it outlives every renewal."""
    spki = ca.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.urlsafe_b64encode(hashlib.sha256(spki).digest()).decode().rstrip("=")


def _grouped(digest: str) -> str:
    """Groups of four, for two people who compare by eye or voice."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4)).upper()


def _pem(key: Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read_key(path: Path, content: bytes) -> Key:
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError):
        raise _broken(path, "is damaged") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise _broken(path, "holds another kind of key")
    return key


def _broken(path: Path, what: str) -> DataFolderError:
    message = (
        f"{path} {what}. Put the folder {path.parent} back from a backup. (Or move it away: a new "
        "one is made, but then every browser and device must be told to trust this server again.)"
    )
    return DataFolderError(message)

"""What the certificates of the house say: the exact profile that every platform takes (reference: measured)."""

import base64
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
import hashlib
import ipaddress
from pathlib import Path
from typing import Any

from cryptography import x509
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

from ira_home.base.folder_errors import DataFolderError
from ira_home.net.names import DOMAINS, NETWORKS, Names

CA_DAYS = 3_650
LEAF_DAYS = 397  # what every platform accepts
_HEAD_START = timedelta(hours=24)  # for clients whose clock is behind
# A board without a battery starts in 1970; no certificate is older than this program.
_EARLIEST = datetime(2026, 11, 1, tzinfo=UTC)

Key = ec.EllipticCurvePrivateKey
Certificate = x509.Certificate


def moment(now: datetime) -> datetime:
    """The time to put into certificates."""
    return max(now, _EARLIEST)


def is_lost(now: datetime) -> bool:
    """Whether the clock cannot be right, so that nothing may be judged by it."""
    return now < _EARLIEST


def new_key() -> Key:
    """A new key: P-256, which every platform knows."""
    return ec.generate_private_key(ec.SECP256R1())


def sign_ca(
    key: Key, named: str, *, extra: Iterable[str], constrained: bool, now: datetime
) -> Certificate:
    """A new authority of this common name. `constrained`: it may vouch for names and addresses of a home only, and `extra`."""
    begin = now - _HEAD_START
    name = _name(named, organisation="Ira Home")
    usage = _usage(key_cert_sign=True, crl_sign=True)
    builder = (
        _builder(key, subject=name, issuer=name)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=CA_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
    )
    if constrained:
        builder = builder.add_extension(_constraints(extra), critical=True)
    return builder.sign(key, hashes.SHA256())


def ca_name(install_id: str, now: datetime, after: Certificate | None) -> str:
    """The common name of a new authority, which is how phones list it: not that of the one before it."""
    base = f"Ira Home CA {install_id.upper()} {now.year}"
    if after is None:
        return base
    (before,) = after.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if not str(before.value).startswith(base):
        return base
    number = str(before.value).removeprefix(base).strip(" ()")
    return f"{base} ({int(number or 1) + 1})"


def dated_anew(ca: Certificate, key: Key, *, now: datetime) -> Certificate:
    """The same authority, so with the same pin, that begins now: it was made while the clock was ahead."""
    begin = now - _HEAD_START
    builder = (
        x509.CertificateBuilder()
        .subject_name(ca.subject)
        .issuer_name(ca.issuer)
        .public_key(ca.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=CA_DAYS))
    )
    for one in ca.extensions:
        builder = builder.add_extension(one.value, critical=one.critical)
    return builder.sign(key, hashes.SHA256())


def sign_leaf(
    ca: Certificate, ca_key: Key, names: Names, *, key: Key, now: datetime
) -> Certificate:
    """The server's certificate for these names, every one of which the authority may vouch for."""
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


def is_constrained(ca: Certificate) -> bool:
    """Whether there are bounds to what the authority may vouch for."""
    return _bounds(ca) is not None


def _bounds(ca: Certificate) -> x509.NameConstraints | None:
    try:
        return ca.extensions.get_extension_for_class(x509.NameConstraints).value
    except x509.ExtensionNotFound:
        return None


def allowed(ca: Certificate, names: Names) -> Names:
    """Without what a client would refuse; one name too many makes the whole certificate invalid."""
    bounds = _bounds(ca)
    if bounds is None:
        return names
    bases: list[Any] = [one.value for one in bounds.permitted_subtrees or ()]
    domains = tuple(base for base in bases if isinstance(base, str))
    networks = tuple(base for base in bases if not isinstance(base, str))
    dns = {name for name in names.dns if any(f".{name}".endswith(f".{base}") for base in domains)}
    parsed = {one: ipaddress.ip_address(one) for one in names.addresses}
    addresses = {one for one, ip in parsed.items() if any(ip in network for network in networks)}
    return Names(frozenset(dns), frozenset(addresses))


def _alternative(names: Names) -> x509.SubjectAlternativeName:
    dns = [x509.DNSName(name) for name in sorted(names.dns)]
    addresses = [x509.IPAddress(ipaddress.ip_address(one)) for one in sorted(names.addresses)]
    return x509.SubjectAlternativeName([*dns, *addresses])


def names_of(leaf: Certificate) -> Names:
    """The names and addresses in a certificate; none when it says none."""
    try:
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return Names(frozenset(), frozenset())
    addresses = (str(one) for one in names.get_values_for_type(x509.IPAddress))
    return Names(frozenset(names.get_values_for_type(x509.DNSName)), frozenset(addresses))


def pin(ca: Certificate) -> str:
    """base64url of the SHA-256 of the CA's public key: it outlives every renewal."""
    spki = ca.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.urlsafe_b64encode(hashlib.sha256(spki).digest()).decode().rstrip("=")


def grouped(digest: str) -> str:
    """Groups of four, for two people who compare by eye or voice."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4)).upper()


def fingerprint(ca: Certificate) -> str:
    """SHA-256 of the certificate, in groups of four."""
    return grouped(hashlib.sha256(ca.public_bytes(Encoding.DER)).hexdigest())


def pem(key: Key) -> bytes:
    """The key as it lies in a file."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def read_key(path: Path, content: bytes) -> Key:
    """The key of a file; raises DataFolderError."""
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError):
        raise broken(path, "is damaged") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise broken(path, "holds another kind of key")
    return key


def ended(path: Path, ca: Certificate, *, now: datetime) -> DataFolderError:
    """The authority is over, unless it is the clock that is wrong: nothing may be thrown away for that."""
    message = (
        f"{path} ended on {ca.not_valid_after_utc:%d %B %Y}, and this computer's clock says that it is "
        f"{now:%d %B %Y}. If the clock is wrong, set it right and start again. (If it is right, move the "
        f"folder {path.parent} away: a new one is made, but then every browser and device must be told to "
        "trust this server again.)"
    )
    return DataFolderError(message)


def broken(path: Path, what: str) -> DataFolderError:
    """The authority of the house cannot be used, and is never replaced without a word."""
    message = (
        f"{path} {what}. Put the folder {path.parent} back from a backup. (Or move it away: a new "
        "one is made, but then every browser and device must be told to trust this server again.)"
    )
    return DataFolderError(message)

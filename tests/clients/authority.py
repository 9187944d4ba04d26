"""A CA and a server certificate of the house's profile, made in the test."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAY = timedelta(days=1)


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


@dataclass
class Authority:
    """One house's CA: `certificate`, and contexts for servers that prove a name with it."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate
    install_id: str

    @classmethod
    def make(cls, install_id: str = "7f3a9c") -> "Authority":
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name(f"Ira Home CA {install_id} 2026")
        ski = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        certificate = (
            _builder(name, name, key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .add_extension(ski, critical=False)
            .sign(key, hashes.SHA256())
        )
        return cls(key, certificate, install_id)

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    def context(
        self, folder: Path, name: str | None = None, *, age: timedelta = _DAY
    ) -> ssl.SSLContext:
        """A server's context; the certificate holds one DNS name and no address, and began `age` ago."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.show_in(context, folder, name, age=age)
        return context

    def show_in(
        self,
        context: ssl.SSLContext,
        folder: Path,
        name: str | None = None,
        *,
        age: timedelta = _DAY,
    ) -> None:
        """Put a certificate of this authority into a context, also while it serves."""
        key = ec.generate_private_key(ec.SECP256R1())
        leaf = self._leaf(key, name or f"ira-{self.install_id}.local", age)
        path = folder / f"{leaf.serial_number}.pem"
        path.write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            + leaf.public_bytes(Encoding.PEM)
            + self.pem
        )
        context.load_cert_chain(path)

    def _leaf(self, key: ec.EllipticCurvePrivateKey, name: str, age: timedelta) -> x509.Certificate:
        ca_key = self.key.public_key()
        return (
            _builder(_name("Ira Home server"), self.certificate.subject, key.public_key(), age)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key), critical=False
            )
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .sign(self.key, hashes.SHA256())
        )


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    age: timedelta = _DAY,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - age)
        .not_valid_after(now - age + 397 * _DAY)
    )

"""Whoever makes certificates for the owner, outside of the house."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from tests.support.clock import FakeClock

HOST = "clinic.example.org"
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Outside:
    """Whoever makes certificates for the owner, and where they are put."""

    def __init__(self, folder: Path, clock: FakeClock) -> None:
        self.clock = clock
        self.certificate, self.key = folder / "fullchain.pem", folder / "privkey.pem"

    def make(
        self, names: Iterable[str] = (HOST,), *, days: int = 90, key: Key | None = None,
        begins: timedelta = timedelta(0), secret: bytes | None = None,
    ) -> tuple[bytes, bytes]:  # fmt: skip
        """Certificate and key as files hold them."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        own = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "from outside")])
        start = self.clock.now() + begins - timedelta(hours=1)
        builder = (
            x509.CertificateBuilder()
            .subject_name(own)
            .issuer_name(own)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start)
            .not_valid_after(start + timedelta(days=days))
        )
        if found := [x509.DNSName(one) for one in names]:
            builder = builder.add_extension(x509.SubjectAlternativeName(found), critical=False)
        locked = BestAvailableEncryption(secret) if secret else NoEncryption()
        certificate = builder.sign(key, hashes.SHA256())
        return (
            certificate.public_bytes(Encoding.PEM),
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked),
        )

    def put(self, made: tuple[bytes, bytes]) -> bytes:
        """Put both into the files; gives the certificate."""
        self.certificate.write_bytes(made[0])
        self.key.write_bytes(made[1])
        return made[0]

"""What is in force at one moment, for handshakes and for people."""

from dataclasses import dataclass
from datetime import datetime
import ssl

from cryptography.hazmat.primitives.serialization import Encoding

from ira_home.net.certificates import profile
from ira_home.net.certificates.memory import RollOver
from ira_home.net.certificates.profile import Certificate


@dataclass(frozen=True, slots=True)
class CaShown:
    """An authority as people are shown it. `until`: when it stops being used, at the latest."""

    der: bytes
    fingerprint: str
    pin: str
    until: datetime
    is_constrained: bool

    @classmethod
    def of(cls, ca: Certificate, until: datetime) -> "CaShown":
        """As people are shown this one."""
        return cls(
            der=ca.public_bytes(Encoding.DER),
            fingerprint=profile.fingerprint(ca),
            pin=profile.pin(ca),
            until=until,
            is_constrained=profile.is_constrained(ca),
        )


@dataclass(frozen=True, slots=True)
class State:
    """What is in force, changed as a whole: handshakes and pages read it while a thread makes the next."""

    ca: Certificate
    leaf: Certificate
    context: ssl.SSLContext
    next_ca: Certificate | None = None
    roll_over: RollOver | None = None

    @property
    def pins(self) -> tuple[str, ...]:
        """The pin in force, and after it the next one while there is one."""
        return tuple(profile.pin(one) for one in (self.ca, self.next_ca) if one is not None)

    @property
    def cas(self) -> tuple[CaShown, ...]:
        """The authority in force, and after it the next one while there is one."""
        end = self.ca.not_valid_after_utc
        if self.next_ca is None or self.roll_over is None:
            return (CaShown.of(self.ca, end),)
        in_force = CaShown.of(self.ca, min(end, self.roll_over.latest))
        return in_force, CaShown.of(self.next_ca, self.next_ca.not_valid_after_utc)

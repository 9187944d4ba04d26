"""The house's certificates while it runs: one object, whose server certificate is made anew as needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
import logging
from pathlib import Path
import ssl
import threading

from cryptography.hazmat.primitives.serialization import Encoding

from ira_home.base.clock import Clock
from ira_home.base.errors import IraError
from ira_home.base.folder_errors import DataFolderError
from ira_home.net.certificates import profile
from ira_home.net.certificates.folder import Pki, Slot
from ira_home.net.certificates.issuing import Issuer, Made
from ira_home.net.certificates.memory import RollOver
from ira_home.net.certificates.profile import Certificate
from ira_home.net.certificates.proof import server_side
from ira_home.net.names import identity

log = logging.getLogger(__name__)

REISSUE_S = 60.0


@dataclass(frozen=True, slots=True)
class CaShown:
    """An authority as people are shown it. `until`: when it stops being used, at the latest."""

    der: bytes
    fingerprint: str
    pin: str
    until: datetime


@dataclass(frozen=True, slots=True)
class _State:
    """What is in force, changed as a whole: handshakes and pages read it while a thread makes the next."""

    ca: Certificate
    leaf: Certificate
    context: ssl.SSLContext
    next_ca: Certificate | None = None
    roll_over: RollOver | None = None


class Authority:
    """The house's certificates as they lie in `<data>/pki`, for the life of the process.

    Whatever changes something may block and be called in any thread, one at a time; everything else
    may be read at any time.
    """

    def __init__(self, pki: Pki, clock: Clock, issuer: Issuer, identity_name: str) -> None:
        """Use `open`."""
        self.identity = identity_name
        self._pki, self._clock, self._issuer = pki, clock, issuer
        self._lock = threading.Lock()
        self._addresses: tuple[str, ...] = ()
        self._tried_at: float | None = None
        self._ca: Certificate
        self._next: Certificate | None = None
        self._roll_over: RollOver | None = None
        self._made: Made | None = None
        self._state: _State | None = None
        self._context = server_side()
        # Each handshake takes the context in service, which is never loaded into again: a bad pair
        # would break it, and so would a handshake at that very moment.
        self._context.sni_callback = self._choose
        self.fault: str | None = None
        self.changes = 0  # how often what is in force has changed

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Whether the authority that clients know is there."""
        return Slot(folder).pem.exists()

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
        constrained: bool = True,
    ) -> "Authority":
        """Open the certificates, making what is missing; raises DataFolderError with what to do.

        The leaf is made anew when an address or name is not in it or its end is near. What the
        CA may not vouch for (a public address, a name that came after it was made) is left out.
        `constrained`: a CA that has to be made may vouch for names and addresses of a home only.
        """
        pki, domains = Pki(folder), tuple(extra_names)
        issuer = Issuer(pki, clock, install_id=install_id, hostname=hostname, domains=domains)
        made = cls(pki, clock, issuer, identity(install_id))
        try:
            made._enter(addresses, constrained=constrained)
        except OSError as error:
            message = f"The certificates in {folder} cannot be read or written ({error.strerror})."
            raise DataFolderError(message) from error
        return made

    # --- what is in force

    def server_context(self) -> ssl.SSLContext:
        """The one context for HTTPS, always the same: whatever is made anew is in the next handshake.

        TLS 1.2 and up, HTTP/1.1, leaf and CA sent in the handshake; open connections stay.
        """
        return self._context

    @property
    def ca_der(self) -> bytes:
        """The CA in force, as DER."""
        return self._now.ca.public_bytes(Encoding.DER)

    @property
    def ca_pem(self) -> bytes:
        """The CA in force, as PEM."""
        return self._now.ca.public_bytes(Encoding.PEM)

    @property
    def pin(self) -> str:
        """By what devices know the CA in force."""
        return profile.pin(self._now.ca)

    @property
    def fingerprint(self) -> str:
        """By what people recognise the CA in force."""
        return profile.fingerprint(self._now.ca)

    @property
    def pins(self) -> tuple[str, ...]:
        """The pin in force, and after it the next one while there is one."""
        state = self._now
        return tuple(profile.pin(one) for one in (state.ca, state.next_ca) if one is not None)

    @property
    def cas(self) -> tuple[CaShown, ...]:
        """The CA in force, and after it the next one while there is one."""
        state = self._now
        end = state.ca.not_valid_after_utc
        if state.next_ca is None or state.roll_over is None:
            return (_shown(state.ca, end),)
        in_force = _shown(state.ca, min(end, state.roll_over.latest))
        return in_force, _shown(state.next_ca, state.next_ca.not_valid_after_utc)

    @property
    def names(self) -> frozenset[str]:
        """The DNS names in the server certificate."""
        return profile.names_of(self._now.leaf).dns

    @property
    def addresses(self) -> frozenset[str]:
        """The IP addresses in the server certificate."""
        return profile.names_of(self._now.leaf).addresses

    @property
    def not_after(self) -> datetime:
        """When the server certificate ends; it is made anew long before."""
        return self._now.leaf.not_valid_after_utc

    @property
    def is_constrained(self) -> bool:
        """Whether the CA in force can vouch for names and addresses of a home only."""
        return profile.is_constrained(self._now.ca)

    @property
    def _now(self) -> _State:
        if self._state is None:
            message = "the authority is not open"
            raise RuntimeError(message)
        return self._state

    def _choose(
        self, connection: ssl.SSLSocket | ssl.SSLObject, _name: str | None, _context: ssl.SSLContext
    ) -> None:
        connection.context = self._now.context

    # --- what changes

    def cover(self, addresses: Sequence[str] | None = None) -> bool:
        """See to it that the server certificate is good here and now; whether something changed.

        Without `addresses` those of the last time count. The certificate is made anew when one of
        them is not in it, when its end is near, and when the clock says so, but not within a minute
        of the last time: ask again later. A new one is put into service only after a strict client
        has taken it. When that cannot be done the old one stays and `fault` says why.
        """
        with self._lock:
            if addresses is not None:
                self._addresses = tuple(addresses)
            moment = self._clock.monotonic()
            if self._tried_at is not None and moment - self._tried_at < REISSUE_S:
                return False
            before = self._state
            try:
                self._bring_up_to_date()
            except (IraError, OSError) as error:
                self._tried_at = moment
                self._say(error)
                return False
            self.fault = None
            if self._state is before:
                return False
            self._tried_at = moment
            return True

    def _say(self, error: IraError | OSError) -> None:
        words = _words(error)
        if words != self.fault:
            log.error("the certificates stay as they were: %s", words)
        self.fault = words

    # --- the work, done by one thread at a time

    def _enter(self, addresses: Sequence[str], *, constrained: bool) -> None:
        self._addresses = tuple(addresses)
        self._pki.enter()
        slot = self._pki.ca
        self._ca = slot.checked() or self._issuer.authority(slot, constrained=constrained)
        slot.put(self._ca)
        self._next = self._read_next()
        self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        if self._ca.not_valid_after_utc <= self._issuer.now():
            ended = f"ended on {self._ca.not_valid_after_utc:%d %B %Y}"
            raise profile.broken(self._pki.ca.pem, ended)
        self._ca = self._issuer.dated(self._pki.ca, self._ca)
        if self._next is not None:
            self._next = self._issuer.dated(self._pki.next_ca, self._next)
        made = self._issuer.due(self._ca, self._addresses, self._made)
        if made is not None:
            self._take(made)
        self._publish()

    def _take(self, made: Made) -> None:
        if made.file is not None:
            self._pki.take_server(made.file)
        self._made = made

    def _publish(self) -> None:
        """Let handshakes and readers see what there is now, all of it at once."""
        made = self._made
        if made is None:
            return
        fresh = _State(self._ca, made.leaf, made.context, self._next, self._roll_over)
        if self._state != fresh:
            self._state = fresh
            self.changes += 1

    def _read_next(self) -> Certificate | None:
        """The next authority where it is whole; else it is given up, as the one in force is not hurt."""
        slot = self._pki.next_ca
        try:
            found = slot.checked()
            if found is None or slot.key() is not None:
                return found
            fault = f"{slot.key_file.name} is missing"
        except DataFolderError as error:
            fault = error.message
        log.warning("the next authority is given up: %s", fault)
        self._pki.forget_next()
        return None


def _words(error: IraError | OSError) -> str:
    if isinstance(error, IraError):
        return error.message
    return f"The certificates cannot be read or written ({error.strerror})."


def _shown(ca: Certificate, until: datetime) -> CaShown:
    der = ca.public_bytes(Encoding.DER)
    return CaShown(der, profile.fingerprint(ca), profile.pin(ca), until)

"""The house's certificates while it runs: one object, whose server certificate is made anew as needed."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
import logging
from pathlib import Path
import ssl
import threading

from cryptography.hazmat.primitives.serialization import Encoding

from ira_home.base.clock import Clock
from ira_home.base.errors import Conflict, IraError
from ira_home.base.folder_errors import DataFolderError
from ira_home.net.certificates import profile
from ira_home.net.certificates.folder import Pki, Slot
from ira_home.net.certificates.issuing import Issuer, Made
from ira_home.net.certificates.memory import RollOver
from ira_home.net.certificates.own import OwnCertificate
from ira_home.net.certificates.profile import Certificate
from ira_home.net.certificates.proof import server_side
from ira_home.net.certificates.state import CaShown, State
from ira_home.net.names import identity

log = logging.getLogger(__name__)

REISSUE_S = 60.0
NEXT_CA_DAYS = 365  # before its end the next one is announced


class Authority:
    """The house's certificates as they lie in `<data>/pki`, for the life of the process.

    Whatever changes something may block and be called in any thread, one at a time; everything else
    may be read at any time.
    """

    def __init__(
        self, pki: Pki, clock: Clock, issuer: Issuer, identity_name: str, *, constrained: bool
    ) -> None:
        """Use `open`."""
        self.identity = identity_name
        self.own: OwnCertificate | None = None
        self._pki, self._clock, self._issuer = pki, clock, issuer
        self._constrained = constrained
        self._lock = threading.Lock()
        self._addresses: tuple[str, ...] = ()
        self._tried_at: float | None = None
        self._ca: Certificate
        self._next: Certificate | None = None
        self._roll_over: RollOver | None = None
        self._made: Made | None = None
        self._state: State | None = None
        self._context = server_side()
        # Each handshake takes the context in service, which is never loaded into again: a bad pair
        # would break it, and so would a handshake at that very moment.
        self._context.sni_callback = self._choose
        self._fault: str | None = None
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

        The leaf is made anew when an address or name is not in it or its end is near; where that
        cannot be done, the one that is there serves as long as it is good, and `fault` says why. What
        the CA may not vouch for (a public address, a name that came after it was made) is left out.
        `constrained`: a CA that is made, now or later, may vouch for names and addresses of a home only;
        the one that is there stays as it is.
        """
        pki, domains = Pki(folder), tuple(extra_names)
        issuer = Issuer(pki, clock, install_id=install_id, hostname=hostname, domains=domains)
        made = cls(pki, clock, issuer, identity(install_id), constrained=constrained)
        with made._work():
            made._enter(addresses)
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
        return self._now.pins

    @property
    def cas(self) -> tuple[CaShown, ...]:
        """The CA in force, and after it the next one while there is one."""
        return self._now.cas

    @property
    def names(self) -> frozenset[str]:
        """The host names in the server certificate and in the own one."""
        own = frozenset() if self.own is None else self.own.names
        return profile.names_of(self._now.leaf).dns | own

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
    def fault(self) -> str | None:
        """What cannot be done with the certificates at present, in words; it is tried again."""
        return self._fault or (None if self.own is None else self.own.fault)

    @property
    def roll_over(self) -> RollOver | None:
        """How far the change to the next authority has come, while there is one."""
        return self._now.roll_over

    @property
    def _now(self) -> State:
        if self._state is None:
            message = "the authority is not open"
            raise RuntimeError(message)
        return self._state

    def _choose(
        self, connection: ssl.SSLSocket | ssl.SSLObject, name: str | None, _context: ssl.SSLContext
    ) -> None:
        own = None
        if name is not None and self.own is not None and name.lower() != self.identity:
            own = self.own.context_for(name)
        connection.context = self._now.context if own is None else own

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
            before = self.changes
            if self.own is not None and self.own.look():
                self.changes += 1
            moment = self._clock.monotonic()
            if self._tried_at is None or moment - self._tried_at >= REISSUE_S:
                self._try(moment)
            return self.changes != before

    def _try(self, moment: float) -> None:
        before = self._state
        try:
            self._bring_up_to_date()
        except (IraError, OSError) as error:
            self._tried_at = moment
            self._say(error)
            return
        self._fault = None
        if self._state is not before:
            self._tried_at = moment

    def serve_own(self, own: OwnCertificate) -> None:
        """Serve this to whoever calls the server by a name that it covers, from now on.

        The identity is not among them: devices know that one by the house's own authority. Nothing is
        raised when the files are of no use now: `cover` looks again, and `fault` says why.
        """
        with self._lock:
            own.look()
            self.own = own
            self.changes += 1

    def renew(self) -> None:
        """Put a new server certificate with a new key into service now; raises IraError, then the old one stays."""
        with self._work():
            self._take(self._issuer.issue(self._pki.ca, self._ca, self._known()))
            self._bring_up_to_date()

    # --- another authority

    def announce_next(self, *, constrained: bool | None = None) -> None:
        """Make the next authority, to be announced.

        `constrained` as in `open`; else it is when the one in force is, unless `open` was told otherwise.

        Raises Conflict while there is one already, and DataFolderError.
        """
        with self._work():
            if self._next is not None:
                message = "Another certificate authority is on its way already."
                raise Conflict(message)
            self._begin(constrained=constrained, asked=True)
            self._publish()

    def give_up_next(self) -> None:
        """The authority in force stays; raises Conflict where there is no next one."""
        with self._work():
            if self._next is None:
                message = "No other certificate authority is on its way."
                raise Conflict(message)
            try:
                self._pki.forget_next()
            finally:
                if self._pki.next_ca.key() is None:
                    self._next = self._roll_over = None
                    self._publish()

    def heard(self, told: Iterable[tuple[int, tuple[str, ...]]]) -> None:
        """Keep which devices have read which pins; what is not about the present change does not count."""
        with self._work():
            if self._roll_over is None:
                return
            present = self.pins
            devices = frozenset(device for device, pins in told if pins == present)
            if not devices <= self._roll_over.seen:
                fresh = self._roll_over.with_seen(devices)
                fresh.write(self._pki.roll_over)
                self._roll_over = fresh
                self._publish()

    def take_over(self, paired: Collection[int], *, at_once: bool = False) -> bool:
        """Let the next authority sign from now on if it is time for that; whether it does.

        It is time when every device of `paired` has heard, and the people have had their time, and at
        the latest ninety days after the announcement. `at_once`: whoever has heard or not. Raises
        DataFolderError, and the one in force stays then.
        """
        with self._work():
            if self._next is None or self._roll_over is None:
                return False
            made = None
            if not self._pki.has_promoted(self._next):
                now, is_sure = self._issuer.now(), self._issuer.is_sure()
                if not at_once and not self._roll_over.is_due(now, paired, is_sure=is_sure):
                    return False
                made = self._issuer.issue(self._pki.next_ca, self._next, self._known())
            self._pki.promote()
            self._ca, self._next, self._roll_over = self._next, None, None
            if made is not None:
                self._made = made
                self._publish()
                self._take(made)
            self._bring_up_to_date()
            log.warning("another certificate authority is in force: %s", profile.fingerprint(self._ca))  # fmt: skip
            return True

    def _begin(self, *, constrained: bool | None, asked: bool) -> None:
        slot = self._pki.next_ca
        bounded = constrained
        if bounded is None:
            bounded = self._constrained and profile.is_constrained(self._ca)
        roll_over = RollOver.begun(self._issuer.now(), asked=asked)
        roll_over.write(self._pki.roll_over)
        made = self._issuer.authority(slot, constrained=bounded, after=self._ca)
        self._next, self._roll_over = made, roll_over
        log.warning("another certificate authority is on its way: %s", profile.fingerprint(made))

    @contextmanager
    def _work(self) -> Iterator[None]:
        """One change at a time; what the disk says against it is said in words."""
        with self._lock:
            try:
                yield
            except OSError as error:
                raise DataFolderError(_words(error, self._pki.path)) from error

    def _known(self) -> frozenset[str]:
        """The addresses of now and of the last days."""
        return self._issuer.seen() | frozenset(self._addresses)

    def _say(self, error: IraError | OSError) -> None:
        words = error.message if isinstance(error, IraError) else _words(error, self._pki.path)
        if words != self._fault:
            log.error("the certificates stay as they were: %s", words)
        self._fault = words

    # --- the work, done by one thread at a time

    def _enter(self, addresses: Sequence[str]) -> None:
        self._addresses = tuple(addresses)
        self._pki.enter()
        slot = self._pki.ca
        self._ca = slot.checked() or self._issuer.authority(slot, constrained=self._constrained)
        slot.put(self._ca)
        self._next = self._read_next()
        if self._next is not None:
            self._roll_over = RollOver.read(self._pki.roll_over, otherwise=self._issuer.now())
        try:
            self._bring_up_to_date()
        except (IraError, OSError) as error:
            # A house that devices still know has to open: how else would it be put right?
            self._made = self._issuer.present(self._ca)
            if self._made is None:
                raise
            self._say(error)
            self._publish()

    def _bring_up_to_date(self) -> None:
        if self._ca.not_valid_after_utc <= self._issuer.now():
            raise profile.ended(self._pki.ca.pem, self._ca, now=self._issuer.now())
        self._ca = self._issuer.dated(self._pki.ca, self._ca)
        if self._next is not None:
            self._next = self._issuer.dated(self._pki.next_ca, self._next)
        elif self._ends_soon():
            self._begin(constrained=None, asked=False)
        made = self._issuer.due(self._ca, self._addresses, self._made)
        if made is not None:
            self._take(made)
        self._publish()

    def _ends_soon(self) -> bool:
        left = self._ca.not_valid_after_utc - self._issuer.now()
        return left < timedelta(days=NEXT_CA_DAYS)

    def _take(self, made: Made) -> None:
        if made.file is not None:
            self._pki.take_server(made.file)
        self._made = made

    def _publish(self) -> None:
        """Let handshakes and readers see what there is now, all of it at once."""
        made = self._made
        if made is None:
            return
        fresh = State(self._ca, made.leaf, made.context, self._next, self._roll_over)
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


def _words(error: OSError, folder: Path) -> str:
    return f"The certificates in {folder} cannot be read or written ({error.strerror})."

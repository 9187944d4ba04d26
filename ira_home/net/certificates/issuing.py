"""Making a server certificate: when one is due, what it names, and the proof that clients take it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
import ipaddress
import logging
from pathlib import Path
import ssl

from cryptography.hazmat.primitives.serialization import Encoding

from ira_home.base.clock import Clock
from ira_home.base.folder_errors import DataFolderError
from ira_home.net.certificates import profile
from ira_home.net.certificates.folder import META, SERVER, Pki, Slot
from ira_home.net.certificates.memory import read_seen, write_meta
from ira_home.net.certificates.profile import Certificate, Key
from ira_home.net.certificates.proof import prove, serving
from ira_home.net.names import LOOPBACK, Names, dns_names, identity, remember

log = logging.getLogger(__name__)

RENEW_DAYS = 60
SURE_S = 3_600.0  # other clocks on the network set a wrong one right long before
TURNED = timedelta(days=1)
_LOOPBACK = frozenset(LOOPBACK)
_NAMES = "an address or a name is not in it"


@dataclass(frozen=True, slots=True)
class Made:
    """A server certificate that a strict client takes; `file`: where it waits to be put in force."""

    leaf: Certificate
    context: ssl.SSLContext
    file: Path | None = None


class Issuer:
    """Issues for one house: its names stay as they are while the process lives, its addresses do not."""

    def __init__(
        self, pki: Pki, clock: Clock, *, install_id: str, hostname: str, domains: tuple[str, ...]
    ) -> None:
        """`domains`: further names of the house, which an authority made from now on may vouch for."""
        self._pki, self._clock = pki, clock
        self._install_id, self._domains = install_id, domains
        self._dns = dns_names(install_id, hostname=hostname, extra=domains)
        self._left_out: Names | None = None
        self._turned_by, self._sure_at = self._turn(), clock.monotonic() + SURE_S

    def now(self) -> datetime:
        """The time for certificates."""
        return profile.moment(self._clock.now())

    def is_sure(self) -> bool:
        """Whether the clock has gone on evenly for an hour, so that nobody will turn it back; ask often."""
        turn, moment = self._turn(), self._clock.monotonic()
        if abs(turn - self._turned_by) > TURNED:
            self._turned_by, self._sure_at = turn, moment + SURE_S
        return moment >= self._sure_at

    def _turn(self) -> timedelta:
        """By how much the wall clock differs from time as it passes."""
        return self._clock.now() - self._clock.steady()

    def authority(
        self, slot: Slot, *, constrained: bool, after: Certificate | None = None
    ) -> Certificate:
        """A new authority in its files; `after`: the one whose place it will take."""
        now = self.now()
        named = profile.ca_name(self._install_id, now, after)
        return slot.make(named, extra=self._domains, constrained=constrained, now=now)

    def dated(self, slot: Slot, ca: Certificate) -> Certificate:
        """The authority; dated anew, with the same pin, where it was made while the clock was ahead."""
        key = slot.key() if self._is_to_come(ca) else None
        if key is None:
            return ca
        log.warning("%s begins in the future: it is dated anew, its pin stays", slot.pem.name)
        again = profile.dated_anew(ca, key, now=self.now())
        slot.put(again)
        return again

    def due(
        self, ca: Certificate, addresses: Iterable[str], in_service: Made | None
    ) -> Made | None:
        """The server certificate to serve from now on; None when the one in service stays good.

        The addresses are written down. Raises DataFolderError or OSError, and nothing is changed then.
        """
        current = self.allowed(ca, addresses)
        seen = remember(read_seen(self._meta), current.addresses, now=self.now())
        key, leaf = self._pki.server(ca)
        reason = self._why(leaf, Names(current.dns, current.addresses | _LOOPBACK))
        if leaf is not None and reason is None:
            found = self._found(ca, leaf, in_service)
            if found is not None:
                write_meta(self._meta, ca, leaf, seen)
                return None if found is in_service else found
            reason = "clients do not take it"
        log.info("a new server certificate is made: %s", reason)
        made = self.issue(self._pki.ca, ca, seen, key=key if reason == _NAMES else None)
        write_meta(self._meta, ca, made.leaf, seen)
        return made

    def present(self, ca: Certificate) -> Made | None:
        """The server certificate that lies there, while clients take it; whatever it names."""
        _, leaf = self._pki.server(ca)
        if leaf is None or leaf.not_valid_after_utc <= self.now():
            return None
        return self._found(ca, leaf, None)

    def issue(
        self, slot: Slot, ca: Certificate, addresses: Iterable[str], *, key: Key | None = None
    ) -> Made:
        """A new server certificate of an authority, with `key` or a new one: proved, not in force yet."""
        ca_key = slot.key()
        if ca_key is None:
            message = (
                f"A new server certificate is due, but {slot.key_file} is missing. "
                "Put it back from a backup, or change to another authority: ira cert new-ca"
            )
            raise DataFolderError(message)
        key = key or profile.new_key()
        names = self.allowed(ca, addresses)
        everything = Names(names.dns, names.addresses | _LOOPBACK)
        leaf = profile.sign_leaf(ca, ca_key, everything, key=key, now=self.now())
        file = self._pki.half_server(key, leaf, ca)
        return Made(leaf, self._proved(file, ca), file)

    def seen(self) -> frozenset[str]:
        """The addresses of the last days."""
        return frozenset(read_seen(self._meta))

    def allowed(self, ca: Certificate, addresses: Iterable[str]) -> Names:
        """The names and addresses of the house, without what this authority may not vouch for."""
        spelled = frozenset(str(ipaddress.ip_address(one)) for one in addresses)
        wanted = Names(self._dns, spelled)
        good = profile.allowed(ca, wanted)
        left_out = Names(wanted.dns - good.dns, wanted.addresses - good.addresses)
        if left_out != self._left_out:
            self._left_out = left_out
            if left_out.dns:
                log.warning(
                    "the certificate cannot name %s: no name of a house", sorted(left_out.dns)
                )
            if left_out.addresses:
                # Whoever starts the server is told on the console, with what to use instead.
                log.info("the certificate cannot name %s: no address of a home network", sorted(left_out.addresses))  # fmt: skip
        return good

    @property
    def _meta(self) -> Path:
        return self._pki.path / META

    def _found(self, ca: Certificate, leaf: Certificate, in_service: Made | None) -> Made | None:
        """The certificate that lies there, ready to be served; None when a client would refuse it."""
        if in_service is not None and in_service.leaf == leaf:
            return in_service
        try:
            return Made(leaf, self._proved(self._pki.path / SERVER, ca))
        except (DataFolderError, ssl.SSLError):
            return None

    def _proved(self, file: Path, ca: Certificate) -> ssl.SSLContext:
        context = serving(file)
        prove(context, ca_pem=ca.public_bytes(Encoding.PEM), name=identity(self._install_id))
        return context

    def _why(self, leaf: Certificate | None, wanted: Names) -> str | None:
        """Why another one is due."""
        if leaf is None:
            return "there is none of this authority"
        if self._is_to_come(leaf):
            return "it begins in the future"
        if leaf.not_valid_after_utc - self.now() < timedelta(days=RENEW_DAYS):
            return "its end is near"
        return None if profile.names_of(leaf).covers(wanted) else _NAMES

    def _is_to_come(self, one: Certificate) -> bool:
        """Whether it begins in the future; a clock that is lost cannot tell."""
        return one.not_valid_before_utc > self._clock.now() and not profile.is_lost(
            self._clock.now()
        )

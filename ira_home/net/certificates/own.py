"""A certificate that the owner brings, for the names that it covers; its files are read anew when they change."""

from dataclasses import dataclass
from datetime import datetime, timedelta
import logging
from pathlib import Path
import ssl

from cryptography import x509

from ira_home.base.clock import Clock
from ira_home.net.certificates import profile
from ira_home.net.certificates.proof import server_side, shake_hands

log = logging.getLogger(__name__)

_LATE = 6  # an end nearer than this part of its whole life: whatever renews it has not done so
_WILD = "*."
_Mark = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Served:
    """The own certificate in service. `names`: host names, or `*.` before a domain."""

    names: frozenset[str]
    begins: datetime
    ends: datetime
    context: ssl.SSLContext

    def covers(self, name: str) -> bool:
        """Whether a client that calls the server so takes it."""
        return name in self.names or f"{_WILD}{name.partition('.')[2]}" in self.names


class _NotGood(Exception):
    """Why the files cannot be used, as the end of a sentence."""


class OwnCertificate:
    """What lies in the owner's two files, as far as it can be served.

    Something else makes these files anew, and not both at one moment: a pair that does not fit is
    passed over, and the last good one stays in service until it ends.
    """

    def __init__(self, certificate: Path, key: Path, clock: Clock) -> None:
        """Nothing is read yet. One file may hold both."""
        self._files, self._clock = (certificate, key), clock
        self._mark: _Mark | None = None
        self.served: Served | None = None
        self.fault: str | None = None

    @property
    def names(self) -> frozenset[str]:
        """The host names that it is served for, without those that stand for many."""
        found = frozenset() if self.served is None else self.served.names
        return frozenset(one for one in found if not one.startswith(_WILD))

    def context_for(self, name: str) -> ssl.SSLContext | None:
        """What to serve to a client that calls the server by this host name; None: not this certificate."""
        served = self.served
        return served.context if served is not None and served.covers(name.lower()) else None

    def look(self) -> bool:
        """Read the files when they changed, and see whether the time is right; whether another one is served.

        May block. What is wrong is in `fault` afterwards; nothing is raised.
        """
        before = self.served
        why = self._read_anew()
        if self.served is not None and (ended := self._untimely(self.served)):
            self.served, why = None, why or ended
        self._say(why or self._late())
        return self.served is not before

    def _read_anew(self) -> str | None:
        try:
            mark = self._marks()
            if mark == self._mark and self.fault is None:
                return None
            found = self._load()
            if untimely := self._untimely(found):
                return untimely
        except _NotGood as error:
            return str(error)
        except OSError as error:
            return f"it cannot be read ({error.strerror})"
        if mark != self._mark or self.served is None:
            self._mark, self.served = mark, found
            log.info("the own certificate is served for %s", ", ".join(sorted(found.names)))
        return None

    def _marks(self) -> _Mark:
        """By what a change of the files is seen, links followed."""
        found = (path.stat() for path in self._files)
        return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in found)

    def _load(self) -> Served:
        context = server_side()
        was_asked = False

        def no_passphrase() -> str:
            nonlocal was_asked
            was_asked = True
            return ""

        try:
            context.load_cert_chain(*self._files, password=no_passphrase)
        except ssl.SSLError as error:
            if was_asked:
                message = "its key is locked with a passphrase"
            elif error.reason == "KEY_VALUES_MISMATCH":
                message = "the key is not the one that belongs to it"
            else:
                message = f"the files hold no good certificate and key ({error.reason})"
            raise _NotGood(message) from None
        leaf = _leaf_of(context)
        names = frozenset(one.lower() for one in profile.names_of(leaf).dns)
        if not names:
            message = "it names no host"
            raise _NotGood(message)
        return Served(names, leaf.not_valid_before_utc, leaf.not_valid_after_utc, context)

    def _untimely(self, one: Served) -> str | None:
        now = self._clock.now()
        if profile.is_lost(now):
            return None
        if now >= one.ends:
            return f"it ended on {one.ends:%d %B %Y}"
        return f"it begins on {one.begins:%d %B %Y}" if now < one.begins else None

    def _late(self) -> str | None:
        if self.served is None or profile.is_lost(self._clock.now()):
            return None
        left: timedelta = self.served.ends - self._clock.now()
        if left * _LATE >= self.served.ends - self.served.begins:
            return None
        return f"it ends on {self.served.ends:%d %B %Y} and was not renewed"

    def _say(self, why: str | None) -> None:
        words = None if why is None else f"Your own certificate {self._files[0]}: {why}."
        if words is not None and words != self.fault:
            log.warning("%s", words)
        self.fault = words


def _leaf_of(context: ssl.SSLContext) -> x509.Certificate:
    """The certificate that clients are shown, from a handshake in memory: a file may change at any time."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    try:
        shown = shake_hands(context, client, None)
    except ssl.SSLError as error:
        message = f"no client could use it ({error.reason})"
        raise _NotGood(message) from None
    return x509.load_der_x509_certificate(shown)

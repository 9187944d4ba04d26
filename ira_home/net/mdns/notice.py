"""What is told of the server on the local network, and what became of telling it."""

from collections.abc import Iterator
from dataclasses import dataclass
import ipaddress

from ira_home.domain.network import AnnouncementFault
from ira_home.net.interfaces import Interface
from ira_home.protocol import discovery
from ira_home.protocol.versions import PV

NAMES_TRIED = 9
_LABEL_BYTES = 63


class AnnouncementFailed(Exception):
    """The server could not be announced; `why` is for people, the words for the log."""

    def __init__(self, why: AnnouncementFault, words: str) -> None:
        """`words` may come from the system."""
        super().__init__(words)
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What is told of the server, and on which cards; anybody on the network hears it.

    `addresses` are told everywhere, so they must be good everywhere. `name` is shown to people.
    """

    name: str
    install_id: str
    port: int
    pin: str
    may_pair: bool
    addresses: tuple[str, ...]
    cards: tuple[Interface, ...]

    def properties(self) -> dict[str, str]:
        """The TXT record: hints of which none is ever trusted, and nothing of a person."""
        return {
            discovery.TXT_VERSION: "1",
            discovery.INSTALL_ID: self.install_id,
            discovery.PROTOCOL_VERSION: str(PV),
            discovery.PATH: "/",
            discovery.TLS: "1",
            discovery.FINGERPRINT_HINT: self.pin[: discovery.FINGERPRINT_HINT_CHARS],
            discovery.PAIRING_OPEN: "1" if self.may_pair else "0",
        }

    def names(self) -> Iterator[str]:
        """The names to try, the nicest first; the last one is of this server alone."""
        # A dot would end the name on its way through the network.
        plain = " ".join(self.name.replace(".", " ").split()) or "Ira"
        for tail in (
            "",
            *(f" {number}" for number in range(2, NAMES_TRIED)),
            f" {self.install_id}",
        ):
            yield _cut(plain, _LABEL_BYTES - len(tail)) + tail

    def speaking(self) -> list[Interface]:
        """One address of each card and family, to speak and listen there."""
        found: dict[tuple[int, int], Interface] = {}
        for one in self.cards:
            address = ipaddress.ip_address(one.address)
            place = (one.index, address.version)
            if place not in found or (address.version == 6 and address.is_link_local):
                found[place] = one
        return list(found.values())


@dataclass(frozen=True, slots=True)
class Said:
    """The name under which a server is announced. `everywhere`: on each of its cards."""

    name: str
    everywhere: bool


def _cut(text: str, most: int) -> str:
    """As much of the text as has room in so many bytes."""
    return text.encode()[:most].decode(errors="ignore").rstrip()

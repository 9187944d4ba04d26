"""By which names and addresses this server may be called."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
import re

from ira_home.base.clock import to_ms

# A private root that cannot vouch for anything outside a house does less harm when its key is stolen.
DOMAINS = ("local", "localhost", "home.arpa", "internal", "lan")
NETWORKS = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8",
    "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
LOOPBACK = ("127.0.0.1", "::1")
# An address that comes and goes (a cable, Wi-Fi) makes no new certificate each time.
ADDRESSES_KEPT = 8
DAYS_KEPT = 30
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


@dataclass(frozen=True, slots=True)
class Names:
    """DNS names and IP addresses of one certificate."""

    dns: frozenset[str]
    addresses: frozenset[str]

    def covers(self, other: "Names") -> bool:
        """Whether nothing of `other` is missing here."""
        return other.dns <= self.dns and other.addresses <= self.addresses


def identity(install_id: str) -> str:
    """The name that stays for life; clients check it whatever address they dialled."""
    return f"ira-{install_id}.local"


def dns_names(install_id: str, *, hostname: str, extra: Iterable[str]) -> frozenset[str]:
    """Every DNS name, with the machine's own under .local where it is a valid one."""
    found = {identity(install_id), "localhost", *(name.lower().rstrip(".") for name in extra)}
    label = hostname.partition(".")[0].lower()
    if _LABEL.fullmatch(label) and label != "localhost":
        found.add(f"{label}.local")
    return frozenset(found)


def remember(seen: Mapping[str, int], current: Iterable[str], *, now: datetime) -> dict[str, int]:
    """Addresses and when each was last there (ms): the current ones and the newest of the last days."""
    moment, oldest = to_ms(now), to_ms(now - timedelta(days=DAYS_KEPT))
    fresh = dict.fromkeys(current, moment)
    earlier = [(at, one) for one, at in seen.items() if one not in fresh and oldest <= at <= moment]
    room = max(ADDRESSES_KEPT - len(fresh), 0)
    return fresh | {one: at for at, one in sorted(earlier, reverse=True)[:room]}

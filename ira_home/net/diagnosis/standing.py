"""What can be told from the server's own state: its addresses, its certificates and its clock."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
import ipaddress
from pathlib import Path

from ira_home.domain.diagnosis import Finding, Said
from ira_home.domain.network import NetworkView, NoQr
from ira_home.net.certificates import Authority, OwnCertificate
from ira_home.net.certificates.profile import is_lost
from ira_home.net.diagnosis.commands import Ask

# A server certificate is made anew long before; one that comes so near its end is not.
NEAR_END = timedelta(days=30)
CA_NEAR_END = timedelta(days=365)
_NO_QR = {
    NoQr.ONLY_THIS_COMPUTER: Said.ADDRESS_ONLY_THIS_COMPUTER,
    NoQr.ONLY_TUNNEL: Said.ADDRESS_ONLY_TUNNEL,
    NoQr.NO_NETWORK: Said.ADDRESS_NO_NETWORK,
}
# Of the programs that run others in a network of their own.
_CONTAINERS = ("run/.containerenv", ".dockerenv")
_INNER = tuple(map(ipaddress.ip_network, ("172.16.0.0/12", "10.88.0.0/16", "10.0.2.0/24")))
_KERNEL, _WSL = "proc/sys/kernel/osrelease", "microsoft"


def addresses(view: NetworkView, *, identity: str, root: Path) -> Iterator[Finding]:
    """By which address others come, and what is wrong with it; `root` is where the file system begins."""
    if view.why_no_qr is not None:
        yield Finding(_NO_QR[view.why_no_qr])
    held = {one.address for one in view.addresses if one.interface}
    if view.picked is not None and view.picked not in held and view.set_outside is None:
        yield Finding(Said.ADDRESS_NOT_PICKED, {"address": view.picked})
    if view.chosen is None:
        return
    values = {"address": view.chosen}
    faults = list[Finding]()
    if view.chosen not in held:
        faults.append(Finding(Said.ADDRESS_NOT_HELD, values))
    elif view.set_outside is None and _is_inner(view.chosen) and _in_container(root):
        faults.append(Finding(Said.ADDRESS_IN_CONTAINER, values))
    if view.chosen not in view.certified:
        faults.append(Finding(Said.ADDRESS_UNNAMED, values | {"name": identity}))
    yield from faults or [Finding(Said.ADDRESS_GOOD, values)]


def _is_inner(address: str) -> bool:
    return any(ipaddress.ip_address(address) in net for net in _INNER)


def _in_container(root: Path) -> bool:
    if any((root / one).exists() for one in _CONTAINERS):
        return True
    with suppress(OSError):
        return _WSL in (root / _KERNEL).read_text("ascii", "replace").lower()
    return False


def certificates(authority: Authority, now: datetime) -> Iterator[Finding]:
    """Whether the certificate is good, and how long its authority will be."""
    end = authority.not_after
    until = {"until": _day(end)}
    own_fault = None if authority.own is None else authority.own.fault
    if end <= now:
        yield Finding(Said.CERTIFICATE_ENDED, until)
    elif authority.fault is not None and authority.fault != own_fault:
        yield Finding(Said.CERTIFICATE_FAULT, {"why": authority.fault})
    elif end - now < NEAR_END:
        yield Finding(Said.CERTIFICATE_NEAR_END, until)
    else:
        yield Finding(Said.CERTIFICATE_GOOD, until)
    yield from _own(authority.own)
    in_force, *coming = authority.cas
    if coming:
        yield Finding(Said.AUTHORITY_CHANGES, {"until": _day(in_force.until)})
    elif in_force.until - now < CA_NEAR_END:
        yield Finding(Said.AUTHORITY_NEAR_END, {"until": _day(in_force.until)})


def _own(own: OwnCertificate | None) -> Iterator[Finding]:
    """How the certificate stands that the owner brings, where there is one."""
    if own is None:
        return
    if own.fault is not None:
        yield Finding(Said.OWN_CERTIFICATE_FAULT, {"why": own.fault})
    elif own.served is not None:
        values = {"until": _day(own.served.ends), "names": ", ".join(sorted(own.served.names))}
        yield Finding(Said.OWN_CERTIFICATE_GOOD, values)


async def clock(now: datetime, ask: Ask) -> Finding:
    """Whether the clock can be right, and whether another one keeps it so where that can be asked."""
    values = {"now": f"{now:%Y-%m-%d %H:%M} UTC"}
    if is_lost(now):
        return Finding(Said.CLOCK_LOST, values)
    said = await ask("timedatectl", "show", "--property=NTPSynchronized", "--value")
    is_alone = said is not None and said.status == 0 and said.text.strip() == "no"
    return Finding(Said.CLOCK_ALONE if is_alone else Said.CLOCK_GOOD, values)


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"

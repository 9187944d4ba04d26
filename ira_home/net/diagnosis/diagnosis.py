"""The whole look, made while the server runs or by a command that has opened the house without it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
import errno
from pathlib import Path

from ira_home.base.clock import Clock
from ira_home.base.limits import DIAGNOSIS_FRESH_S
from ira_home.domain.diagnosis import Finding, Said
from ira_home.domain.network import NetworkView
from ira_home.net.addresses import listening
from ira_home.net.certificates import Authority
from ira_home.net.diagnosis import standing
from ira_home.net.diagnosis.announced import announced
from ira_home.net.diagnosis.clients import over_http, over_https
from ira_home.net.diagnosis.commands import Ask, ask
from ira_home.net.diagnosis.firewalls import Firewalls
from ira_home.net.ports import taken

ADDRESSES_MAX = 16  # dialled in one look
_ROOT = Path("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What is looked at; `serving` tells whether this very process has its doors open."""

    bind: str
    port: int
    http_port: int
    install_id: str
    clock: Clock
    authority: Authority
    network: Callable[[], NetworkView]
    serving: Callable[[], bool]


class Diagnosis:
    """Looks why devices cannot connect. Looking changes nothing and sends nothing out of the house's network."""

    def __init__(self, ground: Ground, *, ask: Ask = ask, root: Path = _ROOT) -> None:
        """`ask` runs a program; `root` is where this computer's file system begins."""
        self._ground, self._ask, self._root = ground, ask, root
        self._one_at_a_time = asyncio.Lock()
        self._found: tuple[Finding, ...] = ()
        self._found_at: float | None = None

    async def look(self) -> tuple[Finding, ...]:
        """What is found now; who asks while a look goes on, or right after it, is told what that one found."""
        async with self._one_at_a_time:
            at, clock = self._found_at, self._ground.clock
            if at is None or clock.monotonic() - at >= DIAGNOSIS_FRESH_S:
                self._found = await self._look()
                self._found_at = clock.monotonic()
            return self._found

    async def _look(self) -> tuple[Finding, ...]:
        ground, view = self._ground, self._ground.network()
        now = ground.clock.now()
        walls = Firewalls(ports=(ground.port, ground.http_port), root=self._root, ask=self._ask)
        async with asyncio.TaskGroup() as looks:
            reach = looks.create_task(self._reach(view) if ground.serving() else self._ports())
            clock = looks.create_task(standing.clock(now, self._ask))
            firewalls = looks.create_task(walls.look(one.interface for one in view.addresses if one.interface))  # fmt: skip
        found = [
            *standing.addresses(view, identity=ground.authority.identity, root=self._root),
            *reach.result(),
            *standing.certificates(ground.authority, now),
            clock.result(),
        ]
        # Nobody outside comes to a server that listens for this computer alone.
        if view.addresses:
            found += firewalls.result()
        return tuple(found)

    async def _reach(self, view: NetworkView) -> list[Finding]:
        """What devices see that come by each of the addresses, and whether they find the way by themselves."""
        ground, ca_der = self._ground, self._ground.authority.ca_der
        own = [one.address for one in view.addresses if one.interface][:ADDRESSES_MAX]
        own = own or [_here(one) for one in listening(ground.bind)]
        async with asyncio.TaskGroup() as looks:
            https = looks.create_task(
                over_https(own, ground.port, ca_der=ca_der, identity=ground.authority.identity)
            )
            http = looks.create_task(over_http(own[0], ground.http_port, ca_der=ca_der))
            heard = looks.create_task(
                announced(
                    view.announcement,
                    install_id=ground.install_id, port=ground.port,
                    own={one.address for one in view.addresses}, ask=self._ask,
                )
            )  # fmt: skip
        return [*https.result(), http.result(), heard.result()]

    async def _ports(self) -> list[Finding]:
        """Whether a server that is started now gets its ports."""
        ground = self._ground
        hosts, found = listening(ground.bind), list[Finding]()
        for port in (ground.port, ground.http_port):
            fault = await asyncio.to_thread(taken, hosts, port)
            if fault == errno.EADDRNOTAVAIL:
                return [Finding(Said.ADDRESS_NOT_HERE, {"address": ground.bind})]
            if fault is not None:
                is_taken = fault == errno.EADDRINUSE
                said = Said.PORT_TAKEN if is_taken else Said.PORT_REFUSED
                found.append(Finding(said, {"port": str(port)}))
        values = {"port": str(ground.port), "http_port": str(ground.http_port)}
        return found or [Finding(Said.PORTS_FREE, values)]


def _here(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound

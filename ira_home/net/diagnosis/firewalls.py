"""Whether a firewall of this computer keeps other devices out, as far as it can be asked without being root."""

from collections.abc import Iterable
from dataclasses import dataclass
import os
from pathlib import Path
import re
import sys

from ira_home.domain.diagnosis import Finding, Said
from ira_home.net.diagnosis.commands import Ask, ask

_UFW = "ufw"
_FIREWALLD = "firewalld"
_UFW_RULE = "### tuple ### "
_ANYWHERE = frozenset({"any", "0.0.0.0/0", "::/0"})
_MAC_FIREWALL = "/usr/libexec/ApplicationFirewall/socketfilterfw"
_MAC_STATE = re.compile(r"State = (\d)")
# For each network that this computer is on: 0 for a public one, then its name.
_PROFILES = (
    "Get-NetConnectionProfile | ForEach-Object { '' + [int]$_.NetworkCategory + ' ' + $_.Name }"
)
_PUBLIC = "0"
_NAMES_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Firewalls:
    """The firewalls that people have on such a computer; `root` is where its file system begins."""

    ports: tuple[int, int]
    system: str = sys.platform
    root: Path = Path("/")
    ask: Ask = ask
    program: str = sys.executable

    async def look(self, interfaces: Iterable[str]) -> list[Finding]:
        """What they do with connections to these ports; `interfaces` are those of the house's network."""
        if self.system == "win32":
            found = await self._windows()
        elif self.system == "darwin":
            found = await self._mac()
        else:
            found = [*self._ufw(), *await self._firewalld(sorted(set(interfaces)))]
        return found or [Finding(Said.FIREWALL_NONE)]

    # --- Linux

    def _ufw(self) -> list[Finding]:
        if not re.search(r"^ENABLED=yes\s*$", self._text("etc/ufw/ufw.conf"), re.MULTILINE):
            return []
        if re.search(
            r'^DEFAULT_INPUT_POLICY="ACCEPT"', self._text("etc/default/ufw"), re.MULTILINE
        ):
            return [Finding(Said.FIREWALL_OPEN, {"firewall": _UFW})]
        command = " && ".join(f"sudo ufw allow {port}/tcp" for port in self.ports)
        try:
            rules = (self.root / "etc/ufw/user.rules").read_text(encoding="utf-8", errors="replace")
        except OSError:  # only root may read them
            return [self._doubt(Said.FIREWALL_UNSURE, _UFW, self.ports, command)]
        closed = [port for port in self.ports if not _ufw_lets_in(rules, port)]
        command = " && ".join(f"sudo ufw allow {port}/tcp" for port in closed)
        return [self._judged(_UFW, closed, command)]

    async def _firewalld(self, interfaces: list[str]) -> list[Finding]:
        running = await self.ask("firewall-cmd", "--state")
        if running is None or running.text.strip() != "running":
            return []
        zones = {await self._zone(name) for name in interfaces} or {await self._zone("")}
        return [await self._in_zone(zone) for zone in sorted(zones)]

    async def _zone(self, interface: str) -> str:
        """The zone of an interface; an empty one is that for everything else."""
        if interface:
            said = await self.ask("firewall-cmd", f"--get-zone-of-interface={interface}")
            if said is not None and said.status == 0:
                return said.text.strip()
        said = await self.ask("firewall-cmd", "--get-default-zone")
        return said.text.strip() if said is not None and said.status == 0 else ""

    async def _in_zone(self, zone: str) -> Finding:
        if zone == "trusted":
            return Finding(Said.FIREWALL_OPEN, {"firewall": _FIREWALLD})
        where = [f"--zone={zone}"] if zone else []
        ports = await self.ask("firewall-cmd", *where, "--list-ports")
        services = await self.ask("firewall-cmd", *where, "--list-services")
        if ports is None or services is None or ports.status or services.status:
            command = self._firewalld_command(where, self.ports, announced=False)
            return self._doubt(Said.FIREWALL_UNSURE, _FIREWALLD, self.ports, command)
        let_in = [one.removesuffix("/tcp") for one in ports.text.split() if one.endswith("/tcp")]
        known = services.text.split()
        let_in += [port for name, port in (("https", "443"), ("http", "80")) if name in known]
        closed = [port for port in self.ports if not any(_holds(one, "-", port) for one in let_in)]
        announced = "mdns" in known
        command = self._firewalld_command(where, closed, announced=announced)
        return self._judged(_FIREWALLD, closed, command, announced=announced)

    def _firewalld_command(self, where: list[str], ports: Iterable[int], *, announced: bool) -> str:
        add = [f"--add-port={port}/tcp" for port in ports]
        add += [] if announced else ["--add-service=mdns"]
        return (
            " ".join(["sudo firewall-cmd --permanent", *where, *add])
            + " && sudo firewall-cmd --reload"
        )

    def _judged(
        self, firewall: str, closed: list[int], command: str, *, announced: bool = True
    ) -> Finding:
        if not closed and announced:
            return Finding(Said.FIREWALL_OPEN, {"firewall": firewall})
        return self._doubt(Said.FIREWALL_CLOSED, firewall, closed, command, announced=announced)

    def _doubt(
        self,
        said: Said,
        firewall: str,
        ports: Iterable[int],
        command: str,
        *,
        announced: bool = True,
    ) -> Finding:
        named = [f"{port}/tcp" for port in ports] + ([] if announced else ["5353/udp"])
        values = {"firewall": firewall, "ports": ", ".join(named), "command": command}
        return Finding(said, values)

    def _text(self, path: str) -> str:
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    # --- Windows and macOS

    async def _windows(self) -> list[Finding]:
        # By its whole path: a program of that name may lie anywhere.
        folder = Path(os.environ.get("SYSTEMROOT", "C:\\Windows"))
        shell = str(folder / "System32" / "WindowsPowerShell" / "v1.0" / "powershell.exe")
        said = await self.ask(shell, "-NoProfile", "-NonInteractive", "-Command", _PROFILES)
        if said is None or said.status:
            return []
        lines = [line.strip().partition(" ") for line in said.text.splitlines()]
        names = ", ".join(name for category, _, name in lines if category == _PUBLIC)
        return [Finding(Said.FIREWALL_PUBLIC, {"network": names[:_NAMES_CHARS]})] if names else []

    async def _mac(self) -> list[Finding]:
        said = await self.ask(_MAC_FIREWALL, "--getglobalstate")
        state = _MAC_STATE.search(said.text) if said is not None else None
        if state is None or state[1] == "0":
            return []
        if state[1] == "2":
            return [Finding(Said.FIREWALL_MAC_ALL)]
        own = await self.ask(_MAC_FIREWALL, "--getappblocked", self.program)
        text = own.text.lower() if own is not None else ""
        if "blocked" in text:
            return [Finding(Said.FIREWALL_MAC_BLOCKS)]
        if "permitted" in text:
            return [Finding(Said.FIREWALL_OPEN, {"firewall": "macOS"})]
        return [Finding(Said.FIREWALL_MAC_ASKS)]


def _ufw_lets_in(rules: str, port: int) -> bool:
    """Whether the first rule on TCP connections to this port lets them in."""
    for line in rules.splitlines():
        parts = line.removeprefix(_UFW_RULE).split()
        if not line.startswith(_UFW_RULE) or len(parts) < 7:
            continue
        action, protocol, ports, _to, _from_port, source, *rest = parts
        ways = [one for one in rest if one.partition("_")[0] == "in"]
        if protocol not in {"tcp", "any"} or not ways or not _holds(ports, ":", port):
            continue
        if action.startswith(("allow", "limit")):
            return True
        if action.startswith(("deny", "reject")) and source in _ANYWHERE:
            return False
    return False


def _holds(spelled: str, between: str, port: int) -> bool:
    """Whether a rule's `80`, `80,443` or `8000:8100` holds the port."""
    for one in spelled.split(","):
        first, _, last = one.partition(between)
        if first == "any" or (
            first.isdecimal() and int(first) <= port <= int(last if last.isdecimal() else first)
        ):
            return True
    return False

"""What is said of the firewalls of this computer; none of them can run in a test, so their words are played."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from ira_home.domain.diagnosis import Finding, Said
from ira_home.net.diagnosis.commands import Answer
from ira_home.net.diagnosis.firewalls import Firewalls

PORTS = (8443, 8080)
UFW = "etc/ufw/ufw.conf"
RULES = "etc/ufw/user.rules"
HEAD = "*filter\n:ufw-user-input - [0:0]\n### RULES ###\n"
MAC = "/usr/libexec/ApplicationFirewall/socketfilterfw"


class Computer:
    """The programs of a computer: what each says, by its words; all others are not there."""

    def __init__(self, said: Mapping[str, Answer | str]) -> None:
        self.said, self.asked = said, list[str]()

    async def ask(self, *words: str, own: bool = False) -> Answer | None:
        assert not own
        self.asked.append(" ".join(words))
        for known, answer in self.said.items():
            if known in self.asked[-1]:
                return answer if isinstance(answer, Answer) else Answer(0, answer)
        return None


async def look(
    root: Path, said: Mapping[str, Answer | str] | None = None, *, system: str = "linux", on: tuple[str, ...] = ()
) -> list[Finding]:  # fmt: skip
    computer = Computer(said or {})
    walls = Firewalls(ports=PORTS, system=system, root=root, ask=computer.ask, program="/opt/ira")
    return await walls.look(on)


def ufw(root: Path, *tuples: str, policy: str = "DROP") -> None:
    for path, text in {
        UFW: "# /etc/ufw/ufw.conf\nENABLED=yes\nLOGLEVEL=low\n",
        RULES: HEAD + "".join(f"\n### tuple ### {one}\n-A x\n" for one in tuples),
        "etc/default/ufw": f'IPV6=yes\nDEFAULT_INPUT_POLICY="{policy}"\n',
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


async def test_where_there_is_none_that_is_said(tmp_path: Path) -> None:
    assert await look(tmp_path) == [Finding(Said.FIREWALL_NONE)]


async def test_ufw_that_is_off_keeps_nobody_out(tmp_path: Path) -> None:
    ufw(tmp_path)
    (tmp_path / UFW).write_text("ENABLED=no\n")
    assert await look(tmp_path) == [Finding(Said.FIREWALL_NONE)]


@pytest.mark.parametrize(
    ("tuples", "closed"),
    [
        ([], [8443, 8080]),
        (["allow tcp 8443 0.0.0.0/0 any 0.0.0.0/0 in"], [8080]),
        (["allow tcp 8443 0.0.0.0/0 any 0.0.0.0/0 in", "allow any 8080 0.0.0.0/0 any 0.0.0.0/0 in"], []),
        (["allow tcp 8000:9000 0.0.0.0/0 any 192.168.1.0/24 in_eth0 comment=61"], []),
        (["limit_log tcp 80,8443,8080 0.0.0.0/0 any 0.0.0.0/0 Ira - in"], []),
        (["allow any any 0.0.0.0/0 any 192.168.0.0/16 in"], []),
        (["allow udp 8443 0.0.0.0/0 any 0.0.0.0/0 in"], [8443, 8080]),
        (["allow tcp 8443 0.0.0.0/0 any 0.0.0.0/0 out", "route:allow tcp 8443 0.0.0.0/0 any 0.0.0.0/0 in_a!out_b"], [8443, 8080]),
        (["deny tcp 8443 0.0.0.0/0 any 0.0.0.0/0 in", "allow tcp 8080:8443 0.0.0.0/0 any 0.0.0.0/0 in"], [8443]),
        (["deny tcp 8443 0.0.0.0/0 any 192.168.1.66 in", "allow tcp 8080:8443 0.0.0.0/0 any 0.0.0.0/0 in"], []),
    ],
)  # fmt: skip
async def test_ufw_is_read_rule_by_rule(
    tmp_path: Path, tuples: list[str], closed: list[int]
) -> None:
    ufw(tmp_path, *tuples)
    (found,) = await look(tmp_path)
    if not closed:
        assert found == Finding(Said.FIREWALL_OPEN, {"firewall": "ufw"})
        return
    assert found.said is Said.FIREWALL_CLOSED
    assert found.values["ports"] == ", ".join(f"{port}/tcp" for port in closed)
    assert found.values["command"] == " && ".join(f"sudo ufw allow {one}/tcp" for one in closed)


async def test_ufw_whose_rules_only_root_may_read_is_a_doubt_with_a_way_out(tmp_path: Path) -> None:
    ufw(tmp_path)
    (tmp_path / RULES).unlink()
    (found,) = await look(tmp_path)
    assert found.said is Said.FIREWALL_UNSURE
    assert found.values["command"] == "sudo ufw allow 8443/tcp && sudo ufw allow 8080/tcp"


async def test_ufw_that_lets_everything_in_is_open(tmp_path: Path) -> None:
    ufw(tmp_path, policy="ACCEPT")
    assert [one.said for one in await look(tmp_path)] == [Said.FIREWALL_OPEN]


RUNNING: dict[str, Answer | str] = {
    "--state": "running\n",
    "--get-zone-of-interface=eth0": "public\n",
}


async def test_firewalld_is_asked_of_the_zone_of_the_houses_network(tmp_path: Path) -> None:
    said = RUNNING | {"--list-ports": "8443/tcp 9000-9010/tcp\n", "--list-services": "ssh\n"}
    (found,) = await look(tmp_path, said, on=("eth0", "eth0"))
    assert found == Finding(
        Said.FIREWALL_CLOSED,
        {
            "firewall": "firewalld",
            "ports": "8080/tcp, 5353/udp",
            "command": "sudo firewall-cmd --permanent --zone=public --add-port=8080/tcp --add-service=mdns"
            " && sudo firewall-cmd --reload",
        },
    )


@pytest.mark.parametrize("ports", ["8443/tcp 8080/tcp", "1025-65535/udp 1025-65535/tcp"])
async def test_firewalld_with_the_ports_open_is_open(tmp_path: Path, ports: str) -> None:
    said = RUNNING | {"--list-ports": ports, "--list-services": "mdns ssh"}
    assert [one.said for one in await look(tmp_path, said, on=("eth0",))] == [Said.FIREWALL_OPEN]


async def test_a_network_without_a_zone_is_in_the_default_one(tmp_path: Path) -> None:
    said: dict[str, Answer | str] = {"--state": "running", "of-interface": Answer(2, "no zone"), "--get-default-zone": "trusted"}  # fmt: skip
    assert [one.said for one in await look(tmp_path, said, on=("eth0",))] == [Said.FIREWALL_OPEN]


async def test_firewalld_that_may_not_be_asked_is_a_doubt(tmp_path: Path) -> None:
    said = RUNNING | {"--list-ports": Answer(253, "")}
    (found,) = await look(tmp_path, said, on=("eth0",))
    assert found.said is Said.FIREWALL_UNSURE
    assert found.values["command"].startswith("sudo firewall-cmd --permanent --zone=public --add-port=8443/tcp")  # fmt: skip


async def test_firewalld_that_does_not_run_keeps_nobody_out(tmp_path: Path) -> None:
    said: dict[str, Answer | str] = {"--state": Answer(252, "not running\n")}
    assert await look(tmp_path, said) == [Finding(Said.FIREWALL_NONE)]


@pytest.mark.parametrize(
    ("profiles", "public"),
    [
        ("0 Sharma Wi-Fi\r\n1 Cable\r\n", "Sharma Wi-Fi"),
        ("1 Home\r\n", None),
        ("2 clinic.example\r\n", None),
        ("", None),
    ],
)
async def test_windows_is_asked_whether_it_takes_the_network_for_a_public_one(
    tmp_path: Path, profiles: str, public: str | None
) -> None:
    (found,) = await look(tmp_path, {"Get-NetConnectionProfile": profiles}, system="win32")
    if public is None:
        assert found == Finding(Said.FIREWALL_NONE)
    else:
        assert found == Finding(Said.FIREWALL_PUBLIC, {"network": public})


@pytest.mark.parametrize(
    ("state", "own", "said"),
    [
        ("Firewall is disabled. (State = 0) ", "", Said.FIREWALL_NONE),
        ("Firewall is blocking all non-essential incoming connections. (State = 2) ", "", Said.FIREWALL_MAC_ALL),
        ("Firewall is enabled. (State = 1) ", "Incoming connection to the application is blocked ", Said.FIREWALL_MAC_BLOCKS),
        ("Firewall is enabled. (State = 1) ", "Incoming connection to the application is permitted ", Said.FIREWALL_OPEN),
        ("Firewall is enabled. (State = 1) ", "The application is not part of the firewall ", Said.FIREWALL_MAC_ASKS),
    ],
)  # fmt: skip
async def test_the_firewall_of_a_mac_is_asked_about_this_program(
    tmp_path: Path, state: str, own: str, said: Said
) -> None:
    told = {f"{MAC} --getglobalstate": state, f"{MAC} --getappblocked /opt/ira": own}
    assert [one.said for one in await look(tmp_path, told, system="darwin")] == [said]

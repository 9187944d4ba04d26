"""Ports: free ones for every address that is listened on, and one sentence for a taken one."""

import errno
import socket

import pytest

from ira_home.base.errors import CommandFailed
from ira_home.net.addresses import listening
from ira_home.net.ports import DEMO_FLAGS, chosen_ports, free_port, port_words


def test_a_free_port_is_free_on_every_address_and_not_the_one_already_chosen() -> None:
    hosts = listening("all")
    port = free_port(hosts)
    assert free_port(hosts, but=port) != port
    for host in hosts:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as taken:
            if ":" in host:
                taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            taken.bind((host, port))


def test_chosen_ports_stay_and_zeros_become_two_ports() -> None:
    assert chosen_ports("127.0.0.1", 8443, 8080) == (8443, 8080)
    port, http_port = chosen_ports("127.0.0.1", 0, 0)
    assert 0 not in (port, http_port)
    assert port != http_port


def test_one_port_for_both_is_refused_and_both_options_are_named() -> None:
    with pytest.raises(CommandFailed, match=r"cannot both have port 9000.*--port or --http-port"):
        chosen_ports("127.0.0.1", 9000, 9000)


def test_an_address_of_another_computer_is_refused_in_words() -> None:
    with pytest.raises(CommandFailed, match=r"no address 198\.51\.100\.1.*--bind"):
        chosen_ports("198.51.100.1", 0, 0)


@pytest.mark.parametrize(
    ("bind", "code", "words"),
    [
        ("all", errno.EADDRINUSE, "listens on port 8443 already: stop it, or choose another with --port (`make run PORT=…`)."),
        ("fd00::2", errno.EADDRINUSE, "listens on [fd00::2]:8443 already"),
        ("127.0.0.1", errno.EACCES, "may not listen on 127.0.0.1:8443"),
        ("::", errno.EAFNOSUPPORT, "This computer has no address ::"),
    ],
)  # fmt: skip
def test_what_the_system_says_of_a_port_becomes_a_sentence_with_the_remedy(
    bind: str, code: int, words: str
) -> None:
    with pytest.raises(CommandFailed) as caught, port_words(bind, 8443, DEMO_FLAGS.port):
        raise OSError(code, "as the system says")
    assert words in caught.value.message

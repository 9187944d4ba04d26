"""What the server agrees to in a handshake: asked once for each version and each cipher that OpenSSL knows."""

from collections.abc import Iterator
from contextlib import suppress
import ssl
import struct
from typing import Any
import warnings

import pytest

from ira_home.base.clock import SystemClock
from ira_home.net.certificates import Authority
from ira_home.net.certificates.proof import server_side, shake_hands
from tests.support.requirements import requirement

NAME = "ira-7f3a9c.local"
VERSIONS = {0x0300: "SSL 3.0", 0x0301: "TLS 1.0", 0x0302: "TLS 1.1", 0x0303: "TLS 1.2"}
OLD, TLS12 = (0x0300, 0x0301, 0x0302), 0x0303
STRONG = {
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305",
}  # fmt: skip
_HANDSHAKE, _ALERT, _HELLO = 22, 21, 1
_HANDSHAKE_FAILURE, _PROTOCOL_VERSION = 40, 70


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    folder = tmp_path_factory.mktemp("pki")
    return Authority.open(
        folder, install_id="7f3a9c", clock=SystemClock(), addresses=[], hostname="pc"
    ).server_context()


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A server that agrees to whatever OpenSSL can still do: the scan has to notice."""
    folder = tmp_path_factory.mktemp("careless")
    _ = Authority.open(
        folder, install_id="7f3a9c", clock=SystemClock(), addresses=[], hostname="pc"
    )
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        made.minimum_version = ssl.TLSVersion.TLSv1
    made.set_ciphers("ALL:@SECLEVEL=0")
    made.load_cert_chain(folder / "server.pem")
    return made


def hello(version: int, ciphers: list[int]) -> bytes:
    """A ClientHello written by hand: what a client library would not say itself."""
    groups = struct.pack("!HHHHH", 10, 6, 4, 29, 23)
    points = struct.pack("!HHBB", 11, 2, 1, 0)
    schemes = (0x0403, 0x0503, 0x0804, 0x0401, 0x0203, 0x0201)
    signing = struct.pack("!HHH6H", 13, 2 + 12, 12, *schemes)
    extensions = groups + points + signing
    suites = b"".join(struct.pack("!H", one) for one in ciphers)
    body = struct.pack("!H", version) + b"r" * 32 + b"\0"
    body += struct.pack("!H", len(suites)) + suites + b"\1\0"
    body += struct.pack("!H", len(extensions)) + extensions
    message = bytes([_HELLO]) + len(body).to_bytes(3, "big") + body
    return struct.pack("!BHH", _HANDSHAKE, min(version, 0x0301), len(message)) + message


def answer(context: ssl.SSLContext, said: bytes) -> bytes:
    """What the server says first to these bytes."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    side = context.wrap_bio(up, down, server_side=True)
    up.write(said)
    # silent-ok: an alert, or waiting for more; what was said tells.
    with suppress(ssl.SSLError):
        side.do_handshake()
    return down.read()


def agreed(context: ssl.SSLContext, version: int) -> bool:
    """Whether the server goes on with a client that speaks nothing newer."""
    every = [0xC02B, 0xC02C, 0xC009, 0xC00A, 0xC023, 0xC024, 0xC02F, 0xC013, 0x002F, 0x0035, 0x000A]
    said = answer(context, hello(version, every))
    return said[0] == _HANDSHAKE and said[9:11] == struct.pack("!H", version)


@requirement("lan.tls")
@pytest.mark.parametrize("version", OLD, ids=VERSIONS.get)
def test_nothing_older_than_tls_1_2_is_agreed_to(context: ssl.SSLContext, version: int) -> None:
    assert not agreed(context, version)
    said = answer(context, hello(version, [0xC009, 0xC00A, 0x002F]))
    assert said[0] == _ALERT
    assert said[-1] in (_HANDSHAKE_FAILURE, _PROTOCOL_VERSION)
    assert agreed(context, TLS12), "the scan itself is understood"


def test_the_scan_sees_a_server_that_agrees_to_old_versions(careless: ssl.SSLContext) -> None:
    assert [version for version in VERSIONS if agreed(careless, version)] == [0x0301, 0x0302, 0x0303]  # fmt: skip


def known() -> Iterator[dict[str, Any]]:
    """Every cipher that OpenSSL still knows, good or bad."""
    every = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    every.set_ciphers("ALL:COMPLEMENTOFALL:@SECLEVEL=0")
    yield from (dict(one) for one in every.get_ciphers() if one["protocol"] != "TLSv1.3")


def taken(context: ssl.SSLContext) -> set[str]:
    """The ciphers with which a handshake of TLS 1.2 is brought to its end."""
    found = set()
    for cipher in known():
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        client.maximum_version = ssl.TLSVersion.TLSv1_2
        client.set_ciphers(f"{cipher['name']}:@SECLEVEL=0")
        try:
            shake_hands(context, client, NAME)
        except ssl.SSLError:
            continue
        found.add(cipher["name"])
    return found


@requirement("lan.tls")
def test_only_strong_ciphers_are_agreed_to(context: ssl.SSLContext) -> None:
    assert taken(context) == STRONG


def test_the_scan_sees_a_server_that_agrees_to_weak_ciphers(careless: ssl.SSLContext) -> None:
    weak = taken(careless) - STRONG
    assert any("SHA256" in name and "GCM" not in name for name in weak), "those with CBC"
    assert any(name.startswith("AECDH") for name in weak), "those without a certificate"


def test_whoever_makes_a_context_here_gets_the_same_bounds() -> None:
    made = server_side()
    names = {one["name"] for one in made.get_ciphers() if one["protocol"] != "TLSv1.3"}
    assert all("GCM" in name or "CHACHA20" in name for name in names)
    assert all(name.startswith("ECDHE-") for name in names)
    assert made.minimum_version is ssl.TLSVersion.TLSv1_2

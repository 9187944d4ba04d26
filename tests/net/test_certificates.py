"""The house's certificates: their profile, what they cover, when they are made anew, what is refused."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
import hashlib
import os
from pathlib import Path
import shutil
import ssl
import stat
import subprocess
import sys

from cryptography import x509
import pytest

from ira_home.base.clock import SystemClock
from ira_home.base.folder_errors import DataFolderError
from ira_home.net.certificates import Authority
from tests.support.clock import FakeClock
from tests.support.requirements import requirement
from tests.support.streams import dialled, listening

ID = "7f3a9c"
HOME = ("192.168.1.23", "fd00::23")


@pytest.fixture
def clock() -> FakeClock:
    # OpenSSL checks dates by the machine's clock, so this one begins there.
    return FakeClock(SystemClock().now().replace(microsecond=0))


@pytest.fixture
def pki(tmp_path: Path) -> Path:
    return tmp_path / "pki"


def open_in(
    pki: Path, clock: FakeClock, *, addresses: tuple[str, ...] = HOME, extra: tuple[str, ...] = ()
) -> Authority:
    return Authority.open(
        pki,
        install_id=ID,
        clock=clock,
        addresses=addresses,
        hostname="Reception-PC",
        extra_names=extra,
    )


def leaf_of(pki: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((pki / "server.pem").read_bytes())


def public_key(pki: Path) -> object:
    return leaf_of(pki).public_key()


async def shake_hands(
    authority: Authority, context: ssl.SSLContext, name: str
) -> dict[str, object]:
    """A real handshake over a real socket, as a client that calls the server `name`."""

    async def greet(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        """Only the handshake counts."""

    async with (
        listening(greet, ssl=authority.server_context()) as port,
        dialled(port, ssl=context, name=name) as (reader, writer),
    ):
        told = {
            "version": writer.get_extra_info("ssl_object").version(),
            "alpn": writer.get_extra_info("ssl_object").selected_alpn_protocol(),
        }
        await reader.read()
    return told


def strict_client(authority: Authority) -> ssl.SSLContext:
    context = ssl.create_default_context(cadata=authority.ca_pem.decode())
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


@requirement("lan.https")
@pytest.mark.parametrize(
    "name",
    [
        f"ira-{ID}.local",
        "localhost",
        "reception-pc.local",
        "192.168.1.23",
        "fd00::23",
        "127.0.0.1",
        "::1",
    ],
)
async def test_a_strict_client_accepts_every_name_and_address(
    pki: Path, clock: FakeClock, name: str
) -> None:
    authority = open_in(pki, clock)
    told = await shake_hands(authority, strict_client(authority), name)
    assert told == {"version": "TLSv1.3", "alpn": "http/1.1"}


async def test_a_name_that_is_not_the_servers_is_refused_by_a_client(
    pki: Path, clock: FakeClock
) -> None:
    authority = open_in(pki, clock)
    with pytest.raises(ssl.SSLCertVerificationError):
        await shake_hands(authority, strict_client(authority), "bank.example")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize(
    "check",
    [
        ["-verify_hostname", f"ira-{ID}.local"],
        ["-verify_ip", "192.168.1.23"],
        ["-verify_ip", "::1"],
    ],
)
def test_openssl_verifies_the_chain_strictly(pki: Path, clock: FakeClock, check: list[str]) -> None:
    open_in(pki, clock)
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", *check]
    files = ["-CAfile", str(pki / "ca.crt.pem"), str(pki / "server.pem")]
    done = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_authority_and_leaf_have_the_profile_that_every_platform_takes(
    pki: Path, clock: FakeClock
) -> None:
    authority = open_in(pki, clock)
    ca, leaf = x509.load_der_x509_certificate(authority.ca_der), leaf_of(pki)
    assert "Ira Home CA 7F3A9C" in ca.subject.rfc4514_string()
    assert ca.not_valid_after_utc - ca.not_valid_before_utc == timedelta(days=3_650)
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc == timedelta(days=397)
    assert leaf.not_valid_before_utc == clock.now() - timedelta(hours=24)
    basic = [one.extensions.get_extension_for_class(x509.BasicConstraints) for one in (ca, leaf)]
    assert [(one.value.ca, one.value.path_length, one.critical) for one in basic] == [
        (True, 0, True),
        (False, None, True),
    ]
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert [use.dotted_string for use in usage] == ["1.3.6.1.5.5.7.3.1"]
    own = ca.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
    issuer = leaf.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    assert issuer.key_identifier == own
    assert ca.extensions.get_extension_for_class(x509.NameConstraints).critical


def test_pin_and_fingerprint_are_those_of_the_authority(pki: Path, clock: FakeClock) -> None:
    authority = open_in(pki, clock)
    assert len(authority.pin) == 43
    digest = hashlib.sha256(authority.ca_der).hexdigest().upper()
    assert authority.fingerprint.replace(" ", "") == digest
    assert (pki / "ca.crt.der").read_bytes() == authority.ca_der
    assert (pki / "ca.crt.pem").read_bytes() == authority.ca_pem


@requirement("data.files")
@pytest.mark.skipif(sys.platform == "win32", reason="modes mean nothing here")
def test_files_are_private_whatever_the_umask_and_certificates_public(
    pki: Path, clock: FakeClock
) -> None:
    umask = os.umask(0)
    try:
        open_in(pki, clock)
        (pki / "server.pem").chmod(0o644)
        (pki / "ca.key.pem").chmod(0o666)
        open_in(pki, clock)
    finally:
        os.umask(umask)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in pki.iterdir()}
    public = {"ca.crt.pem", "ca.crt.der"}
    private = {"ca.key.pem", "server.pem", "server.meta.json"}
    assert modes == dict.fromkeys(public, 0o644) | dict.fromkeys(private, 0o600)
    assert stat.S_IMODE(pki.stat().st_mode) == 0o700


def test_the_second_start_uses_what_the_first_one_made(pki: Path, clock: FakeClock) -> None:
    first = open_in(pki, clock)
    leaf = leaf_of(pki)
    clock.advance(86_400 * 300)
    second = open_in(pki, clock)
    assert (second.pin, second.ca_der) == (first.pin, first.ca_der)
    assert leaf_of(pki) == leaf


def test_a_new_address_makes_a_new_leaf_of_the_same_key_that_keeps_the_old_address(
    pki: Path, clock: FakeClock
) -> None:
    first, key = open_in(pki, clock), public_key(pki)
    second = open_in(pki, clock, addresses=("192.168.1.50",))
    assert second.pin == first.pin
    assert {"192.168.1.50", "192.168.1.23", "fd00::23", "127.0.0.1", "::1"} == second.addresses
    assert public_key(pki) == key
    leaf = leaf_of(pki)
    open_in(pki, clock)
    assert leaf_of(pki) == leaf, "an address that comes back makes no new leaf"


def test_old_addresses_are_forgotten_after_thirty_days_and_beyond_eight(
    pki: Path, clock: FakeClock
) -> None:
    open_in(pki, clock)
    clock.advance(86_400 * 31)
    assert "192.168.1.23" not in open_in(pki, clock, addresses=("192.168.1.50",)).addresses
    for last in range(60, 75):
        clock.advance(60)
        open_in(pki, clock, addresses=(f"192.168.1.{last}",))
    latest = open_in(pki, clock, addresses=("192.168.1.74",))
    assert {f"192.168.1.{last}" for last in range(67, 75)} | {
        "127.0.0.1",
        "::1",
    } == latest.addresses


def test_a_leaf_near_its_end_is_made_anew_with_a_new_key(pki: Path, clock: FakeClock) -> None:
    open_in(pki, clock)
    old = leaf_of(pki)
    clock.advance(86_400 * (397 - 1 - 60) - 1)
    open_in(pki, clock)
    assert leaf_of(pki) == old
    clock.advance(2)
    open_in(pki, clock)
    assert leaf_of(pki).not_valid_after_utc > old.not_valid_after_utc
    assert leaf_of(pki).public_key() != old.public_key()


def test_a_clock_that_starts_in_1970_makes_no_certificate_of_1970(pki: Path) -> None:
    clock = FakeClock(datetime(1970, 1, 1, tzinfo=UTC))
    first = open_in(pki, clock)
    leaf = leaf_of(pki)
    assert leaf.not_valid_before_utc.year == 2026
    assert open_in(pki, clock).pin == first.pin
    assert leaf_of(pki) == leaf


async def test_what_the_authority_may_not_vouch_for_is_left_out(
    pki: Path, clock: FakeClock
) -> None:
    open_in(pki, clock)
    later = open_in(
        pki, clock, addresses=(*HOME, "8.8.8.8", "2001:db8::1"), extra=("bank.example", "ira.lan")
    )
    assert later.names == {f"ira-{ID}.local", "localhost", "reception-pc.local", "ira.lan"}
    assert not later.addresses & {"8.8.8.8", "2001:db8::1"}
    await shake_hands(later, strict_client(later), "ira.lan")


async def test_a_domain_named_before_the_authority_is_made_is_covered(
    pki: Path, clock: FakeClock
) -> None:
    authority = open_in(pki, clock, extra=("clinic.example",))
    await shake_hands(authority, strict_client(authority), "clinic.example")


@pytest.mark.parametrize("hostname", ["", "localhost", "my pc", "-x", "पीसी", "a" * 64])
def test_a_machine_name_that_is_no_label_is_left_out(
    pki: Path, clock: FakeClock, hostname: str
) -> None:
    opened = Authority.open(pki, install_id=ID, clock=clock, addresses=(), hostname=hostname)
    assert opened.names == {f"ira-{ID}.local", "localhost"}


def swap_key(pki: Path) -> None:
    other = pki.parent / "other"
    open_in(other, FakeClock())
    shutil.copy(other / "ca.key.pem", pki / "ca.key.pem")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            lambda pki: (pki / "ca.key.pem").write_bytes(b"-----BEGIN PRIVATE KEY-----\nnonsense"),
            "ca.key.pem is damaged",
        ),
        (lambda pki: (pki / "ca.key.pem").write_bytes(b""), "ca.key.pem is damaged"),
        (
            lambda pki: (pki / "ca.crt.pem").write_bytes(b"not a certificate"),
            "ca.crt.pem is damaged",
        ),
        (swap_key, "does not belong"),
    ],
    ids=["nonsense", "empty", "certificate", "another's"],
)
def test_a_broken_authority_is_refused_in_words_and_left_alone(
    pki: Path, clock: FakeClock, damage: Callable[[Path], object], words: str
) -> None:
    open_in(pki, clock)
    damage(pki)
    before = {file.name: file.read_bytes() for file in pki.iterdir()}
    with pytest.raises(DataFolderError, match=words) as refused:
        open_in(pki, clock)
    assert "backup" in refused.value.message
    assert {file.name: file.read_bytes() for file in pki.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_a_broken_server_file_is_made_anew_under_the_same_authority(
    pki: Path, clock: FakeClock, content: bytes | None
) -> None:
    first = open_in(pki, clock)
    if content is None:
        (pki / "server.pem").unlink()
    else:
        (pki / "server.pem").write_bytes(content)
    (pki / "server.meta.json").write_text("[]")
    second = open_in(pki, clock)
    assert (second.pin, second.addresses) == (first.pin, first.addresses)
    second.server_context()


def test_a_missing_authority_key_matters_only_when_something_must_be_signed(
    pki: Path, clock: FakeClock
) -> None:
    leaf = opened_leaf(pki, clock)
    (pki / "ca.key.pem").unlink()
    assert open_in(pki, clock).fault is None
    moved = open_in(pki, clock, addresses=("192.168.1.50",))
    assert "ca.key.pem is missing" in str(moved.fault)
    assert leaf_of(pki) == leaf, "devices know the house by it as before"
    moved.announce_next()
    assert moved.take_over([])
    assert "192.168.1.50" in moved.addresses
    clock.advance(61)
    moved.cover()
    assert moved.fault is None


def test_without_its_key_and_with_a_certificate_that_has_ended_it_is_refused_in_words(
    pki: Path, clock: FakeClock
) -> None:
    open_in(pki, clock)
    (pki / "ca.key.pem").unlink()
    clock.advance(86_400 * 397)
    with pytest.raises(DataFolderError, match=r"ca\.key\.pem is missing.*ira cert new-ca"):
        open_in(pki, clock)


def test_a_folder_that_cannot_be_written_opens_with_what_is_there(
    pki: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = opened_leaf(pki, clock)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ira_home.net.certificates.folder.make_private", full)
    moved = open_in(pki, clock, addresses=("192.168.1.50",))
    assert "No space left on device" in str(moved.fault)
    assert leaf_of(pki) == leaf


def opened_leaf(pki: Path, clock: FakeClock) -> x509.Certificate:
    """The certificate of a house that is new."""
    open_in(pki, clock)
    return leaf_of(pki)


def test_a_first_start_interrupted_after_the_key_goes_on_with_it(
    pki: Path, clock: FakeClock
) -> None:
    first = open_in(pki, clock)
    for name in ("ca.crt.pem", "ca.crt.der", "server.pem", "server.meta.json"):
        (pki / name).unlink()
    assert open_in(pki, clock).pin == first.pin


def test_an_authority_at_its_end_is_refused_in_words(pki: Path, clock: FakeClock) -> None:
    open_in(pki, clock)
    clock.advance(86_400 * 3_650)
    with pytest.raises(
        DataFolderError, match=r"ca\.crt\.pem ended on .* If the clock is wrong, set it"
    ):
        open_in(pki, clock)


def test_a_place_that_cannot_be_written_is_said_in_words(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "pki").write_text("a file")
    with pytest.raises(DataFolderError, match="cannot be read or written"):
        open_in(tmp_path / "pki", clock)

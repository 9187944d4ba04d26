"""A certificate that the owner brings: to whom it is served, when it is read anew, and what it can never break."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
import ssl

from cryptography.hazmat.primitives.asymmetric import rsa
import pytest

from ira_home.net.certificates import Authority, OwnCertificate
from ira_home.net.certificates.proof import shake_hands
from tests.support.clock import FakeClock
from tests.support.home import hands_of_now
from tests.support.outside_certificates import HOST, Outside

NAME = "ira-7f3a9c.local"
DAY_S = 86_400


@pytest.fixture
def clock() -> FakeClock:
    return hands_of_now()


@pytest.fixture
def outside(tmp_path: Path, clock: FakeClock) -> Outside:
    return Outside(tmp_path, clock)


@pytest.fixture
def authority(tmp_path: Path, clock: FakeClock, outside: Outside) -> Authority:
    made = Authority.open(
        tmp_path / "pki", install_id="7f3a9c", clock=clock, addresses=[], hostname="pc"
    )
    made.serve_own(OwnCertificate(outside.certificate, outside.key, clock))
    return made


def shown(authority: Authority, name: str | None) -> bytes:
    """The certificate that a client is shown, as PEM."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    return ssl.DER_cert_to_PEM_cert(shake_hands(authority.server_context(), client, name)).encode()


def house(authority: Authority) -> bytes:
    """The one of the house's own authority."""
    return shown(authority, NAME)


def test_it_is_served_for_the_names_that_it_covers_and_for_no_other(
    authority: Authority, outside: Outside
) -> None:
    mine = outside.put(outside.make([HOST, NAME, "*.Example.net"]))
    assert authority.cover()
    assert [shown(authority, name) == mine for name in (HOST, HOST.upper(), "a.example.net")] == [True] * 3  # fmt: skip
    others = (NAME, NAME.upper(), "localhost", "pc.local", "example.net", "a.b.example.net", "x.org", None)  # fmt: skip
    assert {shown(authority, name) for name in others} == {house(authority)}
    assert house(authority) != mine
    assert authority.names >= {HOST, "localhost"}
    assert "*.example.net" not in authority.names, "no host is called so"
    assert authority.fault is None


def test_it_is_read_anew_when_it_was_renewed(authority: Authority, outside: Outside) -> None:
    first = outside.put(outside.make())
    assert authority.cover()
    assert not authority.cover(), "nothing has changed"
    second = outside.put(outside.make([HOST, "new.example.org"]))
    assert shown(authority, HOST) == first
    assert authority.cover()
    assert shown(authority, HOST) == shown(authority, "new.example.org") == second


def test_links_that_lead_to_other_files_are_followed(
    authority: Authority, outside: Outside, tmp_path: Path
) -> None:
    made = []
    for number in ("1", "2"):
        archive = Outside(tmp_path, outside.clock)
        archive.certificate = tmp_path / f"fullchain{number}.pem"
        archive.key = tmp_path / f"privkey{number}.pem"
        made.append(archive.put(archive.make()))
        for link, file in ((outside.certificate, archive.certificate), (outside.key, archive.key)):
            link.unlink(missing_ok=True)
            link.symlink_to(file)
        assert authority.cover()
        assert shown(authority, HOST) == made[-1]


def test_half_of_a_renewal_is_waited_out(authority: Authority, outside: Outside) -> None:
    first = outside.put(outside.make())
    authority.cover()
    second = outside.make()
    outside.certificate.write_bytes(second[0])
    assert not authority.cover()
    assert "not the one that belongs to it" in str(authority.fault)
    assert shown(authority, HOST) == first, "what is served is not hurt"
    outside.key.write_bytes(second[1])
    assert authority.cover()
    assert (shown(authority, HOST), authority.fault) == (second[0], None)


def test_one_file_may_hold_both(tmp_path: Path, authority: Authority, clock: FakeClock) -> None:
    outside = Outside(tmp_path, clock)
    made = outside.make()
    both = tmp_path / "both.pem"
    both.write_bytes(made[1] + made[0])
    authority.serve_own(OwnCertificate(both, both, clock))
    assert shown(authority, HOST) == made[0]


def test_a_key_of_rsa_is_served_as_well(authority: Authority, outside: Outside) -> None:
    mine = outside.put(outside.make(key=rsa.generate_private_key(65_537, 2_048)))
    authority.cover()
    assert shown(authority, HOST) == mine


BAD: dict[str, tuple[Callable[[Outside], object], str]] = {
    "missing": (lambda at: None, "it cannot be read (No such file or directory)"),
    "folder": (lambda at: at.certificate.mkdir(), "it cannot be read"),
    "empty": (lambda at: at.put((b"", b"")), "hold no good certificate and key"),
    "nonsense": (lambda at: at.put((b"\x00\xff" * 99, b"key")), "hold no good certificate and key"),
    "locked": (lambda at: at.put(at.make(secret=b"sesame")), "locked with a passphrase"),
    "nobody": (lambda at: at.put(at.make([])), "it names no host"),
    "ended": (lambda at: at.put(at.make(begins=timedelta(days=-200))), "it ended on"),
    "early": (lambda at: at.put(at.make(begins=timedelta(days=9))), "it begins on"),
    "weak": (
        lambda at: at.put(at.make(key=rsa.generate_private_key(65_537, 1_024))),  # noqa: S505 - too weak, as is meant
        "hold no good certificate and key",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_served_is_said_and_the_houses_own_goes_on(
    authority: Authority, outside: Outside, case: str
) -> None:
    spoil, words = BAD[case]
    spoil(outside)
    assert not authority.cover()
    assert authority.fault is not None
    assert authority.fault.startswith(f"Your own certificate {outside.certificate}: ")
    assert words in authority.fault
    assert shown(authority, HOST) == house(authority)
    assert HOST not in authority.names


def test_one_that_went_bad_leaves_the_good_one_in_service(
    authority: Authority, outside: Outside
) -> None:
    first = outside.put(outside.make())
    authority.cover()
    for case in set(BAD) - {"missing", "folder"}:
        BAD[case][0](outside)
        assert not authority.cover()
        assert authority.fault is not None
        assert shown(authority, HOST) == first
    outside.certificate.unlink()
    assert not authority.cover()
    assert shown(authority, HOST) == first


def test_one_that_is_not_renewed_is_told_of_in_time_and_given_up_at_its_end(
    authority: Authority, outside: Outside, clock: FakeClock
) -> None:
    mine = outside.put(outside.make(days=90))
    assert authority.cover()
    clock.advance(74 * DAY_S)
    authority.cover()
    assert authority.fault is None
    clock.advance(2 * DAY_S)
    authority.cover()
    assert "was not renewed" in str(authority.fault)
    assert shown(authority, HOST) == mine
    clock.advance(15 * DAY_S)
    assert authority.cover()
    assert "it ended on" in str(authority.fault)
    assert shown(authority, HOST) == house(authority)


def test_it_can_be_renewed_while_the_houses_own_has_to_wait_its_minute(
    authority: Authority, outside: Outside
) -> None:
    assert authority.cover(["192.168.1.50"])
    mine = outside.put(outside.make())
    assert authority.cover()
    assert shown(authority, HOST) == mine

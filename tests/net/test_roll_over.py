"""The change from one authority to another: when it happens, what is known of it, and that nothing can cut it in two."""

from collections.abc import Callable
from datetime import timedelta
import os
from pathlib import Path
import ssl
import stat
import sys
from typing import Any

from cryptography import x509
import pytest

from ira_home.base.errors import Conflict, IraError
from ira_home.net.certificates import Authority
from ira_home.net.certificates.proof import shake_hands
from tests.support.clock import FakeClock
from tests.support.disk import Cut, Disk
from tests.support.home import hands_of_now

ID = "7f3a9c"
NAME = f"ira-{ID}.local"
HOME = "192.168.1.23"
DAY_S = 86_400
_NO_CHECK_TIME = 0x200000  # the machine's clock is not the one under the test's hand


@pytest.fixture
def clock() -> FakeClock:
    return hands_of_now()


@pytest.fixture
def authority(tmp_path: Path, clock: FakeClock) -> Authority:
    return open_in(tmp_path, clock)


def open_in(folder: Path, clock: FakeClock, *, constrained: bool = True) -> Authority:
    return Authority.open(
        folder / "pki", install_id=ID, clock=clock, addresses=[HOME], hostname="pc",
        constrained=constrained,
    )  # fmt: skip


def takes(authority: Authority, ca: bytes, name: str = NAME) -> bool:
    """Whether a strict client that knows this CA alone takes the server."""
    client = ssl.create_default_context(cadata=ca)
    client.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VerifyFlags(_NO_CHECK_TIME)
    try:
        shake_hands(authority.server_context(), client, name)
    except ssl.SSLCertVerificationError:
        return False
    return True


def pins(authority: Authority) -> tuple[str, ...]:
    return authority.pins


def hear(authority: Authority, *devices: int) -> None:
    authority.heard([(one, pins(authority)) for one in devices])


def test_both_are_known_while_one_takes_over_from_the_other(authority: Authority) -> None:
    old, pin = authority.ca_der, authority.pin
    authority.announce_next()
    shown, coming = authority.cas
    assert (shown.der, authority.pin, authority.ca_der) == (old, pin, old)
    assert pins(authority) == (pin, coming.pin)
    assert (takes(authority, old), takes(authority, coming.der)) == (True, False)
    assert authority.take_over([])
    assert pins(authority) == (coming.pin,)
    assert (takes(authority, old), takes(authority, coming.der)) == (False, True)
    assert takes(authority, coming.der, HOME), "with the addresses of the last days"
    assert authority.roll_over is None


def test_one_that_was_asked_for_waits_until_the_last_device_has_heard(authority: Authority) -> None:
    authority.announce_next()
    assert not authority.take_over([1, 2])
    hear(authority, 1)
    assert not authority.take_over([1, 2])
    hear(authority, 2)
    assert authority.take_over([1, 2])


def test_a_device_that_was_removed_is_not_waited_for(authority: Authority) -> None:
    authority.announce_next()
    hear(authority, 1)
    assert authority.take_over([1])


def test_nobody_is_waited_for_longer_than_ninety_days(
    authority: Authority, clock: FakeClock
) -> None:
    authority.announce_next()
    clock.advance(90 * DAY_S - 1)
    assert not authority.take_over([1])
    clock.advance(1)
    assert authority.take_over([1])


def test_a_clock_that_was_turned_ends_no_waiting_before_it_has_gone_on_for_an_hour(
    tmp_path: Path, authority: Authority, clock: FakeClock
) -> None:
    right = clock.now()
    authority.announce_next()
    clock.set_wall(right + timedelta(days=91))
    assert not authority.take_over([1])
    assert not open_in(tmp_path, clock).take_over([1]), "nor after a start"
    clock.advance(3_599)
    assert not authority.take_over([1])
    clock.set_wall(clock.steady())
    clock.advance(3_600)
    assert not authority.take_over([1]), "it was set right in time"
    clock.set_wall(right + timedelta(days=91))
    assert not authority.take_over([1])
    clock.advance(3_600)
    assert authority.take_over([1])


def test_at_once_waits_for_nobody(authority: Authority) -> None:
    authority.announce_next()
    assert authority.take_over([1], at_once=True)


def test_what_was_heard_of_another_change_does_not_count(authority: Authority) -> None:
    authority.announce_next()
    stale = pins(authority)
    authority.give_up_next()
    assert pins(authority) == stale[:1]
    authority.announce_next()
    authority.heard([(1, stale), (2, stale[:1])])
    assert not authority.take_over([1])
    assert pins(authority) != stale


def test_what_was_heard_is_known_after_a_restart(
    authority: Authority, tmp_path: Path, clock: FakeClock
) -> None:
    authority.announce_next()
    hear(authority, 1)
    again = open_in(tmp_path, clock)
    assert (again.pins, again.cas) == (pins(authority), authority.cas)
    assert again.roll_over == authority.roll_over
    assert not again.take_over([1, 2])
    assert again.take_over([1])
    assert open_in(tmp_path, clock).pins == again.pins


def test_there_is_one_change_at_a_time(authority: Authority) -> None:
    with pytest.raises(Conflict):
        authority.give_up_next()
    assert not authority.take_over([])
    authority.announce_next()
    with pytest.raises(Conflict):
        authority.announce_next()


@pytest.mark.parametrize("constrained", [True, False, None])
def test_the_next_one_has_bounds_as_it_was_wanted(
    authority: Authority, constrained: bool | None
) -> None:
    authority.announce_next(constrained=constrained)
    wanted = constrained is not False
    assert authority.cas[1].is_constrained == wanted
    assert authority.take_over([])
    assert authority.cas[0].is_constrained == wanted
    authority.announce_next()
    assert authority.cas[1].is_constrained == wanted, "from then on as well"


def test_the_setting_decides_only_how_one_is_made(tmp_path: Path, clock: FakeClock) -> None:
    first = open_in(tmp_path, clock)
    pin = first.pin
    again = open_in(tmp_path, clock, constrained=False)
    assert (again.pin, again.is_constrained) == (pin, True), "the one that is there stays"
    again.announce_next()
    bounded = [one.is_constrained for one in again.cas]
    assert bounded == [True, False]
    again.give_up_next()
    again.announce_next(constrained=True)
    bounded = [one.is_constrained for one in again.cas]
    assert bounded == [True, True], "who says it goes before the setting"
    assert not open_in(tmp_path / "other", clock, constrained=False).is_constrained


def test_every_one_of_a_year_has_a_name_of_its_own(authority: Authority, clock: FakeClock) -> None:
    names = []
    for _ in range(3):
        ca = x509.load_der_x509_certificate(authority.ca_der)
        names.append(ca.subject.rfc4514_string().partition(",")[0])
        authority.announce_next()
        assert authority.take_over([])
    assert names[0] == f"CN=Ira Home CA 7F3A9C {clock.now().year}"
    assert names[1:] == [f"{names[0]} (2)", f"{names[0]} (3)"]


def test_one_near_its_end_is_followed_by_another_and_people_have_a_month(
    authority: Authority, clock: FakeClock
) -> None:
    clock.advance((3_650 - 1 - 365) * DAY_S - 2)
    authority.cover()
    assert len(pins(authority)) == 1
    clock.advance(DAY_S)
    assert authority.cover()
    assert len(pins(authority)) == 2
    hear(authority, 1)
    clock.advance(30 * DAY_S - 1)
    assert not authority.take_over([1])
    clock.advance(1)
    assert authority.take_over([1])
    end = x509.load_der_x509_certificate(authority.ca_der).not_valid_after_utc
    assert end - clock.now() > timedelta(days=3_600)
    clock.advance(61)
    assert not authority.cover(), "the new one is not followed at once"


def test_a_certificate_can_be_made_anew_at_any_time_with_a_new_key(
    authority: Authority, tmp_path: Path
) -> None:
    def leaf() -> Any:
        return x509.load_pem_x509_certificate((tmp_path / "pki" / "server.pem").read_bytes())

    before = leaf()
    authority.renew()
    authority.renew()
    assert leaf().public_key() != before.public_key()
    assert takes(authority, authority.ca_der, HOME)


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean nothing here")
def test_files_of_the_next_one_are_private_whatever_the_umask(
    authority: Authority, tmp_path: Path
) -> None:
    umask = os.umask(0)
    try:
        authority.announce_next()
        hear(authority, 1)
        during = modes(tmp_path / "pki")
        authority.take_over([1])
    finally:
        os.umask(umask)
    after = dict.fromkeys(("ca.crt.pem", "ca.crt.der"), 0o644)
    after |= dict.fromkeys(("ca.key.pem", "server.pem", "server.meta.json"), 0o600)
    new = dict.fromkeys(("next-ca.crt.pem", "next-ca.crt.der"), 0o644)
    new |= dict.fromkeys(("next-ca.key.pem", "next-ca.json"), 0o600)
    assert during == after | new
    assert modes(tmp_path / "pki") == after


def modes(folder: Path) -> dict[str, int]:
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def words_of(work: Callable[[Authority], object], authority: Authority) -> str:
    """Why it could not be done, or nothing."""
    try:
        work(authority)
    except IraError as error:
        return error.message
    return ""


def address_comes(authority: Authority) -> None:
    authority.cover(["192.168.1.77"])
    if authority.fault is not None:
        raise IraError(authority.fault)
    assert "192.168.1.77" in authority.addresses


WORKS: dict[str, Callable[[Authority], object]] = {
    "announce": lambda authority: authority.announce_next(),
    "take over": lambda authority: authority.take_over([]),
    "give up": lambda authority: authority.give_up_next(),
    "renew": lambda authority: authority.renew(),
    "an address comes": address_comes,
}
# Those that change nothing of the authorities.
OF_THE_SERVER = ("renew", "an address comes")
STEPS = range(1, 25)


def prepared(folder: Path, clock: FakeClock, work: str) -> Authority:
    authority = open_in(folder, clock)
    if work in ("take over", "give up"):
        authority.announce_next()
    return authority


@pytest.mark.parametrize("work", WORKS)
def test_a_power_cut_at_any_step_leaves_a_house_that_opens_and_is_known(
    tmp_path: Path, clock: FakeClock, work: str
) -> None:
    for at in STEPS:
        folder = tmp_path / str(at)
        authority = prepared(folder, clock, work)
        known = {one.pin: one.der for one in authority.cas}
        with pytest.MonkeyPatch.context() as patched:
            disk = Disk(patched, at, Cut())
            try:
                WORKS[work](authority)
            except Cut:
                pass
            else:
                assert disk.steps < at, "every step was tried"
                return
        after = open_in(folder, clock)
        assert after.pin in known
        assert takes(after, known[after.pin])
        assert sorted(file.name for file in (folder / "pki").glob("*.part")) == []
        if len(after.pins) == 2:
            assert after.take_over([])
            assert takes(after, after.ca_der)
    pytest.fail("there are more steps than were tried")


def test_a_first_start_that_is_cut_off_at_any_step_is_gone_on_with(
    tmp_path: Path, clock: FakeClock
) -> None:
    for at in STEPS:
        folder = tmp_path / str(at)
        with pytest.MonkeyPatch.context() as patched:
            disk = Disk(patched, at, Cut())
            try:
                open_in(folder, clock)
            except Cut:
                pass
            else:
                assert disk.steps < at, "every step was tried"
                return
        key = folder / "pki" / "ca.key.pem"
        made = key.read_bytes() if key.exists() else None
        after = open_in(folder, clock)
        assert takes(after, after.ca_der)
        assert made in (None, key.read_bytes()), "a key that is there may be known already"
        assert not list((folder / "pki").glob("*.part"))
    pytest.fail("there are more steps than were tried")


@pytest.mark.parametrize("work", WORKS)
def test_a_full_disk_at_any_step_leaves_a_server_that_serves_and_goes_on_when_there_is_room(
    tmp_path: Path, clock: FakeClock, work: str
) -> None:
    for at in STEPS:
        folder = tmp_path / str(at)
        authority = prepared(folder, clock, work)
        with pytest.MonkeyPatch.context() as patched:
            disk = Disk(patched, at, OSError(28, "No space left on device"))
            said = words_of(WORKS[work], authority)
        if not said:
            assert disk.steps < at, "every step was tried"
            return
        assert "No space left on device" in said
        assert takes(authority, authority.ca_der)
        clock.advance(61)
        authority.cover()
        assert authority.fault is None
        assert takes(authority, authority.ca_der)
        if len(pins(authority)) == 1 and work not in OF_THE_SERVER:
            authority.announce_next()
        assert work in OF_THE_SERVER or authority.take_over([])
        again = open_in(folder, clock)
        assert again.pins == pins(authority)
        assert takes(again, authority.ca_der)
    pytest.fail("there are more steps than were tried")

"""A device is paired with the server that its person meant, and with no other."""

from datetime import timedelta
from pathlib import Path
import stat
from typing import Any

import pytest

from ira_device import Device, PairingRefused, ServerUnreachable, WrongServer
from ira_device.http import Address
from ira_device.pinning import Trust, Witness, find_trust, pin_of, shown_fingerprint
from ira_device.store import Store
from ira_home.base.errors import BadLink
from ira_home.base.folder_errors import DataFolderError
from tests.clients.authority import Authority
from tests.clients.fake_home import TOKEN, FakeHome, claimed, open_home
from tests.support.requirements import requirement


@pytest.fixture
def device(store: Store) -> Device:
    return Device("Lamp", kind="linux", store=store)


@requirement("lan.pinned")
async def test_a_link_pairs_by_address_with_the_stable_name(home: FakeHome, device: Device) -> None:
    paired = await device.pair(home.link().url())
    assert home.claims == [{"code": "ABCDEFGH", "kind": "linux"}]
    assert (paired.device_id, paired.label, paired.assistant) == (3, "Lamp", "Ira")
    assert paired.server_name == "ira-7f3a9c.local"
    assert paired.address == Address("127.0.0.1", home.port)
    assert device.store.token(device.store.load()) == TOKEN


async def test_without_keyring_the_token_is_in_a_file_that_only_its_person_reads(
    home: FakeHome, device: Device
) -> None:
    paired = await device.pair(home.link())
    assert paired.kept_in == "file"
    assert stat.S_IMODE(device.store.folder.stat().st_mode) == 0o700
    for path in device.store.folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.name == "token" or TOKEN not in path.read_text()


async def test_another_authority_is_not_the_server_that_was_scanned(
    home: FakeHome, device: Device
) -> None:
    other = Authority.make()
    with pytest.raises(WrongServer, match="not the server you scanned"):
        await device.pair(home.link(fingerprint=pin_of(other.certificate)))
    assert home.claims == []
    assert not device.store.is_paired()


async def test_whoever_shows_the_right_authority_without_its_key_gets_no_code(
    home: FakeHome, device: Device
) -> None:
    # The CA certificate is public: an impostor can show it, but cannot prove a name with it.
    real = Authority.make()
    home.ca_crt = real.der
    with pytest.raises(WrongServer, match="nothing was sent"):
        await device.pair(home.link(fingerprint=pin_of(real.certificate)))
    assert home.claims == []


async def test_a_certificate_of_the_right_authority_with_another_name_is_refused(
    tmp_path: Path, device: Device
) -> None:
    async with open_home(tmp_path, name="ira-000000.local") as home:
        with pytest.raises(WrongServer):
            await device.pair(home.link())
        assert home.claims == []


async def test_what_is_no_certificate_is_no_server(home: FakeHome, device: Device) -> None:
    home.ca_crt = b"hello"
    with pytest.raises(WrongServer, match="cannot be read"):
        await device.pair(home.link())


async def test_a_server_that_is_not_there_is_said_so(home: FakeHome, device: Device) -> None:
    with pytest.raises(ServerUnreachable, match=r"127\.0\.0\.1 port 1 cannot be reached"):
        await device.pair(home.link(port=1))


@pytest.mark.parametrize(
    ("status", "body", "headers", "words"),
    [
        (410, {}, {}, "wrong, used or too old"),
        (429, {}, {"Retry-After": "840"}, "Try again in 14 minutes"),
        (429, {}, {"Retry-After": "1"}, "Try again in 1 minute\\."),
        (429, {}, {}, "Try again later"),
        (409, {"detail": "This code is for a mac."}, {}, "This code is for a mac"),
        (409, {}, {}, "another kind of device"),
        (503, {"detail": "Full.\u202e"}, {}, "did not pair this device \\(503\\). Full.$"),
        (201, {"device_id": 3}, {}, "makes no sense"),
        (201, claimed(token="iras_no"), {}, "makes no sense"),
        (201, claimed(websocket="//elsewhere.example/\n"), {}, "makes no sense"),
    ],
)
async def test_every_refusal_shows_its_reason(
    home: FakeHome,
    device: Device,
    status: int,
    body: dict[str, Any],
    headers: dict[str, str],
    words: str,
) -> None:
    home.claim_answer = (status, body, headers)
    with pytest.raises(PairingRefused, match=words):
        await device.pair(home.link())
    assert not device.store.is_paired()


async def test_a_broken_link_costs_no_connection(device: Device) -> None:
    with pytest.raises(BadLink):
        await device.pair("https://192.168.1.2:8443/pair#code=OOOO")


async def test_a_folder_that_cannot_be_written_is_found_before_the_code_is_used(
    home: FakeHome, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    device = Device("Lamp", kind="linux", store=Store(tmp_path / "file", keyring=None))
    with pytest.raises(DataFolderError):
        await device.pair(home.link())
    assert home.claims == []


async def test_a_typed_code_needs_the_fingerprint_confirmed(home: FakeHome, device: Device) -> None:
    link = home.link(fingerprint=None, install_id=None)
    shown: list[str] = []

    def say_no(fingerprint: str) -> bool:
        shown.append(fingerprint)
        return False

    with pytest.raises(PairingRefused, match="nobody was asked"):
        await device.pair(link)
    with pytest.raises(PairingRefused, match="not confirmed"):
        await device.pair(link, Witness(confirm=say_no))
    assert home.claims == []
    assert shown == [shown_fingerprint(home.authority.certificate)]
    paired = await device.pair(link, Witness(confirm=lambda _shown: True))
    assert paired.server_name == "ira-7f3a9c.local"  # the CA's own subject says the id


@pytest.mark.parametrize("spelling", ["{}", "{l}", "{c}", "{pin}"])
async def test_a_given_fingerprint_is_compared_in_any_spelling(
    home: FakeHome, device: Device, spelling: str
) -> None:
    shown = shown_fingerprint(home.authority.certificate)
    pin = pin_of(home.authority.certificate)
    text = spelling.format(shown, l=shown.lower(), c=shown.replace(" ", ":"), pin=pin)
    await device.pair(home.link(fingerprint=None), Witness(fingerprint=text))
    assert device.store.is_paired()


async def test_a_given_fingerprint_that_differs_is_refused_even_beside_a_link(
    home: FakeHome, device: Device
) -> None:
    with pytest.raises(WrongServer):
        await device.pair(home.link(), Witness(fingerprint="00" * 32))
    assert home.claims == []


async def test_the_authority_of_this_computers_own_server_needs_no_question(
    home: FakeHome, device: Device
) -> None:
    link = home.link(fingerprint=None, install_id=None)
    with pytest.raises(WrongServer):
        await device.pair(link, Witness(ca_pem=Authority.make().pem))
    assert home.claims == []
    await device.pair(link, Witness(ca_pem=home.authority.pem))
    assert device.store.is_paired()


async def test_only_the_recognised_certificate_is_trusted(home: FakeHome) -> None:
    home.ca_crt = home.authority.pem + Authority.make().pem
    trust = await find_trust(home.link(), Witness())
    assert trust == Trust(home.authority.pem.decode(), "ira-7f3a9c.local")
    assert len(trust.context().get_ca_certs()) == 1


@pytest.mark.parametrize("age", [timedelta(days=398), timedelta(days=-1)])
async def test_a_clock_that_is_wrong_is_named_as_what_may_be_wrong(
    tmp_path: Path, device: Device, age: timedelta
) -> None:
    async with open_home(tmp_path, age=age) as home:
        with pytest.raises(WrongServer, match=r"nothing was sent to it\. Is the clock"):
            await device.pair(home.link())
        assert home.met_nobody()

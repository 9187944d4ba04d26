"""Which address links and QR codes carry: the owner's choice, at once and after a restart."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ira_home.config.load import load
from ira_home.domain.people import Role
from ira_home.net.interfaces import Interface
from tests.support.callers import Member
from tests.support.home import PIN, Home, open_home
from tests.support.networks import ANYWHERE, BRIDGE, CABLE, OUTSIDE, TUNNEL, WIFI, plug_in
from tests.support.requirements import requirement

WISH = {"kind": "android", "label": "Phone", "skills": [], "pin": PIN}


async def host_of_link(member: Member) -> str:
    """The host in the link of a fresh pairing code."""
    made = await member.call("POST", "/v1/me/pairings", WISH)
    return str(urlsplit(made.body["url"]).hostname)


async def choose(member: Member, address: str) -> int:
    reply = await member.call("PATCH", "/v1/admin/settings", {"advertise": address})
    if reply.status == 200:
        assert reply.body["advertise"] == address
    return reply.status


@requirement("pair.qr")
async def test_the_owner_picks_the_address_in_links_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, WIFI, TUNNEL, BRIDGE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner = await home.owner()
        port = home.services.addresses.https_port
        before = (await owner.call("GET", "/v1/admin/network")).body
        assert [(one["address"], one["interface"], one["kind"]) for one in before["addresses"]] == [
            ("192.168.1.23", "eth0", "home"),
            ("10.0.0.7", "wlan0", "home"),
            ("100.64.0.7", "tailscale0", "tunnel"),
        ]
        assert all(one["certified"] for one in before["addresses"])
        assert (before["chosen"], before["picked"], before["why_no_qr"]) == ("192.168.1.23", None, None)  # fmt: skip
        assert before["url"] == f"https://192.168.1.23:{port}"
        assert await host_of_link(owner) == "192.168.1.23"
        for address in ("10.0.0.7", "100.64.0.7"):
            assert await choose(owner, address) == 200
            after = (await owner.call("GET", "/v1/admin/network")).body
            assert (after["chosen"], after["picked"]) == (address, address)
            assert await host_of_link(owner) == address
        changes = (await owner.call("GET", "/v1/admin/changes")).body["items"]
        assert any(one["detail"] == "advertise" for one in changes)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        admin = await home.person(Role.ADMIN)
        assert await host_of_link(admin) == "100.64.0.7"
        assert await choose(admin, "") == 200
        assert await host_of_link(admin) == "192.168.1.23"
        assert (await admin.call("GET", "/v1/admin/network")).body["picked"] is None


@pytest.mark.parametrize(
    "address",
    ["192.168.1.99", "127.0.0.1", "172.17.0.1", "::1", "0.0.0.0", "ira.lan", "192.168.1.23:8443",
     "https://192.168.1.23", "192.168.1.023", "x" * 10_000],
)  # fmt: skip
async def test_an_address_that_this_computer_has_not_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    plug_in(monkeypatch, CABLE, BRIDGE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        owner = await home.owner()
        wish = {"advertise": address, "name": "Elsewhere"}
        refused = await owner.call("PATCH", "/v1/admin/settings", wish)
        assert (refused.status, refused.body["code"]) == (400, "unknown_address")
        assert refused.body["field"] == "advertise"
        shown = (await owner.call("GET", "/v1/admin/settings")).body
        assert (shown["advertise"], shown["name"]) == ("", "Home")
        assert await host_of_link(owner) == "192.168.1.23"


async def test_a_choice_outlives_an_address_that_comes_and_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, WIFI)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        assert await choose(await home.owner(), "10.0.0.7") == 200
    for cards, chosen in (((CABLE,), "192.168.1.23"), ((CABLE, WIFI), "10.0.0.7")):
        plug_in(monkeypatch, *cards)
        async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
            assert home.services.network().picked == "10.0.0.7"
            assert home.services.pairing_link.url("ABCDEFGH").startswith(f"https://{chosen}:")


async def test_what_the_servers_own_settings_say_goes_before_the_choice_and_is_said_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, WIFI)
    given = ANYWHERE | {"advertise": "203.0.113.50"}
    async with open_home(tmp_path / "data", settings=given) as home:
        owner = await home.owner()
        changed = await owner.call("PATCH", "/v1/admin/settings", {"advertise": "10.0.0.7"})
        # What holds is what is answered, as with every setting that is given from outside.
        assert (changed.status, changed.body["advertise"]) == (200, "203.0.113.50")
        shown = (await owner.call("GET", "/v1/admin/network")).body
        assert (shown["chosen"], shown["picked"], shown["set_outside"]) == ("203.0.113.50", "10.0.0.7", "203.0.113.50")  # fmt: skip
        assert await host_of_link(owner) == "203.0.113.50"
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        assert await host_of_link(await home.person(Role.ADMIN)) == "10.0.0.7"


async def test_calls_that_somebody_else_passes_on_are_answered_by_what_the_operator_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE)
    told = {"advertise": "203.0.113.50, 10.9.8.7", "hosts": "ira.lan:443"}
    async with open_home(tmp_path / "data", settings=ANYWHERE | told) as home:
        owner, ports = await home.owner(), home.services.addresses
        assert await host_of_link(owner) == "203.0.113.50"
        assert "ira.lan" in home.services.authority.names
        for base, port in ((home.base, ports.https_port), (home.plain, ports.http_port)):
            wanted = {
                f"203.0.113.50:{port}": 200,
                f"10.9.8.7:{port}": 200,
                f"203.0.113.51:{port}": 421,
                "ira.lan:443": 200,
            }
            for host, status in wanted.items():
                async with owner.http.get(f"{base}/pair", headers={"Host": host}) as reply:
                    assert reply.status == status, host
        # A browser names no port where it is that of https.
        by_name = {"Host": "ira.lan", "Origin": "https://ira.lan"}
        async with owner.http.post(f"{home.base}/v1/session", headers=by_name, json={}) as reply:
            assert (await reply.json())["code"] == "invalid", "nothing is in it, but it was read"
        by_name["Origin"] = "https://ira.lan:8443"
        async with owner.http.post(f"{home.base}/v1/session", headers=by_name, json={}) as reply:
            assert (await reply.json())["code"] == "foreign_origin"


async def test_an_address_that_the_certificate_cannot_name_is_offered_and_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, CABLE, OUTSIDE)
    async with open_home(tmp_path / "data", settings=ANYWHERE) as home:
        shown = (await (await home.owner()).call("GET", "/v1/admin/network")).body
    told = {one["address"]: (one["kind"], one["certified"]) for one in shown["addresses"]}
    assert told == {"192.168.1.23": ("home", True), "203.0.113.9": ("public", False)}


@pytest.mark.parametrize(
    ("cards", "settings", "why"),
    [
        ((CABLE,), {}, "only_this_computer"),
        ((TUNNEL,), ANYWHERE, "only_tunnel"),
        ((BRIDGE,), ANYWHERE, "no_network"),
        ((), ANYWHERE, "no_network"),
        ((CABLE,), ANYWHERE, None),
    ],
)
async def test_a_code_says_why_no_other_device_can_follow_its_link(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cards: tuple[Interface, ...],
    settings: dict[str, str],
    why: str | None,
) -> None:
    plug_in(monkeypatch, *cards)
    async with open_home(tmp_path / "data", settings=settings) as home:
        owner = await home.owner()
        made = await owner.call("POST", "/v1/me/pairings", WISH)
        assert (made.status, made.body["why_no_qr"]) == (201, why)
        shown = (await owner.call("GET", "/v1/admin/network")).body
        assert (shown["why_no_qr"], shown["url"] is None) == (why, why is not None)


async def test_only_owner_and_admins_see_the_network(house: Home) -> None:
    staff = await house.person()
    assert (await staff.call("GET", "/v1/admin/network")).status == 403
    assert await choose(staff, "") == 403


async def test_a_choice_that_was_kept_is_a_setting_like_any_other(tmp_path: Path) -> None:
    loaded = load({"data_dir": str(tmp_path)}, {}).with_stored({"advertise": "10.0.0.7"})
    assert (loaded.settings.advertise, loaded.origin("advertise")) == (("10.0.0.7",), "stored")
    given = load({"data_dir": str(tmp_path)}, {"IRA_ADVERTISE": "10.0.0.8"})
    assert given.with_stored({"advertise": "10.0.0.7"}).origin("advertise") == "environment"

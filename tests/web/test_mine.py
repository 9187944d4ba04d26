"""What a person has of their own: settings, export, deletion; and the house's own settings."""

from contextlib import suppress
import os
from pathlib import Path
import subprocess

import pytest

from ira_home.domain.devices import EventKind
from ira_home.domain.people import Role
from tests.support.home import PASSWORD, PIN, Home, hands_of_now, open_home


async def test_settings_are_each_persons_own(house: Home) -> None:
    member, other = await house.person(), await house.person()
    changed = await member.call(
        "PATCH", "/v1/me/settings", {"assistant_name": "Mira", "reply_language": "hi"}
    )
    assert changed.body == {
        "assistant_name": "Mira",
        "wake_phrase": "Hey Ira",
        "languages": ["en", "hi", "hinglish"],
        "reply_language": "hi",
        "web_search": False,
        "time_zone": "",
        "page_language": "",
        "theme": "system",
        "text_size": "normal",
        "quiet_from": "",
        "quiet_until": "",
        "events": {key: ["bell", "phones"] for key in EventKind},
    }
    assert (await member.call("GET", "/v1/me/settings")).body == changed.body
    assert (await other.call("GET", "/v1/me/settings")).body["assistant_name"] == "Ira"
    bad = await member.call("PATCH", "/v1/me/settings", {"reply_language": "xx"})
    assert (bad.status, bad.body["field"]) == (422, "reply_language")


async def test_time_looks_and_being_told_are_settings_too_and_go_into_the_export(
    house: Home,
) -> None:
    member = await house.person()
    wish = {
        "time_zone": "America/New_York", "page_language": "hi", "theme": "dark", "text_size": "larger",
        "quiet_from": "22:00", "quiet_until": "07:30",
        "events": {"task_progress": [], "task_failed": ["quiet_hours", "bell", "phones"]},
    }  # fmt: skip
    changed = (await member.call("PATCH", "/v1/me/settings", wish)).body
    usual = {key: ["bell", "phones"] for key in EventKind}
    events = usual | {"task_progress": [], "task_failed": ["bell", "phones", "quiet_hours"]}
    assert {name: changed[name] for name in wish} == wish | {"events": events}
    exported = (await member.call("GET", "/v1/me/export")).body["settings"]
    assert exported == changed
    back = {"quiet_from": "", "quiet_until": "", "events": {"task_progress": ["bell", "phones"]}}
    again = (await member.call("PATCH", "/v1/me/settings", back)).body
    assert (again["quiet_from"], again["quiet_until"]) == ("", "")
    assert again["events"] == usual | {"task_failed": ["bell", "phones", "quiet_hours"]}


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"page_language": "xx"}, "page_language"),
        ({"theme": "pink"}, "theme"),
        ({"text_size": "huge"}, "text_size"),
        ({"quiet_from": "22:00"}, "quiet_until"),
        ({"quiet_from": "24:00", "quiet_until": "07:00"}, "quiet_from"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "quiet_until"),
        ({"events": {"task_done": ["shout"]}}, "events"),
        ({"events": {"party": ["bell"]}}, "events"),
    ],
)
async def test_a_setting_that_cannot_be_is_refused_with_its_field(
    house: Home, wish: dict[str, object], field: str
) -> None:
    member = await house.person()
    before = (await member.call("GET", "/v1/me/settings")).body
    refused = await member.call("PATCH", "/v1/me/settings", wish)
    assert (refused.status, refused.body["field"]) == (422, field)
    assert (await member.call("GET", "/v1/me/settings")).body == before


async def test_a_person_goes_by_another_name(house: Home) -> None:
    member = await house.person()
    named = await member.call("PATCH", "/v1/me", {"name": "  Asha  Rao "})
    assert (named.status, named.body["name"]) == (200, "Asha Rao")
    assert (await member.call("GET", "/v1/me")).body["user"]["name"] == "Asha Rao"
    assert (await member.call("PATCH", "/v1/me", {"name": " "})).status == 422


async def test_all_other_browsers_are_signed_out_at_once_and_this_one_is_not(house: Home) -> None:
    member = await house.person()
    email = member.person.email
    others = [
        house.caller(cookie=(await house.services.sessions.sign_in(
            email=email, password=PASSWORD, address="127.0.0.1", agent="other"
        ))[0])
        for _ in range(2)
    ]  # fmt: skip
    stranger = await house.person()
    assert (await member.call("DELETE", "/v1/me/sessions")).status == 204
    for other in others:
        assert (await other.call("GET", "/v1/me")).status == 401
    assert len((await member.call("GET", "/v1/me/sessions")).body["items"]) == 1
    assert (await stranger.call("GET", "/v1/me")).status == 200


async def test_web_search_goes_on_with_the_pin_and_off_without(house: Home) -> None:
    member = await house.person()
    on = {"web_search": True}
    assert (await member.call("PATCH", "/v1/me/settings", on)).body["code"] == "pin_required"
    reply = await member.call("PATCH", "/v1/me/settings", on | {"pin": PIN})
    assert reply.body["web_search"] is True
    reply = await member.call("PATCH", "/v1/me/settings", {"web_search": False})
    assert reply.body["web_search"] is False


async def test_the_export_is_one_file_of_ones_own(house: Home) -> None:
    member = await house.person()
    device = await member.pair(label="Export Mac")
    reply = await member.call("GET", "/v1/me/export")
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Content-Disposition"].startswith("attachment")
    assert {"conversations", "devices", "events", "settings", "tool_log"} <= set(reply.body)
    assert [one["label"] for one in reply.body["devices"]] == ["Export Mac"]
    for secret in (device.token[5:], member.cookie, PIN, PASSWORD, "argon2"):
        assert secret not in reply.text
    assert "Export Mac" not in (await (await house.owner()).call("GET", "/v1/me/export")).text


async def test_deleting_needs_the_password_and_ends_the_devices(house: Home) -> None:
    member = await house.person()
    device = await member.online([])
    for body, status in (
        ({}, 422),
        ({"password": None}, 422),
        ({"password": "wrong-password"}, 403),
    ):
        assert (await member.call("DELETE", "/v1/me/data", body)).status == status
    assert (await device.caller.call("GET", "/v1/me/actions")).status == 200
    async with member.stream() as stream:
        receipt = await member.call("DELETE", "/v1/me/data", {"password": PASSWORD})
        assert receipt.status == 200
        assert receipt.body["deleted"]
        assert (await stream.until(lambda one: one.event == "reset")).data == {}
    assert await device.closed() == 4403
    assert (await member.call("GET", "/v1/me/devices")).body["items"] == []
    await device.hang_up()


async def test_the_house_is_changed_by_its_admins_and_they_see_each_other(house: Home) -> None:
    admin = await house.person(Role.ADMIN)
    seen = await admin.call("GET", "/v1/admin/settings")
    assert seen.body["model_key_set"] is False
    match = {"If-Match": seen.headers["ETag"]}
    change = {"name": "Sunrise", "time_zone": "Asia/Kolkata", "model_key": "sk-secret-value"}
    changed = await admin.call("PATCH", "/v1/admin/settings", change, headers=match)
    assert (changed.body["name"], changed.body["model_key_set"]) == ("Sunrise", True)
    assert "sk-secret" not in changed.text
    late = await admin.call("PATCH", "/v1/admin/settings", change, headers=match)
    assert late.status == 412
    bad = await admin.call("PATCH", "/v1/admin/settings", {"time_zone": "Moon/Sea"})
    assert (bad.status, bad.body["field"]) == (422, "time_zone")


async def test_the_console_reads_status_backups_and_changes(house: Home) -> None:
    owner = await house.owner()
    await (await house.person()).pair()
    status = (await owner.call("GET", "/v1/admin/status")).body
    assert (status["people"], status["devices"], status["devices_online"]) == (2, 1, 0)
    assert status["fingerprint"] == house.services.trust.fingerprint
    assert (await owner.call("GET", "/v1/admin/backups")).body["items"] == []
    lines = (await owner.call("GET", "/v1/admin/changes")).body["items"]
    assert [line["change"] for line in lines] == [
        "device_paired", "pairing_made", "signed_in", "signed_in",
    ]  # fmt: skip


async def test_lists_come_in_pages(house: Home) -> None:
    owner = await house.owner()
    for _ in range(3):
        await owner.pair()
    first = (await owner.call("GET", "/v1/admin/devices?limit=2")).body
    rest = (await owner.call("GET", f"/v1/admin/devices?cursor={first['next_cursor']}")).body
    numbers = [one["id"] for one in first["items"] + rest["items"]]
    assert numbers == sorted(numbers, reverse=True)
    assert (len(first["items"]), len(rest["items"]), rest["next_cursor"]) == (2, 1, None)
    for query in ("limit=0", "limit=x", "cursor=nonsense"):
        reply = await owner.call("GET", f"/v1/admin/devices?{query}")
        assert (reply.status, reply.body["code"]) == (422, "invalid")


async def test_it_lives_and_is_ready_and_says_so_to_anyone(house: Home) -> None:
    nobody = house.caller()
    assert (await nobody.call("GET", "/healthz")).body == {"status": "ok"}
    assert (await nobody.call("GET", "/readyz")).body == {"status": "ready"}
    house.services.ready = False
    assert (await nobody.call("GET", "/readyz")).status == 503
    assert (await nobody.call("GET", "/healthz")).status == 200


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can mount a small disk"
)
async def test_it_is_not_ready_while_its_disk_is_full_and_is_again_when_there_is_room(
    tmp_path: Path,
) -> None:
    disk, clock = tmp_path / "disk", hands_of_now()
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:  # noqa: ASYNC221
        pytest.skip("mounting is not permitted here")
    try:
        async with open_home(disk / "data", clock=clock) as house:
            nobody = house.caller()
            assert (await nobody.call("GET", "/readyz")).status == 200
            fill(disk / "filler")
            full = await nobody.call("GET", "/readyz")
            assert (full.status, full.body["code"]) == (503, "storage_full")
            assert (await nobody.call("GET", "/healthz")).status == 200
            (disk / "filler").unlink()
            assert (await nobody.call("GET", "/readyz")).body == {"status": "ready"}
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)  # noqa: ASYNC221


def fill(path: Path) -> None:
    """Take the last byte of the disk."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(bytes(65_536)) == 65_536:
            pass
        while file.write(b"x"):
            pass


async def test_the_certificate_and_the_way_to_trust_are_open_to_anyone(house: Home) -> None:
    nobody = house.caller()
    certificate = await nobody.call("GET", "/ca.crt")
    assert certificate.headers["Content-Type"] == "application/x-x509-ca-cert"
    shown = await nobody.call("GET", "/trust")
    assert house.services.trust.fingerprint in shown.text
    ping = await nobody.call("GET", "/trust-ping", headers={"Origin": "https://ira-1.local"})
    assert (ping.status, ping.headers["Cross-Origin-Resource-Policy"]) == (204, "cross-origin")

"""Why devices cannot connect, asked of a running server by its owner."""

from pathlib import Path

from tests.support.clock import FakeClock
from tests.support.home import Home, open_home


async def test_the_owner_is_told_how_devices_see_the_server(house: Home) -> None:
    owner = await house.owner()
    reply = await owner.call("GET", "/v1/admin/diagnosis")
    assert reply.status == 200
    found = {one["code"]: one for one in reply.body["items"]}
    port = house.services.addresses.https_port
    assert found["reach_good"] == {
        "topic": "reach",
        "state": "good",
        "code": "reach_good",
        "text": f"Ira answers devices at 127.0.0.1:{port}, with the right certificate.",
        "next": None,
        "command": None,
    }
    only = found["address_only_this_computer"]
    assert only["state"] == "warn"
    assert "“bind”" in only["next"]
    assert "plain_good" in found
    assert "announced_off" in found
    assert "certificate_good" in found


async def test_it_is_told_in_the_language_that_is_asked_for(house: Home) -> None:
    owner = await house.owner()
    reply = await owner.call("GET", "/v1/admin/diagnosis", headers={"Accept-Language": "hi"})
    codes = {one["code"]: one["text"] for one in reply.body["items"]}
    assert "सही सर्टिफ़िकेट" in codes["reach_good"]


async def test_it_is_for_whoever_runs_the_house(house: Home) -> None:
    person = await house.person()
    assert (await person.call("GET", "/v1/admin/diagnosis")).status == 403


async def test_a_clock_that_was_lost_is_told_first_of_all_troubles(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_home(tmp_path / "data", clock=clock) as house:
        owner = await house.owner()
        clock.set_wall(clock.now().replace(year=1970))
        reply = await owner.call("GET", "/v1/admin/diagnosis")
    (found,) = [one for one in reply.body["items"] if one["topic"] == "clock"]
    assert (found["code"], found["state"]) == ("clock_lost", "bad")
    assert "1970-12-01" in found["text"]
    assert found["next"]

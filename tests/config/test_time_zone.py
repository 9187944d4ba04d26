"""The machine's own time zone."""

from pathlib import Path

from ira_home.config.time_zone import local_zone


def test_the_variable_comes_before_the_machine(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    assert local_zone({"TZ": ":Asia/Kolkata"}, local_time=nothing, named=nothing) == "Asia/Kolkata"


def test_the_zone_is_read_from_where_local_time_points(tmp_path: Path) -> None:
    link, named = tmp_path / "localtime", tmp_path / "timezone"
    link.symlink_to("../usr/share/zoneinfo/America/Argentina/Ushuaia")
    named.write_text("Asia/Tokyo\n")
    assert local_zone({}, local_time=link, named=named) == "America/Argentina/Ushuaia"
    link.unlink()
    assert local_zone({}, local_time=link, named=named) == "Asia/Tokyo"


def test_a_machine_that_does_not_tell_is_in_utc(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"\xff\xfe not a zone")
    assert local_zone({"TZ": "IST-5:30"}, local_time=odd, named=odd) == "UTC"

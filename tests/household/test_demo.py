"""The demo household: its files, and its people and data in a running house."""

from datetime import date, timedelta
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ira_home.app.core import opened
from ira_home.base.folder_errors import DataFolderError
from ira_home.cli.demo import PRICE, TODAY, TODAY_IN_LATIN
from ira_home.config.load import load
from ira_home.household import demo
from ira_home.storage.tables import TableStore
from tests.support.clock import FakeClock
from tests.support.home import Home, hands_of_now, open_home
from tests.support.requirements import requirement

INDIA = ZoneInfo("Asia/Kolkata")
HOURS, TOOLS = Path("Downloads/opening-hours.txt"), Path("tools/clinic.py")


def texts(data: Path) -> dict[str, bytes]:
    """The laid files by their place."""
    return {
        str(path.relative_to(data)): path.read_bytes()
        for folder in ("Downloads", "tools")
        for path in (data / folder).iterdir()
    }


def test_the_files_are_laid_and_a_second_start_changes_none(tmp_path: Path) -> None:
    demo.lay_out(tmp_path)
    first, sign_in = texts(tmp_path), demo.sign_in_of(tmp_path)
    assert sorted(first) == ["Downloads/invoice.pdf", "Downloads/opening-hours.txt", "Downloads/price-list.csv", "tools/clinic.py"]  # fmt: skip
    demo.lay_out(tmp_path)
    assert texts(tmp_path) == first
    assert demo.sign_in_of(tmp_path) == sign_in


def test_what_somebody_changed_stays_and_what_nobody_did_gives_way_to_a_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.lay_out(tmp_path)
    shipped = texts(tmp_path)
    (tmp_path / HOURS).write_text("open at night\n")
    (tmp_path / "tools" / "own.py").write_text("# mine\n")
    newer = tmp_path / "newer"
    for place, content in shipped.items():
        path = newer / "demo_files" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content + b"# newer\n")
    monkeypatch.setattr(resources, "files", lambda _package: newer)
    for _ in range(2):
        demo.lay_out(tmp_path)
        assert (tmp_path / HOURS).read_text() == "open at night\n"
        assert (tmp_path / "tools" / "own.py").read_text() == "# mine\n"
        assert (tmp_path / TOOLS).read_bytes() == shipped[str(TOOLS)] + b"# newer\n"


def test_a_file_of_the_first_demo_is_replaced_unless_it_was_changed(tmp_path: Path) -> None:
    demo.lay_out(tmp_path)
    shipped = texts(tmp_path)
    (tmp_path / "demo-files.json").unlink()  # the first one kept no such record
    first = shipped[str(HOURS)].replace(
        b"Sunday            10:00 to 13:00", b"Sunday            closed"
    )
    (tmp_path / HOURS).write_bytes(first)
    (tmp_path / TOOLS).write_bytes(b"# mine\n")
    for _ in range(2):
        demo.lay_out(tmp_path)
        assert (tmp_path / HOURS).read_bytes() == shipped[str(HOURS)]
        assert (tmp_path / TOOLS).read_bytes() == b"# mine\n"


async def test_a_real_house_is_not_made_a_demo(tmp_path: Path) -> None:
    async with opened(load({"data_dir": str(tmp_path), "bind": "127.0.0.1"}, {})):
        pass
    with pytest.raises(DataFolderError, match="no demo"):
        demo.lay_out(tmp_path)
    assert not (tmp_path / "tools").exists()


async def furnished(home: Home) -> None:
    services = home.services
    sign_in = demo.sign_in_of(home.folder)
    await demo.furnish(services.accounts, services.house, home.storage, home.clock, sign_in)


async def cookie(home: Home) -> str:
    sign_in = demo.sign_in_of(home.folder)
    token, _principal = await home.services.sessions.sign_in(
        email=sign_in.email, password=sign_in.password, address="127.0.0.1", agent="test"
    )
    return token


async def visits(home: Home, day: date) -> list[str]:
    sql = "SELECT treatment FROM own_clinic_appointments WHERE day = ?"
    return [row[0] for row in await home.storage.database.all(sql, (day.isoformat(),))]


def today(clock: FakeClock) -> date:
    return clock.now().astimezone(INDIA).date()


@requirement("review.demo_data", "business.own")
async def test_the_owner_of_the_demo_asks_who_comes_today_and_sees_it(tmp_path: Path) -> None:
    demo.lay_out(tmp_path)
    async with open_home(tmp_path, clock=hands_of_now()) as home:
        await furnished(home)
        assert not home.services.library.broken
        owner = home.caller(cookie=await cookie(home))
        for sentence in (TODAY, TODAY_IN_LATIN, "Who is coming today?"):
            reply = await owner.call("POST", "/v1/ask", {"text": sentence})
            assert reply.body["tools"] == [{"tool": "clinic_appointments", "device": None, "outcome": "done"}]  # fmt: skip
            assert " appointments today, " in reply.body["text"]
            assert "12:00 " in reply.body["text"]
        reply = await owner.call("POST", "/v1/ask", {"text": PRICE})
        assert "₹1,500" in reply.body["text"]


async def test_days_later_there_are_appointments_again_and_nothing_is_there_twice(
    tmp_path: Path,
) -> None:
    demo.lay_out(tmp_path)
    clock = hands_of_now()
    first = today(clock)
    async with open_home(tmp_path, clock=clock) as home:
        await furnished(home)
        before = await visits(home, first)
        assert len(before) >= 3
        await furnished(home)
        assert await visits(home, first) == before
    clock.advance(timedelta(days=40).total_seconds())
    demo.lay_out(tmp_path)
    async with open_home(tmp_path, clock=clock) as home:
        await furnished(home)
        assert await visits(home, first) == before
        for ahead in range(14):
            assert len(await visits(home, today(clock) + timedelta(days=ahead))) >= 3
        people = await home.storage.database.all("SELECT 1 FROM own_clinic_patients")
        assert len(people) == 25


async def test_a_demo_from_before_the_tables_gets_them_at_its_next_start(tmp_path: Path) -> None:
    demo.lay_out(tmp_path)
    sign_in = demo.sign_in_of(tmp_path)
    async with open_home(tmp_path, clock=hands_of_now()) as home:
        await home.services.accounts.create_owner(
            email=sign_in.email, name="Dr Asha Rao", password=sign_in.password, pin=sign_in.pin
        )
        await furnished(home)
        zone = ZoneInfo((await home.services.house.get()).time_zone)
        assert len(await visits(home, home.clock.now().astimezone(zone).date())) >= 3


async def test_other_tables_under_the_clinic_s_name_keep_no_demo_from_starting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    demo.lay_out(tmp_path)
    async with open_home(tmp_path, clock=hands_of_now()) as home:
        other = TableStore(home.storage.database, "clinic")
        await other.migrate(f"CREATE TABLE {other.table('bookings')} (what TEXT)")
        await furnished(home)
        assert await cookie(home)
        assert "no demo data" in caplog.text
        assert await home.storage.database.all("SELECT * FROM own_clinic_bookings") == []


def test_the_demo_is_laid_into_no_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"x")
    tmp_path.chmod(0o755)
    with pytest.raises(DataFolderError, match="holds other things"):
        demo.lay_out(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["photo.jpg"]
    assert tmp_path.stat().st_mode & 0o777 == 0o755

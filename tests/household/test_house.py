"""The house's own settings: what is kept, what goes before it, and what is refused."""

import asyncio
from pathlib import Path

import pytest

from ira_home.base.errors import Forbidden, Invalid, NotFound
from ira_home.config.load import load
from ira_home.domain.house import HouseSkill
from ira_home.household.house import House
from tests.support.people import People


def house_of(
    people: People, folder: Path, *, named: tuple[str, ...] = (), **environment: str
) -> House:
    """The house over this database, with such an environment."""
    loaded = load({"data_dir": folder}, environment)
    return House(
        people.storage,
        people.changes,
        bus=people.bus,
        in_force=loaded.in_force,
        local_zone="Asia/Tokyo",
        feeds_named=named,
    )


async def test_what_is_kept_holds_until_the_environment_says_otherwise(
    people: People, tmp_path: Path
) -> None:
    house = house_of(people, tmp_path)
    fresh = await house.get()
    assert (fresh.name, fresh.time_zone, fresh.model_provider) == ("Home", "Asia/Tokyo", "none")
    assert (fresh.model_key_set, fresh.version) == (False, 0)
    fields = {
        "name": "Sunrise", "time_zone": "Asia/Kolkata", "model_provider": "openai",
        "model_url": "http://127.0.0.1:11434/v1", "model_name": "m",
    }  # fmt: skip
    kept = await house.change(None, fields, model_key="sk-kept")
    assert (kept.name, kept.time_zone, kept.model_provider) == tuple(fields.values())[:3]
    assert (kept.model_key_set, kept.version) == (True, 1)
    assert await house.kept() == fields | {"model_key": "sk-kept"}
    other = house_of(people, tmp_path, IRA_MODEL_KEY="sk-outside", IRA_TIME_ZONE="UTC")
    assert ((await other.get()).time_zone, (await other.get()).name) == ("UTC", "Sunrise")
    assert ((await other.model()).key, (await other.model()).provider) == ("sk-outside", "openai")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://x",
        "http://",
        "http://[::1",
        "http://x:99999",
        "http://x:0",
        "http://a b",
        "http://u@x",
    ],
)
async def test_an_address_that_no_model_can_have_is_refused_and_not_kept(
    people: People, tmp_path: Path, url: str
) -> None:
    house = house_of(people, tmp_path)
    with pytest.raises(Invalid) as caught:
        await house.change(None, {"model_url": url})
    assert caught.value.details == {"field": "model_url"}
    assert await house.kept() == {}


MODEL = {"model_provider": "openai", "model_url": "http://127.0.0.1:11434/v1", "model_name": "m"}


@pytest.mark.parametrize("missing", ["model_url", "model_name"])
async def test_a_model_that_could_not_be_asked_is_not_chosen(
    people: People, tmp_path: Path, missing: str
) -> None:
    house = house_of(people, tmp_path)
    fields = {name: value for name, value in MODEL.items() if name != missing}
    with pytest.raises(Invalid) as caught:
        await house.change(None, fields)
    assert caught.value.details == {"field": missing}
    assert await house.kept() == {}
    await house.change(None, MODEL)
    with pytest.raises(Invalid):
        await house.change(None, {missing: ""})
    await house.change(None, {"name": "Sunrise"})
    await house.change(None, {"model_provider": "none"})
    await house.change(None, {"model_provider": "openai"})
    assert (await house.get()).model_provider == "openai"


async def test_what_the_environment_says_of_a_model_need_not_be_kept(
    people: People, tmp_path: Path
) -> None:
    house = house_of(people, tmp_path, IRA_MODEL_URL="http://127.0.0.1:9/v1", IRA_MODEL_NAME="m")
    assert (await house.change(None, {"model_provider": "openai"})).model_name == "m"


FEEDS = ("https://a.example.com/rss", "https://b.example.com/atom")


async def test_feeds_are_those_of_the_settings_and_then_those_that_are_kept(
    people: People, tmp_path: Path
) -> None:
    house = house_of(people, tmp_path, named=(FEEDS[0],))
    assert await house.feeds() == FEEDS[:1]
    both = await house.add_feed(None, FEEDS[1])
    assert (both.feeds, both.feeds_named, both.version) == (FEEDS[1:], FEEDS[:1], 1)
    assert (await house.add_feed(None, FEEDS[1])).feeds == FEEDS[1:]
    assert (await house.add_feed(None, FEEDS[0])).feeds == (FEEDS[1], FEEDS[0])
    assert await house.feeds() == FEEDS
    with pytest.raises(NotFound, match="no such feed"):
        await house.remove_feed(None, "https://c.example.com/")
    assert (await house.remove_feed(None, FEEDS[0])).feeds == FEEDS[1:]
    with pytest.raises(NotFound, match="settings of the server"):
        await house.remove_feed(None, FEEDS[0])
    assert await house.feeds() == FEEDS


async def test_of_feeds_that_are_added_at_once_none_is_lost(people: People, tmp_path: Path) -> None:
    house = house_of(people, tmp_path)
    urls = [f"https://x.example.com/{number}" for number in range(20)]
    await asyncio.gather(*(house.add_feed(None, url) for url in urls))
    assert sorted((await house.get()).feeds) == sorted(urls)
    with pytest.raises(Invalid, match="at most 20 feeds"):
        await house.add_feed(None, "https://x.example.com/one-more")


async def test_search_is_set_up_by_a_key_and_news_by_a_feed(people: People, tmp_path: Path) -> None:
    house = house_of(people, tmp_path)
    assert await house.skills() == frozenset()
    await house.change(None, {"search_url": "https://s.example.com"}, search_key="BSA-kept")
    assert await house.skills() == {HouseSkill.WEB_SEARCH}
    choice = await house.search()
    assert (choice.url, choice.key) == ("https://s.example.com", "BSA-kept")
    assert choice.time_zone == "Asia/Tokyo"
    outside = house_of(people, tmp_path, IRA_SEARCH_KEY="BSA-outside", named=FEEDS)
    assert (await outside.search()).key == "BSA-outside"
    assert await outside.skills() == set(HouseSkill)
    await house.change(None, {}, search_key="")
    assert await house.skills() == frozenset()


async def test_changes_of_search_and_feeds_are_logged_by_their_names_alone(
    people: People, tmp_path: Path
) -> None:
    owner, house = await people.owner(), house_of(people, tmp_path)
    await house.change(owner, {}, search_key="BSA-kept")
    await house.add_feed(owner, f"{FEEDS[0]}?token=private")
    logged = "\n".join(await people.logged())
    assert "search_key" in logged
    assert "feeds" in logged
    assert "BSA" not in logged
    assert "private" not in logged
    staff = await people.added("staff@x.org")
    with pytest.raises(Forbidden):
        await house.add_feed(staff, FEEDS[1])
    with pytest.raises(Forbidden):
        await house.remove_feed(staff, FEEDS[0])


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("http://127.0.0.1:11434/v2", True),
        ("http://127.0.0.1:11435/v1", False),
        ("https://127.0.0.1:11434/v1", False),
        ("http://brain.example.com:11434/v1", False),
    ],
)
async def test_a_key_is_never_left_to_a_server_that_it_was_not_given_for(
    people: People, tmp_path: Path, url: str, *, stays: bool
) -> None:
    owner, house = await people.owner(), house_of(people, tmp_path)
    await house.change(owner, MODEL, model_key="sk-kept")
    wanted = {"model_url": url}
    tried = await house.model_with(owner, wanted, None)
    assert (tried.url, tried.key) == (url, "sk-kept" if stays else "")
    assert (await house.model_with(owner, wanted, "sk-new")).key == "sk-new"
    assert (await house.change(owner, wanted)).model_key_set is stays
    assert (await house.change(owner, MODEL, model_key="sk-new")).model_key_set


async def test_a_key_may_come_before_its_server_and_the_key_of_search_goes_with_its_own(
    people: People, tmp_path: Path
) -> None:
    owner, house = await people.owner(), house_of(people, tmp_path)
    await house.change(owner, {}, model_key="sk-kept", search_key="BSA-kept")
    await house.change(owner, MODEL)
    await house.change(owner, {"search_url": "https://s.example.com"})
    kept = MODEL | {"search_url": "https://s.example.com", "model_key": "sk-kept"}
    assert await house.kept() == kept
    assert "search_url, search_key" in "\n".join(await people.logged())

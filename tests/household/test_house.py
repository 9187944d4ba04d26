"""The house's own settings: what is kept, what goes before it, and what is refused."""

from pathlib import Path

import pytest

from ira_home.base.errors import Invalid
from ira_home.config.load import load
from ira_home.household.house import House
from tests.support.people import People


def house_of(people: People, folder: Path, **environment: str) -> House:
    """The house over this database, with such an environment."""
    loaded = load({"data_dir": folder}, environment)
    return House(
        people.storage,
        people.changes,
        bus=people.bus,
        in_force=loaded.in_force,
        local_zone="Asia/Tokyo",
    )


async def test_what_is_kept_holds_until_the_environment_says_otherwise(
    people: People, tmp_path: Path
) -> None:
    house = house_of(people, tmp_path)
    fresh = await house.get()
    assert (fresh.name, fresh.time_zone, fresh.model_provider) == ("Home", "Asia/Tokyo", "none")
    assert (fresh.model_key_set, fresh.version) == (False, 0)
    fields = {"name": "Sunrise", "time_zone": "Asia/Kolkata", "model_provider": "openai"}
    kept = await house.change(None, fields, model_key="sk-kept")
    assert (kept.name, kept.time_zone, kept.model_provider) == tuple(fields.values())
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

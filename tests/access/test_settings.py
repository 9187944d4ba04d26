"""Each person's own settings."""

from typing import Any

import pytest

from ira_home.base.errors import Invalid, PinNotSet, PinRequired, PinWrong, Unauthenticated
from ira_home.domain.settings import PersonSettings
from tests.support.people import PIN, People


async def test_a_new_account_has_the_defaults(people: People) -> None:
    person = await people.add("a@x.org")
    assert await people.settings.get(person.id) == PersonSettings()
    assert (await people.settings.get(person.id)).web_search is False


async def test_a_person_changes_their_own_and_nobody_elses(people: People) -> None:
    owner, staff = await people.owner(), await people.added("staff@x.org")
    changed = await people.settings.change(
        owner,
        assistant_name=" Asha ",
        wake_phrase="Hello  Asha",
        languages=["hi", "en", "hi"],
        reply_language="hi",
    )
    assert changed == PersonSettings("Asha", "Hello Asha", ("en", "hi"), "hi", False)
    assert await people.settings.get(owner.person.id) == changed
    assert await people.settings.get(staff.person.id) == PersonSettings()


async def test_web_search_goes_on_only_with_the_pin_and_off_without(people: People) -> None:
    owner = await people.owner()
    with pytest.raises(PinRequired):
        await people.settings.change(owner, web_search=True)
    with pytest.raises(PinWrong):
        await people.settings.change(owner, web_search=True, pin="000000")
    assert not (await people.settings.get(owner.person.id)).web_search
    assert (await people.settings.change(owner, web_search=True, pin=PIN)).web_search
    assert (await people.settings.change(owner, web_search=True, wake_phrase="Ira")).web_search
    assert not (await people.settings.change(owner, web_search=False)).web_search
    with pytest.raises(PinRequired):
        await people.settings.change(owner, web_search=True)


async def test_a_refused_change_changes_nothing(people: People) -> None:
    owner = await people.owner()
    wrong: list[dict[str, Any]] = [
        {"assistant_name": ""},
        {"assistant_name": "x" * 61},
        {"wake_phrase": "\u202e"},
        {"languages": []},
        {"languages": ["en", "fr"]},
        {"reply_language": "en,hi"},
    ]
    for bad in wrong:
        with pytest.raises(Invalid) as caught:
            await people.settings.change(owner, **({"wake_phrase": "Other"} | bad))
        assert caught.value.details["field"] in bad
    with pytest.raises(PinRequired):
        await people.settings.change(owner, assistant_name="Other", web_search=True)
    assert await people.settings.get(owner.person.id) == PersonSettings()


async def test_a_person_without_a_pin_is_told_so(people: People) -> None:
    await people.add("a@x.org", pin=None)
    with pytest.raises(PinNotSet):
        await people.settings.change(await people.sign_in("a@x.org"), web_search=True, pin="1234")


async def test_the_change_log_names_the_fields_and_no_values(people: People) -> None:
    owner = await people.owner()
    await people.settings.change(owner, assistant_name="Secretname", reply_language="hi")
    assert (await people.logged())[0] == (
        "owner@example.com settings_changed owner@example.com assistant_name, reply_language"
    )
    before = await people.logged()
    await people.settings.change(owner, reply_language="hi")
    assert await people.logged() == before


async def test_a_removed_person_changes_nothing(people: People) -> None:
    await people.owner()
    staff = await people.added("staff@x.org")
    await people.accounts.remove(None, staff.person.id)
    with pytest.raises(Unauthenticated):
        await people.settings.change(staff, assistant_name="Asha")

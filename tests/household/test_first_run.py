"""First run: on this machine, or with the code of its console, and only once."""

import asyncio
from typing import Any

import pytest

from ira_home.base.errors import Forbidden, Invalid, SetUpAlready, TooMany
from ira_home.base.tokens import read_code
from ira_home.domain.people import Role
from ira_home.household.first_run import FirstRun
from tests.support.people import PASSWORD, PIN, People


def form(**changed: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "setup_code": None,
        "from_loopback": False,
        "email": "owner@example.com",
        "name": "Olive Owner",
        "password": PASSWORD,
        "pin": PIN,
        "time_zone": "Asia/Kolkata",
        "address": "192.168.1.34",
    }
    return fields | changed


@pytest.fixture
def first_run(people: People) -> FirstRun:
    return FirstRun(people.storage, people.accounts, people.throttle)


async def test_this_machine_itself_needs_no_code(people: People, first_run: FirstRun) -> None:
    person = await first_run.set_up(**form(from_loopback=True))
    assert person.role is Role.OWNER
    assert await people.storage.settings.house("time_zone") == "Asia/Kolkata"


async def test_from_elsewhere_the_code_of_the_console_is_needed(
    people: People, first_run: FirstRun
) -> None:
    for wrong in (None, "", "AAAA-AAAA", "\ud800", "x" * 10_000):
        with pytest.raises(Forbidden):
            await first_run.set_up(
                **form(
                    setup_code=wrong,
                    address=str(wrong)[:4].encode().hex() if wrong != "\ud800" else "x",
                )
            )
    assert not await people.accounts.is_set_up()
    typed = first_run.setup_code.lower().replace("-", " ")
    assert (await first_run.set_up(**form(setup_code=typed))).email == "owner@example.com"


async def test_the_code_has_the_form_that_people_read(first_run: FirstRun) -> None:
    assert first_run.setup_code[4] == "-"
    assert read_code(first_run.setup_code) is not None


async def test_guessing_the_code_is_held_off_by_address_and_never_for_this_machine(
    people: People, first_run: FirstRun
) -> None:
    for _ in range(5):
        with pytest.raises(Forbidden):
            await first_run.set_up(**form(setup_code="AAAA-AAAA"))
    with pytest.raises(TooMany):
        await first_run.set_up(**form(setup_code=first_run.setup_code))
    with pytest.raises(Forbidden):
        await first_run.set_up(**form(setup_code="AAAA-AAAA", address="192.168.1.35"))
    await first_run.set_up(**form(from_loopback=True))


async def test_a_second_set_up_is_gone_even_with_the_right_code(
    people: People, first_run: FirstRun
) -> None:
    await first_run.set_up(**form(from_loopback=True))
    for again in (
        form(from_loopback=True),
        form(setup_code=first_run.setup_code),
        form(setup_code="AAAA-AAAA"),
    ):
        with pytest.raises(SetUpAlready):
            await first_run.set_up(**again)


async def test_of_two_set_ups_at_once_one_wins(people: People, first_run: FirstRun) -> None:
    results = await asyncio.gather(
        *(first_run.set_up(**form(from_loopback=True, email=f"o{n}@x.org")) for n in range(4)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, SetUpAlready) for one in results) == 3
    assert len(await people.accounts.list()) == 1


@pytest.mark.parametrize("zone", ["Mars/Base", "../../etc/passwd", "Asia", "\x00"])
async def test_an_unknown_time_zone_is_refused_before_anything_is_made(
    people: People, first_run: FirstRun, zone: str
) -> None:
    with pytest.raises(Invalid) as caught:
        await first_run.set_up(**form(from_loopback=True, time_zone=zone))
    assert caught.value.details == {"field": "time_zone"}
    assert not await people.accounts.is_set_up()

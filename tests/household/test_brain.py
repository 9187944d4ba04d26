"""The brain that the house chose last answers, however long it takes to look."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

from ira_home.domain.facts import HouseChanged
from ira_home.domain.house import ModelChoice
from ira_home.domain.ports import LanguageModel
from ira_home.household.brain import BrainKeeper
from ira_home.providers.brains import make_brain


class SlowHouse:
    """The first look at what was chosen takes until `hurry`, and saw the first choice."""

    def __init__(self) -> None:
        self.hurry = asyncio.Event()
        self.looks = 0

    async def model(self) -> ModelChoice:
        self.looks += 1
        if self.looks == 1:
            await self.hurry.wait()
            return ModelChoice("openai", "", "first", "")
        return ModelChoice("openai", "", "second", "")


@dataclass
class Seat:
    brain: LanguageModel


async def test_of_two_choices_the_later_one_stays() -> None:
    house, both = SlowHouse(), asyncio.Event()
    seat = Seat(make_brain("none", None, None, None))
    names: list[str] = []

    def made(choice: ModelChoice) -> LanguageModel:
        names.append(choice.name)
        if len(names) == 2:
            both.set()
        return make_brain(choice.provider, choice.url, choice.name, choice.key)

    keeper = BrainKeeper(seat, cast("Any", house), made)
    for _ in range(2):
        keeper.house_changed(HouseChanged())
        await asyncio.sleep(0)
    house.hurry.set()
    async with asyncio.timeout(5):
        await both.wait()
    assert (names, seat.brain.name) == (["first", "second"], "second")
    await keeper.close()

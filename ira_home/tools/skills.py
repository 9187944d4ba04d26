"""Which skills of the house a person has now: what they switched on and the server has set up."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ira_home.base.ids import PersonId
from ira_home.domain.house import HouseSkill
from ira_home.domain.turn_view import HouseSkillOff
from ira_home.storage.storage import Storage

SetUp = Callable[[], Awaitable[frozenset[HouseSkill]]]


@dataclass(frozen=True, slots=True)
class HouseSkills:
    """The skills that are on for a person, and those that are not with what is missing."""

    on: frozenset[HouseSkill] = frozenset()
    off: tuple[HouseSkillOff, ...] = ()


class SkillBook:
    """Looks both up at each question: what was switched off a moment ago is off."""

    def __init__(self, storage: Storage, set_up: SetUp) -> None:
        """`set_up` tells what the server has set up."""
        self._storage = storage
        self._set_up = set_up

    async def of(self, person_id: PersonId) -> HouseSkills:
        """The skills of the house for this person."""
        set_up = await self._set_up()
        wanted = (await self._storage.settings.get(person_id)).web_search
        on = set_up if wanted else frozenset[HouseSkill]()
        off = tuple(HouseSkillOff(one, one in set_up) for one in HouseSkill if one not in on)
        return HouseSkills(on, off)

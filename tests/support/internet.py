"""Stand-ins for the internet: none at all, and a policy that takes addresses of this machine for public ones."""

from collections.abc import Collection
from dataclasses import dataclass, field
import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from ira_home.base.ids import PersonId
from ira_home.domain.house import HouseSkill, HouseView
from ira_home.domain.ports import NewsReader, WebSearch
from ira_home.providers.addresses import AddressPolicy
from ira_home.tools.skills import HouseSkills

HERE = "127.0.0.1"  # public to these tests
PRIVATE = "127.0.0.2"  # of the house to these tests, and as reachable


class NoInternet:
    """Nothing that is tested with it looks outside."""

    @property
    def search(self) -> WebSearch:
        raise AssertionError

    @property
    def feeds(self) -> NewsReader:
        raise AssertionError


class NoSkills:
    """Nobody has a skill of the house, and nobody is told of one."""

    async def of(self, person_id: PersonId) -> HouseSkills:
        return HouseSkills()


@dataclass
class StandingHouse:
    """A house whose settings stand."""

    view: HouseView
    set_up: frozenset[HouseSkill] = frozenset()

    async def get(self) -> HouseView:
        return self.view

    async def skills(self) -> frozenset[HouseSkill]:
        return self.set_up


@dataclass
class Names(AbstractResolver):
    """Answers each name with the next of its lists of addresses, the last one for ever."""

    known: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        answers = self.known.get(host)
        if not answers:
            message = "no such name"
            raise OSError(message)
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(
                hostname=host, host=one, port=port, proto=0, flags=socket.AI_NUMERICHOST,
                family=socket.AF_INET6 if ":" in one else socket.AF_INET,
            )
            for one in found
        ]  # fmt: skip

    async def close(self) -> None:
        return


@dataclass(frozen=True, slots=True)
class LoopbackPolicy(AddressPolicy):
    """The real policy, but for one address of this machine and any port: those count as public."""

    public: Collection[str] = (HERE,)
    any_port: bool = True

    def allows_port(self, port: int) -> bool:
        return self.any_port or AddressPolicy.allows_port(self, port)

    def allows_address(self, address: str) -> bool:
        return address in self.public or AddressPolicy.allows_address(self, address)

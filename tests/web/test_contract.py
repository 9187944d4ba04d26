"""Every operation of the OpenAPI document with every kind of credential: no error of the server, and no answer
that the document does not tell.

`make test-contract` asks far more, and other things every time. The requests are made by `wishes.py` over Hypothesis, which
is here anyway: schemathesis would bring twenty packages more, a second HTTP client and GraphQL among them.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
import os

from hypothesis import HealthCheck, Phase, given, settings, strategies as st
import jsonschema_rs
import pytest
import pytest_asyncio

from ira_home.domain.people import Role
from ira_home.web.openapi import document
from ira_home.web.server import all_routes
from tests.support.callers import Caller, Reply
from tests.support.clock import FakeClock
from tests.support.home import Home, hands_of_now, open_home
from tests.support.requirements import requirement
from tests.web.holders import new_token
from tests.web.scripted import Scripted, lamp
from tests.web.wishes import Wish, wishes

DOCUMENT = document(all_routes(), "1")
COMPONENTS = {"components": DOCUMENT["components"]}
EXAMPLES = int(os.environ.get("IRA_EXAMPLES", "0"))
HOLDERS = ("nobody", "owner", "staff", "token", "device")
_FEW, _PAUSE_S = 400, 16 * 60

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(120 if not EXAMPLES else 7_200),
]


@dataclass
class Street:
    """A house, and those who knock: whoever lost their credential by what they asked for gets another."""

    home: Home
    clock: FakeClock
    known: dict[str, Caller] = field(default_factory=dict)
    seen: set[tuple[str, str, int]] = field(default_factory=set)

    async def who(self, name: str) -> Caller:
        found = self.known.get(name)
        probe = "/v1/me/actions" if name in ("token", "device") else "/v1/me"
        if found is None or (name != "nobody" and (await found.call("GET", probe)).status == 401):
            if found is not None:
                await found.close()
            found = self.known[name] = await self._new(name)
        return found

    async def _new(self, name: str) -> Caller:
        if name == "nobody":
            return self.home.caller()
        member = await self.home.person(Role.OWNER if name == "owner" else Role.STAFF)
        if name in ("owner", "staff"):
            device = await lamp(member, label="Lamp")
            await member.ask("door_open please")
            await device.hang_up()
            return member
        if name == "token":
            return self.home.caller(bearer=(await new_token(member, "ask", "actions"))[0])
        return (await member.pair()).caller


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def street(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Street]:
    clock = hands_of_now()
    folder = tmp_path_factory.mktemp("contract") / "data"
    async with open_home(folder, brain=Scripted(), clock=clock) as home:
        await home.owner()  # so that the owner who asks is not the last one
        found = Street(home, clock)
        yield found
        for caller in found.known.values():
            await caller.close()
        # Were every request refused at the door, the test would show little.
        done = {(method, path) for method, path, status in found.seen if status < 300}
        assert len(done) > 20, sorted(done)


@requirement("page.contract")
@settings(
    max_examples=EXAMPLES or _FEW,
    derandomize=not EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate] if not EXAMPLES else list(Phase),
    suppress_health_check=list(HealthCheck),
)
@given(name=st.sampled_from(HOLDERS), wish=wishes(DOCUMENT))
async def test_every_answer_is_one_that_the_document_tells(
    street: Street, name: str, wish: Wish
) -> None:
    caller = await street.who(name)
    reply = await caller.call(wish.method, wish.target, wish.raw, headers=wish.headers)
    if reply.status == 429:
        street.clock.advance(_PAUSE_S)
    street.seen.add((wish.method, wish.path, reply.status))
    check(wish, reply)


def check(wish: Wish, reply: Reply) -> None:
    """The status, the media type and the shape are among those told; nothing is the server's fault."""
    assert reply.status < 500, (wish, reply)
    told = wish.told["responses"].get(str(reply.status))
    assert told is not None, (wish, reply)
    content = told.get("content", {})
    media = reply.headers.get("Content-Type", "").partition(";")[0]
    assert (media in content) or not (content or reply.text), (wish, reply)
    if reply.body is not None:
        schema = content[media]["schema"] | COMPONENTS
        jsonschema_rs.validator_for(schema).validate(reply.body)

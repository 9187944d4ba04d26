"""A question that waits for its person, and what became of it."""

import pytest

from ira_home.base.errors import IraError
from ira_home.domain.people import Principal
from ira_home.domain.proposals import Proposal, ProposalState
from ira_home.domain.turns import TurnState
from tests.support.device_house import PIN
from tests.support.talk import Gadget, Talk

ASK_PARCEL = "Send the parcel to Marigold"


async def asked(
    talk: Talk, tool: str = "parcel_send", text: str = ASK_PARCEL, **arguments: str
) -> tuple[Principal, Gadget, Proposal]:
    needs_pin = tool == "vault_empty"
    asha = await (talk.house.person_with_pin() if needs_pin else talk.house.person())
    mac = await talk.gadget(asha)
    talk.brain.call(tool, **(arguments or ({"name": "Marigold"} if tool == "parcel_send" else {})))
    result = await talk.ask(asha, text)
    assert len(result.proposals) == 1, result
    assert not mac.calls
    return asha, mac, result.proposals[0]


async def state(talk: Talk, asha: Principal, proposal: Proposal) -> ProposalState:
    return (await talk.workshop.proposals.get(asha.person.id, proposal.id)).state


async def turn_state(talk: Talk, proposal: Proposal) -> TurnState | None:
    turn = await talk.house.storage.turns.get(proposal.turn_id)
    return None if turn is None else turn.state


async def refused(talk: Talk, asha: Principal, proposal: Proposal, error: type[IraError]) -> None:
    with pytest.raises(error):
        await talk.confirm(asha, proposal, pin=PIN)

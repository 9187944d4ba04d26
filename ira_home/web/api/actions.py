"""Proposals: what waits for its person, confirmed or cancelled."""

from typing import Any

import msgspec

from ira_home.assistant.render import proposal_json
from ira_home.assistant.runs import Run
from ira_home.base.errors import (
    AlreadyDone,
    DeviceAway,
    DigestMismatch,
    NotFound,
    ProposalExpired,
    ProposalOver,
)
from ira_home.base.ids import ProposalId
from ira_home.web.api.ask import answer_of, run_again
from ira_home.web.call import Call
from ira_home.web.once import HEADER, once
from ira_home.web.routes import PIN_ERRORS, Needs, Route
from ira_home.web.shapes import Answer, Items, Proposal


class Confirmation(msgspec.Struct):
    """The digest that was shown; the PIN for Tier 3."""

    digest: str
    pin: str | None = None


async def show(call: Call) -> Items[Any]:
    """What waits for this person."""
    waiting = await call.services.proposals.list_open(call.person_id)
    return Items([proposal_json(one) for one in waiting])


async def is_mine(call: Call) -> None:
    """Raise NotFound for another person's proposal."""
    await call.services.proposals.get(call.person_id, ProposalId(call.number("id")))


async def _answered(call: Call, *, yes: bool, digest: str | None, pin: str | None) -> Run:
    async def work() -> tuple[str, Run]:
        run = await call.services.assistant.answer_proposal(
            call.principal,
            ProposalId(call.number("id")),
            yes=yes,
            digest=digest,
            pin=pin,
        )
        return run.id, run

    return await once(call, work, lambda name: run_again(call, name))


async def confirm(call: Call) -> dict[str, Any]:
    """Say yes to exactly what was shown, and wait for the answer."""
    said: Confirmation = call.body
    run = await _answered(call, yes=True, digest=said.digest, pin=said.pin)
    return await answer_of(call, run)


async def cancel(call: Call) -> dict[str, Any]:
    """Say no."""
    return await answer_of(call, await _answered(call, yes=False, digest=None, pin=None))


_PROBLEMS = (NotFound, ProposalExpired, ProposalOver, AlreadyDone)
ROUTES = (
    Route(
        "GET",
        "/v1/me/actions",
        show,
        Needs.ACTIONS,
        summary="What waits for me",
        reply=Items[Proposal],
    ),
    Route(
        "POST",
        "/v1/actions/{id}/confirm",
        confirm,
        Needs.ACTIONS,
        summary="Say yes to what was shown",
        body=Confirmation,
        reply=Answer,
        finds=is_mine,
        headers=(HEADER,),
        problems=(*_PROBLEMS, DigestMismatch, DeviceAway, *PIN_ERRORS),
    ),
    Route(
        "POST",
        "/v1/actions/{id}/cancel",
        cancel,
        Needs.ACTIONS,
        summary="Say no",
        reply=Answer,
        finds=is_mine,
        headers=(HEADER,),
        problems=_PROBLEMS,
    ),
)

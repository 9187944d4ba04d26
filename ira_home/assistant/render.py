"""Answers and proposals as JSON, with the field names that clients rely on (DESIGN 11)."""

from typing import Any

from ira_home.assistant.runs import RunResult
from ira_home.base.clock import rfc3339
from ira_home.base.ids import CallId
from ira_home.domain.proposals import Proposal
from ira_home.domain.tools import Outcome, ToolUse


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """A proposal as its own person sees it."""
    return {
        "id": proposal.id,
        "digest": proposal.digest,
        "tier": int(proposal.tier),
        "tool": proposal.tool,
        "device": proposal.device,
        "text": proposal.text,
        "arguments": dict(proposal.arguments),
        "from_untrusted": [
            {"argument": one.argument, "source": one.source} for one in proposal.from_untrusted
        ],
        "expires_at": rfc3339(proposal.expires_at),
        "state": proposal.state.value,
    }


def answer_json(result: RunResult) -> dict[str, Any]:
    """The answer of `/v1/ask`, and the data of the event `done`."""
    return {
        "run_id": result.run_id,
        "conversation_id": result.conversation_id,
        "message_id": result.message_id,
        "text": result.text,
        "proposals": [proposal_json(one) for one in result.proposals],
        "tools": [tool_json(one) for one in result.tools],
    }


def error_json(result: RunResult) -> dict[str, Any]:
    """The data of the event `error`: the answer as far as it came, and what cut it short."""
    error = result.error
    told = {} if error is None else {"error": {"code": error.code, "message": error.message}}
    return answer_json(result) | told


def tool_json(use: ToolUse) -> dict[str, Any]:
    """One call that an answer speaks of."""
    return {"tool": use.tool, "device": use.device, "outcome": use.outcome.value}


def tool_event(
    call_id: CallId, tool: str, device: str | None, outcome: Outcome | None
) -> dict[str, Any]:
    """The data of the event `tool`: a call begins (no outcome yet) or has ended."""
    told = None if outcome is None else outcome.value
    return {"call_id": call_id, "tool": tool, "device": device, "outcome": told}

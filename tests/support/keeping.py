"""Asking what a page tells to ask, and comparing what comes back."""

from collections.abc import Iterable

from tests.support.callers import Member
from tests.support.pages import Promise


async def check_promises(member: Member, promises: Iterable[Promise]) -> None:
    """Say each sentence in a conversation of its own; a question of Ira's is answered with yes."""
    for one in promises:
        answer = (await member.ask(one.said)).body
        if answer["proposals"]:
            answer = (await member.ask("yes", answer["conversation_id"])).body
        assert [used["tool"] for used in answer["tools"]] == [one.tool], (one.said, answer["text"])
        assert one.answer in answer["text"], (one.said, answer["text"])

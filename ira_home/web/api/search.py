"""Searching one's own messages."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import Invalid
from ira_home.domain.conversations import Entry
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items

QUERY_CHARS = 200


class Hit(msgspec.Struct):
    """A message that holds every word."""

    conversation_id: int
    message_id: int
    kind: str
    text: str
    at: str


def _hit_of(entry: Entry) -> Hit:
    return Hit(
        conversation_id=entry.conversation_id,
        message_id=entry.id,
        kind=entry.kind.value,
        text=entry.text,
        at=rfc3339(entry.at),
    )


async def search(call: Call) -> Items[Hit]:
    """The person's own messages and Ira's answers to them, newest first."""
    words = call.request.query.get("q", "")
    if len(words) > QUERY_CHARS:
        message = f"`q` has at most {QUERY_CHARS} characters."
        raise Invalid(message, field="q")
    book = call.services.assistant.conversations
    page = await book.search(call.person_id, words, call.cursor, call.limit)
    return Items([_hit_of(entry) for entry in page.items], page.next_cursor)


ROUTES = (
    Route(
        "GET",
        "/v1/me/search",
        search,
        Needs.SESSION,
        summary="Search my messages",
        reply=Items[Hit],
        query=("q", *PAGING),
        problems=(Invalid,),
    ),
)

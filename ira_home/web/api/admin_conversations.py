"""Conversations as an admin may read them: with placeholders where a device answered."""

import msgspec

from ira_home.base.errors import NotFound
from ira_home.base.ids import ConversationId
from ira_home.domain.conversations import OwnedConversation
from ira_home.web.api.conversations import Head, Message, head_of, message_of
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items


class OwnedHead(Head):
    """A conversation with the person it is of."""

    person: str


class OwnedWhole(OwnedHead):
    """A conversation with its entries, oldest first."""

    messages: list[Message]


def _head_of(owned: OwnedConversation) -> OwnedHead:
    head = msgspec.structs.asdict(head_of(owned.conversation))
    return OwnedHead(**head, person=owned.email)


async def show(call: Call) -> Items[OwnedHead]:
    """Everybody's conversations, the one that changed last first."""
    page = await call.services.assistant.conversations.list_all(call.cursor, call.limit)
    return Items([_head_of(one) for one in page.items], page.next_cursor)


async def show_one(call: Call) -> OwnedWhole:
    """One conversation; what came from a device is a placeholder."""
    number = ConversationId(call.number("id"))
    found = await call.services.assistant.conversations.transcript(number)
    return OwnedWhole(
        **msgspec.structs.asdict(_head_of(found.owned)),
        messages=[message_of(entry) for entry in found.entries],
    )


ROUTES = (
    Route(
        "GET",
        "/v1/admin/conversations",
        show,
        Needs.CONSOLE,
        summary="Everybody's conversations",
        reply=Items[OwnedHead],
        query=PAGING,
    ),
    Route(
        "GET",
        "/v1/admin/conversations/{id}",
        show_one,
        Needs.CONSOLE,
        summary="One conversation, with placeholders",
        reply=OwnedWhole,
        problems=(NotFound,),
    ),
)

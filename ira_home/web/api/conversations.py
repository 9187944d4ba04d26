"""A person's conversations."""

import msgspec

from ira_home.base.clock import rfc3339
from ira_home.base.errors import NotFound
from ira_home.base.ids import ConversationId
from ira_home.domain.conversations import Conversation, Entry
from ira_home.domain.pictures import PictureHead
from ira_home.web.call import PAGING, Call
from ira_home.web.routes import Needs, Route
from ira_home.web.shapes import Items


class Head(msgspec.Struct):
    """What a list shows of a conversation."""

    id: int
    title: str
    created_at: str
    updated_at: str


class ShownPicture(msgspec.Struct):
    """A picture that came with a result; `GET /v1/me/pictures/{id}` has its bytes."""

    id: int
    media_type: str
    width: int
    height: int


class Message(msgspec.Struct):
    """One entry. `kind` is person, ira, call, result or note; `label` says where the text is from.

    `picture` is what came with a result, for its own person.
    """

    id: int
    kind: str
    text: str
    label: str
    source: str
    private: bool
    at: str
    tool: str | None
    device_id: int | None
    outcome: str | None
    complete: bool
    picture: ShownPicture | None = None


class Working(msgspec.Struct):
    """A run that is worked on: it answers `message_id`, and tells what its turn adds after `since`."""

    id: str
    message_id: int
    since: int


class Whole(Head):
    """A conversation with its entries, oldest first, and the runs that are worked on in it.

    What a run tells is among the entries as far as it is kept: who attaches to it shows it once.
    """

    messages: list[Message]
    runs: list[Working]


def head_of(conversation: Conversation) -> Head:
    """The head as its person sees it."""
    return Head(
        id=conversation.id,
        title=conversation.title,
        created_at=rfc3339(conversation.created_at),
        updated_at=rfc3339(conversation.updated_at),
    )


def message_of(entry: Entry, picture: PictureHead | None = None) -> Message:
    """An entry as it may be shown."""
    return Message(
        id=entry.id,
        kind=entry.kind.value,
        text=entry.text,
        label=entry.label.value,
        source=entry.source,
        private=entry.private,
        at=rfc3339(entry.at),
        tool=entry.tool,
        device_id=entry.device_id,
        outcome=None if entry.outcome is None else entry.outcome.value,
        complete=entry.complete,
        picture=None if picture is None else _shown(picture),
    )


def _shown(picture: PictureHead) -> ShownPicture:
    return ShownPicture(picture.id, picture.media_type, picture.width, picture.height)


async def show(call: Call) -> Items[Head]:
    """The person's conversations, the one that changed last first."""
    book = call.services.assistant.conversations
    page = await book.list(call.person_id, call.cursor, call.limit)
    return Items([head_of(one) for one in page.items], page.next_cursor)


async def show_one(call: Call) -> Whole:
    """One conversation with all that was said."""
    number = ConversationId(call.number("id"))
    book = call.services.assistant.conversations
    head = head_of(await book.get(call.person_id, number))
    entries = await book.entries(call.person_id, number)
    pictures = await book.pictures(call.person_id, entries)
    runs = call.services.assistant.working(call.person_id, number)
    return Whole(
        **msgspec.structs.asdict(head),
        messages=[message_of(entry, pictures.get(entry.id)) for entry in entries],
        runs=[Working(run.id, run.message_id, run.since) for run in runs],
    )


async def delete(call: Call) -> None:
    """Delete a conversation."""
    number = ConversationId(call.number("id"))
    await call.services.assistant.conversations.delete(call.person_id, number)


ROUTES = (
    Route(
        "GET",
        "/v1/me/conversations",
        show,
        Needs.SESSION,
        summary="My conversations",
        reply=Items[Head],
        query=PAGING,
    ),
    Route(
        "GET",
        "/v1/me/conversations/{id}",
        show_one,
        Needs.SESSION,
        summary="One of my conversations",
        reply=Whole,
        problems=(NotFound,),
    ),
    Route(
        "DELETE",
        "/v1/me/conversations/{id}",
        delete,
        Needs.SESSION,
        summary="Delete a conversation",
        status=204,
        problems=(NotFound,),
    ),
)

"""Everybody's conversations as owner and admins may read them: what a device answered is a placeholder."""

from dataclasses import dataclass
from datetime import datetime

from aiohttp import web

from ira_home.base.ids import ConversationId
from ira_home.domain.conversations import PRIVATE_PLACEHOLDER, Entry, EntryKind
from ira_home.web.call import PAGING, Call
from ira_home.web.pages.view import show, words_for
from ira_home.web.pages.words import Words
from ira_home.web.routes import Needs, Route


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry in the words of the reader; `is_hidden` for a placeholder, `tool` for what was used."""

    id: int
    kind: EntryKind
    text: str
    is_hidden: bool
    tool: str
    at: datetime


def shown_title(title: str, words: Words) -> str:
    """The title of a conversation, or the placeholder in the reader's language."""
    if title == PRIVATE_PLACEHOLDER:
        return words.t("past.private")
    return title or words.t("chat.untitled")


def _piece(entry: Entry, words: Words) -> Piece:
    is_call = entry.kind is EntryKind.CALL
    # What a tool was asked with is nobody else's, whether or not a device ran it.
    text = words.t("past.private") if entry.private else "" if is_call else entry.text
    tool = (entry.tool or "").replace("_", " ").capitalize()
    return Piece(entry.id, entry.kind, text, entry.private, tool, entry.at)


async def page(call: Call) -> web.Response:
    """All conversations, the one that changed last first."""
    found = await call.services.assistant.conversations.list_all(call.cursor, call.limit)
    words = words_for(call.request)
    heads = [
        (one.conversation, shown_title(one.conversation.title, words), one.email)
        for one in found.items
    ]
    return await show(
        call, "house_chats.html", nav="house", heads=heads, next_cursor=found.next_cursor
    )


async def show_one(call: Call) -> web.Response:
    """One conversation; raises NotFound."""
    number = ConversationId(call.number("id"))
    found = await call.services.assistant.conversations.transcript(number)
    words = words_for(call.request)
    return await show(
        call,
        "house_chat.html",
        nav="house",
        heading=shown_title(found.owned.conversation.title, words),
        email=found.owned.email,
        pieces=[_piece(entry, words) for entry in found.entries],
    )


ROUTES = (
    Route(
        "GET",
        "/house/chats",
        page,
        Needs.CONSOLE,
        page=True,
        summary="Everybody's conversations.",
        query=PAGING,
    ),
    Route(
        "GET",
        "/house/chats/{id}",
        show_one,
        Needs.CONSOLE,
        page=True,
        summary="A conversation, with placeholders for what devices answered.",
    ),
)

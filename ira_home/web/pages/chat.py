"""Talking with Ira: one's conversations, one of them, asking, and answering her questions."""

from aiohttp import web

from ira_home.assistant.assistant import Inbound
from ira_home.assistant.runs import Run
from ira_home.base.errors import Invalid, IraError, NotFound
from ira_home.base.ids import ConversationId, MessageId, ProposalId
from ira_home.domain.proposals import Proposal
from ira_home.web.call import Call, id_of
from ira_home.web.pages.answers import where_of
from ira_home.web.pages.examples import examples_of
from ira_home.web.pages.faults import Fault, fault_of
from ira_home.web.pages.transcript import settled, transcript
from ira_home.web.pages.verbs import yes_words
from ira_home.web.pages.view import go, show, words_for
from ira_home.web.routes import Needs, Route

PAST = 8  # conversations beside the chat on a wide screen


async def new(call: Call) -> web.Response:
    """A new conversation."""
    return await _new(call)


async def _new(call: Call, fault: Fault | None = None, text: str = "") -> web.Response:
    devices = await call.services.registry.list(call.person_id)
    words = words_for(call.request)
    return await show(
        call,
        "chat_new.html",
        nav="chat",
        status=200 if fault is None else fault.status,
        past=await _past(call),
        has_devices=bool(devices),
        examples=await examples_of(call, words),
        draft=text,
        fault=fault,
        at="" if fault is None else "ask",
    )


async def _past(call: Call) -> tuple[object, ...]:
    page = await call.services.assistant.conversations.list(call.person_id, None, PAST)
    return page.items


async def _waiting(call: Call, conversation_id: ConversationId) -> Proposal | None:
    for one in await call.services.proposals.list_open(call.person_id):
        if one.conversation_id == conversation_id:
            return one
    return None


async def _conversation(
    call: Call, *, fault: Fault | None = None, at: str = "", text: str = ""
) -> web.Response:
    """The conversation of the address; `at` names the part that the fault stands beside."""
    conversation_id = ConversationId(call.number("id"))
    conversations = call.services.assistant.conversations
    window = await conversations.window(
        call.person_id, conversation_id, before=_entry(call, "before"), around=_entry(call, "at")
    )
    waiting = await _waiting(call, conversation_id)
    runs = call.services.assistant.working(call.person_id, conversation_id)
    where = await where_of(call, conversation_id)
    pictures = await conversations.pictures(call.person_id, window.entries)
    items = transcript(settled(window.entries, runs), waiting, where, pictures)
    words = words_for(call.request)
    return await show(
        call,
        "chat.html",
        nav="chat",
        status=200 if fault is None else fault.status,
        conversation_id=conversation_id,
        items=items,
        older=window.older,
        is_newest=window.is_newest,
        runs=runs,
        yes_words=lambda one: yes_words(words, one.verb, with_pin=one.needs_pin),
        left_s=lambda one: _left_s(call, one),
        past=await _past(call),
        draft=text,
        fault=fault,
        at=at,
    )


def _entry(call: Call, name: str) -> MessageId | None:
    """The entry that a part of the address names; None for no number."""
    number = id_of(call.request.query.get(name, ""))
    return None if number is None else MessageId(number)


def _left_s(call: Call, proposal: Proposal) -> int:
    left = proposal.expires_at - call.services.clock.steady()
    return max(0, int(left.total_seconds()))


async def show_conversation(call: Call) -> web.Response:
    """One conversation."""
    return await _conversation(call)


async def begin(call: Call) -> web.Response:
    """Ask something new without scripts: wait for the answer, then show the conversation."""
    text = call.form.get("text", "")
    try:
        run = await _ask(call, text, None)
    except IraError as error:
        return await _new(call, fault_of(error, words_for(call.request)), text)
    await run.result()
    return go(f"/chat/{run.conversation_id}#end")


async def go_on(call: Call) -> web.Response:
    """Ask on in a conversation without scripts."""
    text = call.form.get("text", "")
    conversation_id = ConversationId(call.number("id"))
    try:
        run = await _ask(call, text, conversation_id)
    except NotFound:
        raise
    except IraError as error:
        fault = fault_of(error, words_for(call.request))
        return await _conversation(call, fault=fault, at="ask", text=text)
    await run.result()
    return go(f"/chat/{conversation_id}#end")


async def _ask(call: Call, text: str, conversation_id: ConversationId | None) -> Run:
    if not text.strip():
        raise Invalid(field="text")
    return await call.services.assistant.ask(
        Inbound(
            principal=call.principal,
            text=text,
            conversation_id=conversation_id,
            channel="web",
            here_device_id=None,
        )
    )


async def answer(call: Call) -> web.Response:
    """Answer a question by its form: yes, no, or yes with the PIN."""
    proposal_id = ProposalId(id_of(call.form.get("proposal", "")) or 0)
    await call.services.proposals.get(call.person_id, proposal_id)
    try:
        run = await call.services.assistant.answer_proposal(
            call.principal,
            proposal_id,
            yes=call.form.get("answer") == "yes",
            digest=call.form.get("digest") or None,
            pin=call.form.get("pin") or None,
        )
    except IraError as error:
        fault = fault_of(error, words_for(call.request))
        return await _conversation(call, fault=fault, at=f"p{proposal_id}")
    await run.result()
    return go(f"/chat/{call.number('id')}#end")


async def back_to_chat(call: Call) -> web.Response:
    """Whoever opens the address of a form sees the conversation."""
    return go(f"/chat/{call.number('id')}")


async def list_conversations(call: Call) -> web.Response:
    """One's conversations, or what was found in them."""
    asked = call.request.query.get("q", "").strip()[:200]
    conversations = call.services.assistant.conversations
    page = await conversations.list(call.person_id, None if asked else call.cursor, 50)
    found = await conversations.search(call.person_id, asked, None, 50) if asked else None
    return await show(call, "chats.html", nav="chat", page=page, asked=asked, found=found)


async def ask_delete(call: Call) -> web.Response:
    """What deleting a conversation means, before it is done."""
    conversation_id = ConversationId(call.number("id"))
    await call.services.assistant.conversations.entries(call.person_id, conversation_id)
    return await show(call, "chat_delete.html", nav="chat", conversation_id=conversation_id)


async def delete(call: Call) -> web.Response:
    """Delete a conversation."""
    conversation_id = ConversationId(call.number("id"))
    await call.services.assistant.conversations.delete(call.person_id, conversation_id)
    return go("/chats")


ROUTES = (
    Route("GET", "/chat", new, Needs.SESSION, page=True, summary="A new conversation."),
    Route("POST", "/chat", begin, Needs.SESSION, page=True, summary="Ask something new."),
    Route(
        "GET",
        "/chat/{id}",
        show_conversation,
        Needs.SESSION,
        page=True,
        summary="A conversation.",
        query=("before", "at"),
    ),
    Route("POST", "/chat/{id}", go_on, Needs.SESSION, page=True, summary="Ask on."),
    Route(
        "POST",
        "/chat/{id}/answer",
        answer,
        Needs.SESSION,
        page=True,
        summary="Answer Ira's question with yes, no or the PIN.",
    ),
    Route("GET", "/chat/{id}/answer", back_to_chat, Needs.SESSION, page=True),
    Route(
        "GET",
        "/chat/{id}/delete",
        ask_delete,
        Needs.SESSION,
        page=True,
        summary="What deleting a conversation means.",
    ),
    Route(
        "POST",
        "/chat/{id}/delete",
        delete,
        Needs.SESSION,
        page=True,
        summary="Delete a conversation.",
    ),
    Route(
        "GET",
        "/chats",
        list_conversations,
        Needs.SESSION,
        page=True,
        summary="My conversations.",
        query=("q", "cursor"),
    ),
)

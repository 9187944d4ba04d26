"""Where the questions of a conversation were answered, when it was not in this browser."""

from collections.abc import Mapping

from ira_home.base.ids import ConversationId
from ira_home.domain.people import Credential
from ira_home.domain.proposals import Answerer
from ira_home.web.call import Call
from ira_home.web.pages.view import browser, words_for

Places = Mapping[tuple[Credential, int], str]


async def where_of(call: Call, conversation_id: ConversationId) -> dict[str, str]:
    """By call, in words; nothing for what was answered in the session that asks."""
    answers = await call.services.proposals.answers(call.person_id, conversation_id)
    here = Answerer(call.principal.credential, call.principal.credential_id)
    others = {call_id: by for call_id, by in answers.items() if by != here}
    if not others:
        return {}
    places = await _places(call)
    words = words_for(call.request)
    return {
        call_id: words.t(f"ended.by_{by.credential}", place=place)
        if (place := places.get((by.credential, by.credential_id)))
        else words.t("ended.by_other")
        for call_id, by in others.items()
    }


async def _places(call: Call) -> Places:
    """What the person's own browsers, devices and API tokens are called."""
    services, person_id = call.services, call.person_id
    found: dict[tuple[Credential, int], str] = {}
    for session in await services.sessions.list(person_id):
        found[Credential.SESSION, session.id] = browser(session.agent)
    for listed in await services.registry.list(person_id):
        found[Credential.DEVICE_TOKEN, listed.device.id] = listed.device.label
    for token in await services.api_tokens.list(person_id):
        found[Credential.API_TOKEN, token.id] = token.name
    return found

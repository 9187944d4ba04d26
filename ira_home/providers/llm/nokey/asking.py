"""Asking back for what a tool still needs, and reading the answer."""

from typing import Any

from ira_home.domain.language.words import Language
from ira_home.domain.tools import OfferedTool
from ira_home.providers.llm.nokey.request import Request
from ira_home.providers.llm.nokey.roles import Role, Slot
from ira_home.providers.llm.nokey.sentences import either, say
from ira_home.providers.llm.nokey.weighing import Weigher

_QUESTIONS = {
    Role.PATH: "which_file",
    Role.FILE: "which_file",
    Role.FOLDER: "which_folder",
    Role.PERSON: "whom",
    Role.EMAIL: "whom",
    Role.TEXT: "what_text",
    Role.QUERY: "what_query",
    Role.MOMENT: "when",
    Role.PLACE: "where",
    Role.NUMBER: "how_many",
    Role.CHOICE: "which_of",
}
_FREE_TEXT = frozenset({Role.FILE, Role.PATH, Role.FOLDER, Role.PERSON, Role.TEXT, Role.QUERY, Role.PLACE, Role.NAME, Role.CODE, Role.NOTE})  # fmt: skip
_ANSWER_CHARS = 2_000


def which_device(tool: OfferedTool, language: Language) -> str:
    """The question which device is meant, with all labels."""
    return say("which_device", language, labels=either([one.label for one in tool.targets], language))  # fmt: skip


def question(slot: Slot, language: Language) -> str:
    """The question for an argument that was not said."""
    options = [str(one) for one in slot.schema.get("enum", [])] if slot.role is Role.CHOICE else []
    key = _QUESTIONS.get(slot.role, "which")
    return say(key, language, argument=slot.words, options=either(options, language))


def answer_for(tool: OfferedTool, slot: Slot, request: Request, weigher: Weigher) -> Any:
    """The value that an answer gives for one argument; None when it gives none."""
    given = weigher.said_for(tool, request, remainder=True, only=slot)
    if slot.name in given:
        return given[slot.name]
    plain = request.text.strip()
    if slot.role in _FREE_TEXT and 0 < len(plain) <= _ANSWER_CHARS:
        return [plain] if slot.is_list else plain
    return None

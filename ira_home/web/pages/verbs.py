"""The person's own words on the button of a question: "Yes, send it" instead of "OK"."""

import re

from ira_home.web.pages.words import Words

_WORDS = re.compile(r"[a-z]+")
# Words of a tool's name or sentence, and the verb of the button that they ask for.
_VERBS = {
    "send": "send", "mail": "send", "email": "send", "reply": "send", "message": "send",
    "forward": "send", "sms": "send", "share": "share", "delete": "delete", "remove": "delete",
    "erase": "delete", "trash": "delete", "empty": "empty", "clear": "empty", "move": "move",
    "rename": "rename", "open": "open", "close": "close", "call": "call", "dial": "call",
    "ring": "call", "pay": "pay", "transfer": "pay", "buy": "buy", "order": "buy", "book": "book",
    "cancel": "cancel", "create": "make", "make": "make", "add": "add", "write": "write",
    "save": "save", "start": "start", "run": "start", "stop": "stop", "print": "print",
    "play": "play", "lock": "lock", "unlock": "unlock", "raise": "raise", "install": "install",
}  # fmt: skip
VERBS = frozenset(_VERBS.values())


def verb_of(tool: str, what: str) -> str:
    """The verb of a tool: of its sentence's first word, else of its name; `do` where none is known."""
    sentence = _WORDS.findall(what.lower())[:1]
    for word in (*sentence, *_WORDS.findall(tool.lower())):
        if word in _VERBS:
            return _VERBS[word]
    return "do"


def yes_words(words: Words, verb: str, *, with_pin: bool) -> str:
    """What the button says in the person's name."""
    return words.t(f"verb.{verb}.pin" if with_pin else f"verb.{verb}")

"""What went wrong with a form, in the visitor's language and beside the field it is about."""

from dataclasses import dataclass
from typing import Any

from ira_home.base.errors import IraError
from ira_home.web.pages.words import Words

# The field of an error that does not name one itself.
_FIELDS = {
    "wrong_credentials": "password",
    "weak_password": "password",
    "password_wrong": "password",
    "pin_wrong": "pin",
    "pin_required": "pin",
    "pin_not_set": "pin",
    "pin_locked": "pin",
    "taken": "email",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence; `field` is the error's code when it is about the whole form."""

    field: str
    text: str
    status: int


def sentence(error: IraError, words: Words, field: str = "") -> str:
    """What to say of an error: the code's own sentence, or the server's where there is none."""
    minutes = max(1, -(-(error.retry_after_s or 0) // 60))
    for key in (f"error.{error.code}.{field}", f"error.{error.code}"):
        if key in words:
            return words.t(key, minutes=minutes)
    return error.message if words.lang == "en" else words.t("error.internal")


def fault_of(error: IraError, words: Words, **renamed: str) -> Fault:
    """The fault of a form; `renamed` maps codes and fields of errors to fields of the form."""
    found: Any = error.details.get("field") or _FIELDS.get(error.code, error.code)
    named = renamed.get(error.code) or renamed.get(str(found), str(found))
    return Fault(named, sentence(error, words, named), error.status)

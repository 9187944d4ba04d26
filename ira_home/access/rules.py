"""What an e-mail address, a name, a password and a PIN may look like."""

from functools import cache
from importlib import resources
import re
import unicodedata

from ira_home.base.errors import Invalid, WeakPassword
from ira_home.base.limits import (
    EMAIL_CHARS,
    NAME_CHARS,
    PASSWORD_CHARS_MAX,
    PASSWORD_CHARS_MIN,
    PIN_DIGITS_MAX,
    PIN_DIGITS_MIN,
)
from ira_home.base.text import clean
from ira_home.domain.labels import good_label

_EMAIL = re.compile(r"[^@\s<>\",;:()\[\]\\]+@[^@\s<>\",;:()\[\]\\]+")
_PIN = re.compile(rf"[0-9]{{{PIN_DIGITS_MIN},{PIN_DIGITS_MAX}}}")


def folded_email(text: str) -> str:
    """The address as accounts are told apart by it, whether or not it is one."""
    whole = text.encode("utf-8", "replace").decode()  # half a character is no character
    return unicodedata.normalize("NFC", whole.strip().casefold())


def good_email(text: str) -> str:
    """The case-folded address; Invalid when it cannot be one."""
    email = folded_email(text)
    if len(email) > EMAIL_CHARS or clean(email) != email or not _EMAIL.fullmatch(email):
        message = "That is not an e-mail address."
        raise Invalid(message, field="email")
    return email


def good_name(text: str) -> str:
    """The person's name by the rule for labels; raises Invalid."""
    return good_label(text, field="name", chars=NAME_CHARS)


def good_pin(text: str) -> str:
    """The PIN itself; Invalid unless it is 4 to 8 digits."""
    if not _PIN.fullmatch(text):
        message = f"A PIN is {PIN_DIGITS_MIN} to {PIN_DIGITS_MAX} digits."
        raise Invalid(message, field="pin")
    return text


def good_password(text: str, *, email: str = "") -> str:
    """The password exactly as typed; WeakPassword when it is out of bounds or easily guessed."""
    if not PASSWORD_CHARS_MIN <= len(text) <= PASSWORD_CHARS_MAX:
        raise WeakPassword(field="password")
    if any(unicodedata.category(c) == "Cs" for c in text):
        message = "The password is not whole: half a character is in it."
        raise WeakPassword(message, field="password")
    folded = text.casefold()
    if folded in _common() or folded == email:
        message = "Many people use that password, so it is guessed first. Choose another."
        raise WeakPassword(message, field="password")
    return text


@cache
def _common() -> frozenset[str]:
    """The commonest passwords, case-folded."""
    listed = resources.files("ira_home.access").joinpath("common_passwords.txt")
    lines = listed.read_text(encoding="utf-8").splitlines()
    return frozenset(line.casefold() for line in lines if line and not line.startswith("# "))

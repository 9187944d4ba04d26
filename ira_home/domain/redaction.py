"""Hiding PINs that somebody types into the chat, before anything keeps or reads them."""

import re

from ira_home.base.limits import PIN_DIGITS_MAX, PIN_DIGITS_MIN

HIDDEN = "[PIN hidden]"
# `\d` is a digit of any script. What may stand between the digits of one number: white space and
# the usual separators, a zero-width sign or a bracket, but no letters.
_DIGITS = re.compile(r"\d(?:[\s.,;:/|_*()\[\]\-\u2010-\u2015\u00b7\u200b-\u200d\u2060]{0,3}\d)*")
_SPEAKS_OF_PIN = re.compile(r"(?<![^\W\d_])p\.?\s?i\.?\s?n(?![a-z])|पिन", re.IGNORECASE)


def speaks_of_pin(text: str) -> bool:
    """Whether the message is about a PIN, in Latin or Devanagari letters."""
    return _SPEAKS_OF_PIN.search(text) is not None


def hide_pins(text: str) -> str:
    """The text with every group of digits that could be a PIN replaced, spaced out or not.

    A number written without a break is left alone when it is too short or too long for a PIN. A
    longer run with breaks is hidden whole, because a PIN can stand beside another number in it.
    """
    return _DIGITS.sub(_hidden, text)


def _hidden(found: re.Match[str]) -> str:
    digits = sum(symbol.isdigit() for symbol in found[0])
    is_one_number = digits == len(found[0])
    could_be = digits >= PIN_DIGITS_MIN and (digits <= PIN_DIGITS_MAX or not is_one_number)
    return HIDDEN if could_be else found[0]

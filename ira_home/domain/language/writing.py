"""How amounts, days and numbers of things are written for people here."""

from datetime import date, datetime
import re

_FIXED = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_WEEK = ("सोमवार", "मंगलवार", "बुधवार", "गुरुवार", "शुक्रवार", "शनिवार", "रविवार")
_YEAR = (
    "जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर",
)  # fmt: skip
_NEAR = {
    "en": {-1: "yesterday, ", 0: "today, ", 1: "tomorrow, "},
    "hi": {-1: "बीते कल, ", 0: "आज, ", 1: "कल, "},
    "hinglish": {-1: "beete kal, ", 0: "aaj, ", 1: "kal, "},
}


def rupees(amount: int) -> str:
    """An amount with the Indian grouping of digits: ₹1,23,456."""
    digits = str(abs(amount))
    head, tail = digits[:-3], digits[-3:]
    groups = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
    return f"{'-' if amount < 0 else ''}₹{','.join([*groups, tail])}"


def day_words(day: date, today: date, language: str = "en") -> str:
    """A day as people say it: "today, Friday 4 December"; another year's with its year."""
    near = _NEAR.get(language, _NEAR["en"]).get((day - today).days, "")
    year = f" {day.year}" if day.year != today.year else ""
    if language == "hi":
        return f"{near}{_WEEK[day.weekday()]} {day.day} {_YEAR[day.month - 1]}{year}"
    return f"{near}{day:%A} {day.day} {day:%B}{year}"


def moment_words(value: object, now: datetime, language: str = "en") -> str:
    """A day or time in its fixed form as people say it; "" for anything else.

    "2026-12-02T05:30:00Z" is "tomorrow, Wednesday 2 December, 11:00" in the zone of `now`.
    """
    if not isinstance(value, str) or not _FIXED.fullmatch(value):
        return ""
    try:
        found = datetime.fromisoformat(value)
        found = found if found.tzinfo is None else found.astimezone(now.tzinfo)
    except (ValueError, OverflowError):
        return ""
    day = day_words(found.date(), now.date(), language)
    if len(value) == len("2026-12-02"):
        return day
    return f"{day}, {found:%H:%M:%S}" if found.second else f"{day}, {found:%H:%M}"


def count(number: int, noun: str) -> str:
    """A number of things: "0 patients", "1 patient", "2 patients"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

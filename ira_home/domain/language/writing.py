"""How amounts, days and numbers of things are written for people here."""

from datetime import date


def rupees(amount: int) -> str:
    """An amount with the Indian grouping of digits: ₹1,23,456."""
    digits = str(abs(amount))
    head, tail = digits[:-3], digits[-3:]
    groups = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
    return f"{'-' if amount < 0 else ''}₹{','.join([*groups, tail])}"


def day_words(day: date, today: date) -> str:
    """A day as people say it: "today, Friday 4 December"; another year's with its year."""
    near = {-1: "yesterday, ", 0: "today, ", 1: "tomorrow, "}.get((day - today).days, "")
    year = f" {day.year}" if day.year != today.year else ""
    return f"{near}{day:%A} {day.day} {day:%B}{year}"


def count(number: int, noun: str) -> str:
    """A number of things: "0 patients", "1 patient", "2 patients"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""Findings as people and programs are told of them: a sentence, and what to do next."""

from collections.abc import Iterable

import msgspec

from ira_home.domain.diagnosis import Finding
from ira_home.web.pages.words import Words


class FindingShown(msgspec.Struct):
    """What was found; `next` is null where nothing has to be done. `code` and `state` are closed lists.

    `command` is what `next` says to type in a terminal, where it says so.
    """

    topic: str
    state: str
    code: str
    text: str
    next: str | None
    command: str | None


def told(findings: Iterable[Finding], words: Words) -> list[FindingShown]:
    """The findings in the words of one language."""
    return [_told(one, words) for one in findings]


def _told(one: Finding, words: Words) -> FindingShown:
    key = f"diagnosis.{one.said}"
    then = f"{key}.next"
    return FindingShown(
        topic=one.topic,
        state=one.state,
        code=one.said,
        text=words.t(key, **one.values),
        next=words.t(then, **one.values) if then in words else None,
        command=one.values.get("command"),
    )

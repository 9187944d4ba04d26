"""What cannot be done now because a skill is off or a device is away."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ira_home.base.text import one_line
from ira_home.domain.language.detect import language_of
from ira_home.domain.language.words import Language
from ira_home.domain.tools import OfferedTool
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turn_view import DeviceAway, SkillOff, TurnView
from ira_home.providers.llm.nokey.decisions import Away, Say, Weighed
from ira_home.providers.llm.nokey.matching import skill_score
from ira_home.providers.llm.nokey.naming import labels_of, meant_label
from ira_home.providers.llm.nokey.sentences import say
from ira_home.providers.llm.nokey.terms import Term

TELL_WHEN_BACK = "device_tell_when_back"
_LEAST = 1.0  # a skill must share a telling word with the request
_NAMED_BONUS = 100.0  # whoever names a device means that one


def unavailable(
    view: TurnView,
    terms: Sequence[Term],
    *,
    named: Sequence[str],
    best: Weighed | None,
    language: Language,
) -> Say | Away | None:
    """That the skill is off or the device away, when that fits the request better than any tool.

    `best` is the best tool. A device named in the request counts before all others.
    """
    off = [(_fit(one.skill, one.device, terms, named), one) for one in view.skills_off]
    away = [
        (max((_fit(skill, one.device, terms, named) for skill in one.skills), default=0.0), one)
        for one in view.devices_away
    ]
    best_off = max(off, key=lambda one: one[0], default=None)
    best_away = max(away, key=lambda one: one[0], default=None)
    off_score = best_off[0] if best_off else 0.0
    away_score = best_away[0] if best_away else 0.0
    if max(off_score, away_score) <= max(best.score if best else 0.0, _LEAST):
        return _named_away(view, named, best, language)
    if best_off is not None and off_score >= away_score:
        also = best_away[1] if best_away and away_score == off_score else None
        return _off(best_off[1], also, view.now, language)
    return _away(best_away[1], view, language) if best_away else None


def _fit(skill: str, device: str, terms: Sequence[Term], named: Sequence[str]) -> float:
    if named and device not in named:
        return 0.0
    score = skill_score(skill, terms)
    return score + _NAMED_BONUS if score >= _LEAST and device in named else score


def _named_away(
    view: TurnView, named: Sequence[str], best: Weighed | None, language: Language
) -> Say | Away | None:
    """A request for a tool that names a device which is away is not for another device."""
    gone = next((one for one in view.devices_away if one.device in named), None)
    if gone is None or best is None or not best.tool.targets:
        return None
    online = {target.label for target in best.tool.targets}
    return None if online & set(named) else _away(gone, view, language)


def _off(skill: SkillOff, also: DeviceAway | None, now: datetime, language: Language) -> Say:
    text = say("skill_off", language, skill=skill.skill, device=one_line(skill.device))
    return Say(f"{text} {away_sentence(also, now, language)}" if also else text)


def _away(device: DeviceAway, view: TurnView, language: Language) -> Say | Away:
    text = away_sentence(device, view.now, language)
    if any(tool.name == TELL_WHEN_BACK for tool in view.tools):
        return Away(f"{text} {say('tell_when_back', language)}", device.device)
    return Say(text)


def away_sentence(device: DeviceAway, now: datetime, language: Language) -> str:
    """Since when the device is away, in the house's time; the date too when it was not today."""
    label = one_line(device.device)
    if device.since is None:
        return say("away", language, device=label)
    since = device.since.astimezone(now.tzinfo)
    form = "%H:%M" if since.date() == now.date() else "%d.%m.%Y %H:%M"
    return say("away_since", language, device=label, since=since.strftime(form))


def not_offered(tool: OfferedTool, named: Sequence[str], language: Language) -> str | None:
    """That the device named does not offer the tool, when another device does."""
    targets = {target.label for target in tool.targets}
    if not targets or not named or targets & set(named):
        return None
    return say("not_on_device", language, device=one_line(named[0]))


def with_labels(
    tool: OfferedTool, arguments: dict[str, Any], view: TurnView, text: str
) -> dict[str, Any]:
    """Fill an argument `device` of a tool of the house with a device's label."""
    properties = tool.parameters.get("properties") or {}
    argument = properties.get("device")
    if tool.label is not TrustLabel.HOUSE or not argument or "enum" in argument:
        return arguments
    away = [one.device for one in view.devices_away]
    meant = meant_label(text, away or labels_of(view), language_of(text))
    if meant is None and len(away) == 1:
        meant = away[0]
    return arguments if meant is None else {**arguments, "device": meant}

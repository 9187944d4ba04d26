"""What cannot be done now because a skill is off or a device is away."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ira_home.base.text import one_line
from ira_home.domain.house import HouseSkill
from ira_home.domain.language.detect import language_of
from ira_home.domain.language.words import Language
from ira_home.domain.tools import OfferedTool
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turn_view import DeviceAway, HouseSkillOff, SkillOff, TurnView
from ira_home.providers.llm.nokey.decisions import Away, Say, Weighed
from ira_home.providers.llm.nokey.matching import skill_score, tool_words
from ira_home.providers.llm.nokey.naming import labels_of, meant_label
from ira_home.providers.llm.nokey.sentences import say
from ira_home.providers.llm.nokey.terms import Term

TELL_WHEN_BACK = "device_tell_when_back"
_LEAST = 1.0  # a skill must share a telling word with the request
_PLAIN = 1.5  # what the topic of a skill has to score where nothing else of it was said
_TOPICS = {HouseSkill.WEB_SEARCH: "web", HouseSkill.NEWS: "news"}  # concepts of the lexicon
_NAMED_BONUS = 100.0  # whoever names a device means that one


def unavailable(
    view: TurnView,
    terms: Sequence[Term],
    *,
    named: Sequence[str],
    best: Weighed | None,
    language: Language,
) -> Say | Away | None:
    """That a skill is off or the device away, when that fits the request better than any tool.

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
    elsewhere = max(off_score, away_score)
    of_house = None if named else _of_house(view, terms, best, elsewhere)
    if of_house is not None:
        return Say(house_off_sentence(of_house, language))
    if elsewhere <= max(best.score if best else 0.0, _LEAST):
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


def _of_house(
    view: TurnView, terms: Sequence[Term], best: Weighed | None, elsewhere: float
) -> HouseSkillOff | None:
    """The skill of the house that is off and was asked for.

    Whoever says "the web" does not mean another tool that finds things, however well it fits.
    """
    scored = [(_house_score(one.skill, terms), one) for one in view.house_off]
    score, skill = max(scored, key=lambda one: one[0], default=(0.0, None))
    if skill is None or score <= max(elsewhere, _LEAST):
        return None
    topic = f"c:{_TOPICS[skill.skill]}"
    is_known = best is not None and topic in tool_words(best.tool).by_feature
    return None if best is not None and is_known and score <= best.score else skill


def _house_score(skill: HouseSkill, terms: Sequence[Term]) -> float:
    alone = skill_score(_TOPICS[skill], terms)
    return max(skill_score(skill, terms), alone if alone >= _PLAIN else 0.0)


def house_off_sentence(one: HouseSkillOff, language: Language) -> str:
    """That a skill of the house is off, and where it is switched on."""
    name = one.skill.value[:1].upper() + one.skill.value[1:]
    key = "house_off" if one.is_set_up else "house_not_set_up"
    return say(key, language, skill=name, command=one.skill.command)


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

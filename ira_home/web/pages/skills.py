"""What people call the skills of their devices; a skill nobody has heard of is told by its name."""

from collections.abc import Iterable
from dataclasses import dataclass

from ira_home.domain.devices import DeviceKind
from ira_home.web.pages.words import Words

COMPUTERS = frozenset({DeviceKind.MAC, DeviceKind.WINDOWS, DeviceKind.LINUX})
_PHONES = frozenset({DeviceKind.ANDROID, DeviceKind.IOS})
# What a phone's own browser brings (static/phone-tools.js).
IN_BROWSER = ("ring", "location", "camera", "clipboard", "notify", "links", "share", "battery")
# What comes with Ira: the companion brings files.
PROVIDED = frozenset({"files", *IN_BROWSER})
_ANDROID = frozenset({DeviceKind.ANDROID})
_MAC = frozenset({DeviceKind.MAC})
# In the order in which they are offered.
KNOWN: dict[str, frozenset[DeviceKind]] = {
    "files": COMPUTERS,
    "screen": COMPUTERS,
    "browser": COMPUTERS,
    "coding": COMPUTERS,
    "routine": _MAC,
    **dict.fromkeys(IN_BROWSER, _PHONES),
    "reminders": _PHONES,
    "calls": _ANDROID,
    "messages": _ANDROID,
    "contacts": _PHONES,
    "calendar": _PHONES,
}


@dataclass(frozen=True, slots=True)
class ShownSkill:
    """A skill in words; `about` is "" for one nobody has heard of."""

    name: str
    title: str
    about: str


def shown(name: str, words: Words) -> ShownSkill:
    """A skill in the visitor's language."""
    if name in KNOWN:
        return ShownSkill(name, words.t(f"skill.{name}"), words.t(f"skill.{name}.about"))
    return ShownSkill(name, name.replace("_", " ").capitalize(), "")


def chosen(ticked: Iterable[str], typed: str, kind: str) -> list[str]:
    """The skills of a form: known ones that fit the kind, and what was typed beside them.

    Boxes of another kind are hidden on the page, so one that was ticked before does not count.
    """
    fitting = [name for name in ticked if name not in KNOWN or kind in KNOWN[name]]
    own = [part.strip().lower() for part in typed.replace(",", " ").split()]
    return list(dict.fromkeys([*fitting, *own]))

"""What a known kind of tool is at least, whatever its device declares of it: its tier, and whether it is outward."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
import re
from typing import Any

from ira_home.domain.tools import Tier


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that holds. A floor never lowers what was declared."""

    tier: Tier
    outward: bool


@dataclass(frozen=True, slots=True)
class _Family:
    """A family of tools: its skills or the nouns of its names, the verbs that do something, and its floor."""

    nouns: frozenset[str]
    verbs: frozenset[str]
    floor: Floor


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FAMILIES = (
    _Family(
        _words("message messages sms mms chat chats whatsapp telegram signal channel dm mail email emails mails gmail inbox letter fax"),
        _words("send reply forward post write answer broadcast publish deliver"),
        Floor(Tier.YES, outward=True),
    ),
    _Family(
        _words("call calls phone telephone dialer video"),
        _words("call dial start place make"),
        Floor(Tier.YES, outward=True),
    ),
    _Family(
        _words("money payment payments pay upi bank banking wallet transaction transactions transfer invoice bill bills salary card"),
        _words("pay send transfer buy purchase withdraw refund schedule settle remit topup recharge donate update change"),
        Floor(Tier.PIN, outward=True),
    ),
    _Family(
        _words("password passwords credential credentials pin passcode"),
        _words("change update set reset delete share send"),
        Floor(Tier.PIN, outward=False),
    ),
    _Family(
        _words("lock locks door doors gate gates safe vault alarm"),
        _words("unlock open disarm"),
        Floor(Tier.YES, outward=False),
    ),
    _Family(
        _words("browser web webpage page url link site website tab"),
        _words("open navigate visit fetch get load goto browse post upload submit download"),
        Floor(Tier.LOOK, outward=True),
    ),
    _Family(
        _words("file files folder document documents photo photos album drive"),
        _words("share upload publish"),
        Floor(Tier.YES, outward=True),
    ),
)  # fmt: skip
# An event with guests is a letter to them, whatever keeps it.
_GUESTS = _words("guests guest attendees attendee participants participant invitees invite invites")
_CALENDAR = _words("calendar event events meeting meetings appointment appointments")
_WRITES = _words("create add book schedule invite update move reschedule make set")
# "guest_emails", "guestEmails"
_SPLIT = re.compile(r"[^a-z0-9]+|(?<=[a-z])(?=[A-Z])")


def floor_of(name: str, skills: Iterable[str], parameters: Mapping[str, Any]) -> Floor:
    """The floor of a tool, by the words of its name, its skills, and the arguments that it takes."""
    properties = parameters.get("properties")
    takes = tuple(properties) if isinstance(properties, Mapping) else ()
    return _floor(name, tuple(skills), takes)


@lru_cache(maxsize=1_024)
def _floor(name: str, skills: tuple[str, ...], takes: tuple[str, ...]) -> Floor:
    said = _words_in(name)
    about = said.union(*map(_words_in, skills))
    tier, outward = Tier.LOOK, False
    for family in _FAMILIES:
        if family.nouns & about and family.verbs & said:
            tier, outward = max(tier, family.floor.tier), outward or family.floor.outward
    if any(_GUESTS & _words_in(one) for one in takes) and (_CALENDAR & about or _WRITES & said):
        outward = True
    return Floor(tier, outward)


def _words_in(name: str) -> frozenset[str]:
    return frozenset(one.lower() for one in _SPLIT.split(name))

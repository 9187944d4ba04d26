"""Whatever a model reads: every producer of it writes words that try to get out of where they stand."""

from dataclasses import fields, replace
from enum import Enum, auto
import re
from typing import Any, get_args, get_type_hints

import pytest

from ira_home.assistant.prompt import system_prompt
from ira_home.base.ids import CallId, DeviceId, PersonId, mint
from ira_home.domain.conversations import Entry, EntryKind
from ira_home.domain.devices import SKILL_NAME, TOOL_NAME, DeviceKind
from ira_home.domain.people import Person, Role
from ira_home.domain.settings import LANGUAGES, REPLY_LANGUAGES, PersonSettings
from ira_home.domain.tools import OfferedTool, Target
from ira_home.domain.trust import TrustLabel
from ira_home.domain.turn_view import DeviceAway, HouseSkillOff, SkillOff, TurnView
from ira_home.tools.context import KnownDevice
from ira_home.tools.merge import device_argument_of
from tests.assistant.reading import (
    HOSTILE,
    LABEL,
    OBEY,
    assert_in_place,
    assert_no_false_block,
    outside,
    read,
)
from tests.support.views import NOW, device_tool, entry, view


class How(Enum):
    """In which way a model is shown a field."""

    WRAPPED = auto()  # words of devices and strangers: only inside a block
    NAME = auto()  # that a person chose: outside, on its line, and it can open or close nothing
    OWN = auto()  # what the person says or code of the house writes
    FORM = auto()  # a text of a narrow form that holds no words: see FORMS
    FIXED = auto()  # a number, a time, a choice
    UNSHOWN = auto()
    PARTS = auto()  # made of things with rows of their own


# Every field of everything that a view is made of: a new one has to say here how it is shown.
FIELDS: dict[type, dict[str, How]] = {
    TurnView: {
        "turn_id": How.UNSHOWN, "assistant_name": How.UNSHOWN, "person_name": How.UNSHOWN,
        "role": How.FIXED, "languages": How.FORM, "reply_language": How.FORM, "system": How.PARTS,
        "own_words": How.OWN, "history": How.PARTS, "steps": How.PARTS, "tools": How.PARTS,
        "skills_off": How.PARTS, "devices_away": How.PARTS, "now": How.FIXED, "may_call": How.FIXED,
        "here": How.UNSHOWN, "house_off": How.PARTS,
    },
    Entry: {
        "id": How.FIXED, "conversation_id": How.FIXED, "turn_id": How.UNSHOWN, "kind": How.FIXED,
        "text": How.WRAPPED, "label": How.FIXED, "source": How.NAME, "private": How.FIXED,
        "at": How.FIXED, "tool": How.FORM, "call_id": How.FORM, "device_id": How.FIXED,
        "outcome": How.FIXED, "complete": How.FIXED,
    },
    OfferedTool: {
        "name": How.FORM, "description": How.WRAPPED, "parameters": How.WRAPPED, "tier": How.FIXED,
        "outward": How.FIXED, "label": How.FIXED, "output": How.FIXED, "skill": How.FORM,
        "title": How.WRAPPED, "examples": How.WRAPPED, "targets": How.PARTS,
        "device_argument": How.FORM,
    },
    Target: {
        "device_id": How.FIXED, "label": How.NAME, "skills": How.FORM, "tier": How.FIXED,
        "outward": How.FIXED, "schemas": How.UNSHOWN, "definition": How.UNSHOWN,
    },
    SkillOff: {"device": How.NAME, "kind": How.FORM, "skill": How.FORM},
    HouseSkillOff: {"skill": How.FIXED, "is_set_up": How.FIXED},
    DeviceAway: {"device": How.NAME, "kind": How.FORM, "skills": How.FORM, "since": How.FIXED},
    # What the system prompt is made of, beside these.
    KnownDevice: {"id": How.FIXED, "label": How.NAME, "online": How.FIXED},
    Person: {
        "id": How.FIXED, "email": How.UNSHOWN, "name": How.NAME, "role": How.FIXED,
        "created_at": How.FIXED, "has_pin": How.FIXED,
    },
    PersonSettings: {
        "assistant_name": How.NAME, "wake_phrase": How.UNSHOWN, "languages": How.FORM,
        "reply_language": How.FORM, "web_search": How.FIXED, "time_zone": How.UNSHOWN, "theme": How.UNSHOWN,
        "page_language": How.UNSHOWN, "text_size": How.UNSHOWN, "quiet": How.FIXED, "events": How.FIXED,
    },
}  # fmt: skip
_LANGUAGE = re.compile("|".join({*LANGUAGES, *REPLY_LANGUAGES}))
FORMS: dict[tuple[type, str], re.Pattern[str]] = {
    (TurnView, "languages"): _LANGUAGE,
    (TurnView, "reply_language"): _LANGUAGE,
    (PersonSettings, "languages"): _LANGUAGE,
    (PersonSettings, "reply_language"): _LANGUAGE,
    (Entry, "tool"): TOOL_NAME,
    (Entry, "call_id"): re.compile(r"[A-Za-z0-9_-]+"),
    (OfferedTool, "name"): TOOL_NAME,
    (OfferedTool, "skill"): SKILL_NAME,
    (OfferedTool, "device_argument"): TOOL_NAME,
    (Target, "skills"): SKILL_NAME,
    (SkillOff, "kind"): re.compile("|".join(DeviceKind)),
    (SkillOff, "skill"): SKILL_NAME,
    (DeviceAway, "kind"): re.compile("|".join(DeviceKind)),
    (DeviceAway, "skills"): SKILL_NAME,
}
_PERSON = Person(PersonId(1), "a@example.com", "Asha", Role.STAFF, NOW, has_pin=True)


def in_system(**more: Any) -> TurnView:
    """A view whose system prompt tells these things."""
    made: dict[str, Any] = {"person": _PERSON, "settings": PersonSettings(), "house_name": "Home"}
    made |= {"devices": (), "skills_off": (), "devices_away": ()} | more
    who, settings = made.pop("person"), made.pop("settings")
    return view("go", system=system_prompt(who, settings, **made))


def a_tool(**more: Any) -> TurnView:
    return view("go", replace(device_tool("note_read", "Read."), **more))


def an_entry(**more: Any) -> TurnView:
    """An entry of each kind that a stranger may have had a part in, in this turn and an earlier one."""
    made = {"label": TrustLabel.DEVICE, "source": "Pad", "text": "x", "tool": "note_read"} | more
    call = entry(EntryKind.CALL, "{}", tool="note_read", call_id=CallId("c"))
    result = entry(EntryKind.RESULT, call_id=CallId("c"), **made)
    steps = (call, result, entry(EntryKind.IRA, **made), entry(EntryKind.NOTE, **made))
    return view("go", history=steps, steps=steps)


SCHEMA: dict[str, Any] = {
    "type": "object", "title": HOSTILE, "$comment": HOSTILE, "required": [HOSTILE], "pattern": HOSTILE,
    "properties": {
        "a": {"description": HOSTILE, "title": HOSTILE, "default": HOSTILE, "enum": ["b", HOSTILE]},
        HOSTILE: {"type": "string", "description": HOSTILE}, "c": {"const": HOSTILE},
        "d": {"properties": {HOSTILE: {"pattern": HOSTILE}}, "$ref": HOSTILE},
        "e": {"anyOf": [{"const": HOSTILE}, {"enum": [[HOSTILE], {HOSTILE: HOSTILE}]}]},
    },
    "$defs": {HOSTILE: {"type": "string"}}, "dependentRequired": {HOSTILE: [HOSTILE]}, HOSTILE: HOSTILE,
}  # fmt: skip
# A view with hostile words in each field that has words of people, devices or strangers.
SHOWN: dict[tuple[type, str], TurnView] = {
    (Entry, "text"): an_entry(text=HOSTILE),
    (Entry, "source"): an_entry(source=HOSTILE),
    (OfferedTool, "description"): a_tool(description=HOSTILE),
    (OfferedTool, "title"): a_tool(title=HOSTILE),
    (OfferedTool, "examples"): a_tool(examples=(HOSTILE,)),
    (OfferedTool, "parameters"): a_tool(parameters=SCHEMA),
    (Target, "label"): view("go", device_tool("note_read", "Read.", on=(LABEL, "Mill"))),
    (SkillOff, "device"): in_system(skills_off=(SkillOff(HOSTILE, "mac", "files"),)),
    (DeviceAway, "device"): in_system(devices_away=(DeviceAway(HOSTILE, "mac", ("files",), NOW),)),
    (KnownDevice, "label"): in_system(devices=(KnownDevice(DeviceId(1), HOSTILE, online=True),)),
    (Person, "name"): in_system(person=replace(_PERSON, name=HOSTILE)),
    (PersonSettings, "assistant_name"): in_system(settings=PersonSettings(assistant_name=HOSTILE)),
}
# Words that could go astray where they are not shown.
UNSHOWN = {
    (TurnView, "turn_id"): view("go", turn_id=OBEY),
    (TurnView, "assistant_name"): view("go", assistant_name=OBEY),
    (TurnView, "person_name"): view("go", person_name=OBEY),
    (TurnView, "here"): view("go", here=OBEY),
    (Entry, "turn_id"): an_entry(turn_id=OBEY),
    (Target, "schemas"): a_tool(
        targets=tuple(
            replace(one, schemas=({OBEY: OBEY},), definition=OBEY)
            for one in device_tool("a_b", "c").targets
        )
    ),
    (Target, "definition"): view("go"),
    (Person, "email"): in_system(person=replace(_PERSON, email=OBEY)),
    (PersonSettings, "wake_phrase"): in_system(settings=PersonSettings(wake_phrase=OBEY)),
    (PersonSettings, "time_zone"): in_system(settings=PersonSettings(time_zone=OBEY)),
    (PersonSettings, "page_language"): in_system(settings=PersonSettings(page_language=OBEY)),
    (PersonSettings, "theme"): in_system(settings=PersonSettings(theme=OBEY)),
    (PersonSettings, "text_size"): in_system(settings=PersonSettings(text_size=OBEY)),
}


def fields_that_are(*hows: How) -> set[tuple[type, str]]:
    return {
        (kind, name) for kind, rows in FIELDS.items() for name, how in rows.items() if how in hows
    }


def has_text(hint: Any) -> bool:
    hint = getattr(hint, "__supertype__", hint)
    return hint is str or any(has_text(one) for one in get_args(hint))


def test_every_field_of_a_view_says_how_it_is_shown() -> None:
    for kind, rows in FIELDS.items():
        assert {field.name for field in fields(kind)} == rows.keys(), kind
        hints = get_type_hints(kind)
        for name, how in rows.items():
            is_words = has_text(hints[name])
            assert how is not How.FIXED or not is_words, f"{kind.__name__}.{name} can hold words"
    assert fields_that_are(How.WRAPPED, How.NAME) == SHOWN.keys()
    assert fields_that_are(How.UNSHOWN) == UNSHOWN.keys()
    assert fields_that_are(How.FORM) == FORMS.keys()


def test_what_has_a_form_has_no_room_for_words() -> None:
    for place, form in FORMS.items():
        assert not form.fullmatch(HOSTILE), place
        assert not form.fullmatch("a b"), place
        assert not form.fullmatch("a<b"), place
    assert FORMS[Entry, "call_id"].fullmatch(mint("call_"))
    assert TOOL_NAME.fullmatch(device_argument_of([{"properties": {"device": {}}}]))


@pytest.mark.parametrize("place", SHOWN, ids=lambda one: f"{one[0].__name__}.{one[1]}")
def test_no_field_gets_out_of_where_it_stands(place: tuple[type, str]) -> None:
    kind, name = place
    sent = assert_in_place(SHOWN[place], outside_too=FIELDS[kind][name] is How.NAME)
    assert OBEY in sent  # it is shown


@pytest.mark.parametrize("label", [TrustLabel.DEVICE, TrustLabel.WEB])
def test_each_block_begins_and_ends_once(label: TrustLabel) -> None:
    blocks = [one for one in read(an_entry(text=HOSTILE, label=label)) if "untrusted=" in one]
    assert len(blocks) == 4  # of each turn a result, and an answer with a note
    for one in blocks:
        assert outside(one).strip() == ""


@pytest.mark.parametrize("place", UNSHOWN, ids=lambda one: f"{one[0].__name__}.{one[1]}")
def test_what_is_not_shown_is_not_sent(place: tuple[type, str]) -> None:
    assert OBEY not in str(read(UNSHOWN[place]))


def test_what_people_and_brains_write_makes_no_block_of_its_own() -> None:
    trusted = (
        entry(EntryKind.PERSON, HOSTILE),
        entry(EntryKind.IRA, HOSTILE),
        entry(EntryKind.NOTE, HOSTILE),
    )
    assert_no_false_block(view(HOSTILE, history=trusted, steps=trusted[1:]))
    kept = read(view("Is 1 < 2 and <b>bold</b>?"))
    assert "Is 1 < 2 and <b>bold</b>?" in kept

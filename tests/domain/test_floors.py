"""What tools of known kinds are at least, whatever their devices say."""

from typing import Any

import pytest

from ira_home.domain.floors import Floor, floor_of
from ira_home.domain.tools import Tier

NONE = Floor(Tier.LOOK, outward=False)
LETTER, PAYMENT = Floor(Tier.YES, outward=True), Floor(Tier.PIN, outward=True)
ADDRESS, GUESTS = Floor(Tier.LOOK, outward=True), Floor(Tier.LOOK, outward=True)


def taking(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


@pytest.mark.parametrize(
    ("name", "skills", "floor"),
    [
        ("messages_send", [], LETTER),
        ("quick_reply", ["whatsapp"], LETTER),
        ("phone_dial", [], LETTER),
        ("upi_send", [], PAYMENT),
        ("schedule_it", ["bank"], PAYMENT),
        ("password_change", [], Floor(Tier.PIN, outward=False)),
        ("door_unlock", [], Floor(Tier.YES, outward=False)),
        ("tab_open", ["browser"], ADDRESS),
        ("album_share", [], LETTER),
        ("mail_pay", ["bank"], PAYMENT),
        ("messages_read", ["messages"], NONE),
        ("bills_list", ["bank"], NONE),
        ("send_it", ["lamp"], NONE),
        ("lamp_on", ["lamp"], NONE),
    ],
)
def test_a_known_kind_is_told_by_its_noun_and_its_verb(
    name: str, skills: list[str], floor: Floor
) -> None:
    assert floor_of(name, skills, {}) == floor


@pytest.mark.parametrize(
    ("name", "skills", "takes", "floor"),
    [
        ("event_note", [], ["title", "guests"], GUESTS),
        ("event_note", [], ["title", "guest_emails"], GUESTS),
        ("event_note", [], ["attendeeEmails"], GUESTS),
        ("party_book", [], ["participants"], GUESTS),
        ("note_it", ["calendar"], ["invitees"], GUESTS),
        ("event_note", [], ["title"], NONE),
        ("party_find", [], ["participants"], NONE),
    ],
)
def test_an_event_with_guests_is_a_letter_to_them(
    name: str, skills: list[str], takes: list[str], floor: Floor
) -> None:
    assert floor_of(name, skills, taking(*takes)) == floor


@pytest.mark.parametrize("parameters", [{}, {"properties": None}, {"properties": ["guests"]}])
def test_a_schema_without_arguments_raises_nothing(parameters: dict[str, Any]) -> None:
    assert floor_of("event_note", [], parameters) == NONE

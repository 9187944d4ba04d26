from hypothesis import given, strategies as st
import pytest

from ira_home.base.text import clean
from ira_home.domain.proposals import Foreign
from ira_home.domain.tools import Tier
from ira_home.tools import wording
from ira_home.tools.wording import headline, language_for, read_back, say, visible
from tests.support.requirements import requirement
from tests.support.views import NOW, device_tool

PARCEL = device_tool("parcel_send", "Send the parcel to somebody.", tier=2)
TITLED = device_tool("parcel_send", "Send the parcel to somebody.", tier=2, title="Send a parcel")


def told(tool: object = TITLED, **more: object) -> str:
    made = {"tier": Tier.YES, "foreign": (), "language": "en", "now": NOW} | more
    return read_back(tool, "Office Mac", {"name": "Marigold", "count": 2}, **made)  # type: ignore[arg-type]


@requirement("tier.readback")
def test_a_read_back_says_what_where_and_every_argument() -> None:
    assert told() == (
        "On Office Mac: Send a parcel\nname: Marigold\ncount: 2\nShould I do it? Say yes or no."
    )


def test_the_tool_s_name_stands_only_where_it_has_no_title() -> None:
    assert "parcel_send" not in told()
    assert headline(told(PARCEL)) == "On Office Mac: Send the parcel to somebody (parcel_send)"


def test_tier_3_asks_for_the_pin_on_the_card() -> None:
    assert "Enter it on the card" in told(tier=Tier.PIN)


def test_words_that_are_not_the_person_s_are_marked_with_their_origin() -> None:
    text = told(foreign=(Foreign("name", "Office Mac"), Foreign("count", "")))
    assert "name: Marigold (not your words: from Office Mac)" in text
    assert "count: 2 (not your words: from something that was read)" in text


@pytest.mark.parametrize(("language", "word"), [("hi", "हाँ"), ("hinglish", "Haan")])
def test_a_read_back_speaks_the_person_s_language(language: str, word: str) -> None:
    assert word in told(language=language)


def test_the_language_is_the_one_spoken_or_the_one_chosen() -> None:
    assert language_for("parcel bhejo na", "auto") == "hinglish"
    assert language_for("parcel bhejo na", "en") == "en"


@given(st.text(min_size=1))
def test_nothing_invisible_hides_in_a_read_back(value: str) -> None:
    shown = visible(value)
    assert clean(shown) == shown
    if clean(value) == value:
        assert shown == value


def test_a_turned_direction_is_written_out() -> None:
    assert visible("a\u202eb") == "a\\u{202e}b"


def test_several_are_counted_and_no_line_of_a_value_looks_like_an_argument() -> None:
    given = {"recipients": ["Amit", "Ravi, Asha"], "body": "Hi\nrecipients (1): Mum"}
    text = read_back(TITLED, "Mac", given, tier=Tier.YES, foreign=(), language="en", now=NOW)
    assert 'recipients (2): ["Amit","Ravi, Asha"]\n' in text
    assert "body: Hi\n    recipients (1): Mum\n" in text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "tomorrow, Wednesday 2 December, 11:00"), ("hi", "कल, बुधवार 2 दिसंबर, 11:00")],
)
def test_a_time_is_read_back_exactly_and_as_people_say_it(language: str, words: str) -> None:
    when = "2026-12-02T11:00:00+05:30"
    foreign = (Foreign("when", "Mac"),)
    text = read_back(
        TITLED, "Mac", {"when": when}, tier=Tier.YES, foreign=foreign, language=language, now=NOW
    )
    assert f"when: {when} ({words}) (" in text


def test_every_sentence_is_there_in_three_languages_with_the_same_gaps() -> None:
    gaps = {"device": "D", "what": "W", "source": "S"}
    for key, sentences in wording._SENTENCES.items():
        filled = {say(key, language, **gaps) for language in ("en", "hi", "hinglish")}
        assert len(filled) == 3, key
        used = [{name for name in gaps if f"{{{name}}}" in one} for one in sentences]
        assert used[0] == used[1] == used[2], key

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.redaction import HIDDEN, hide_pins, speaks_of_pin


@pytest.mark.parametrize(
    "text",
    [
        "482193",
        "482 193",
        "4 8 2 1 9 3",
        "4-8-2-1",
        "४८२१९३",
        "४ ८ २ १",
        "4८2१",
        "４８２１",
        "48.21",
        "4\n8\n2\n1",
    ],
)
def test_a_pin_is_hidden_in_every_spelling(text: str) -> None:
    assert hide_pins(text) == HIDDEN
    assert hide_pins(f"yes, my PIN is {text}.") == f"yes, my PIN is {HIDDEN}."


@pytest.mark.parametrize("text", ["in 10 minutes", "room 101", "call 9876543210", "no digits here"])
def test_numbers_that_no_pin_can_be_stay(text: str) -> None:
    assert hide_pins(text) == text


@pytest.mark.parametrize(
    "text", ["my PIN", "pin: 1234", "p.i.n.", "P I N", "मेरा पिन", "mera pin hai", "yes,pin 1"]
)
def test_a_message_that_speaks_of_a_pin_is_seen(text: str) -> None:
    assert speaks_of_pin(text)


@pytest.mark.parametrize("text", ["opinion", "spinning", "pink", "opening", "किताब"])
def test_words_that_only_hold_the_letters_do_not_count(text: str) -> None:
    assert not speaks_of_pin(text)


_GAPS = st.sampled_from(["", " ", "  ", "-", ".", ", ", "/", "\n", "\u200b"])


@given(
    st.text(alphabet="0123456789", min_size=4, max_size=8), st.lists(_GAPS, min_size=8, max_size=8)
)
def test_no_pin_survives_however_it_is_spaced(pin: str, gaps: list[str]) -> None:
    typed = "".join(digit + gap for digit, gap in zip(pin, gaps, strict=False))
    left = hide_pins(f"it is {typed} ok")
    assert not any(symbol.isdigit() for symbol in left)

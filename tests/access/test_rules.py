"""What may be an e-mail address, a name, a password and a PIN."""

from importlib import resources

from hypothesis import given, strategies as st
import pytest

from ira_home.access.rules import folded_email, good_email, good_name, good_password, good_pin
from ira_home.base.errors import Invalid, WeakPassword


@pytest.mark.parametrize(
    "password",
    [
        "short77",
        "x" * 257,
        "password",
        "PassWord",
        "password123",
        "P@ssw0rd123",
        "qwertyuiop",
        "1234567890",
        "iloveyou",
        "jaimatadi",
        "Krishna123",
        "welcome@123",
        "owner@example.com",
    ],
)
def test_a_short_long_common_or_obvious_password_is_refused(password: str) -> None:
    with pytest.raises(WeakPassword) as caught:
        good_password(password, email="owner@example.com")
    assert caught.value.details == {"field": "password"}


@pytest.mark.parametrize(
    "password",
    [
        "zq8mwkpd",
        "x" * 255 + "y",
        " plain-harbour-lantern ",
        "नमस्ते दुनिया",
        "ab\x00cdefgh",
        "né né né",
    ],
)
def test_any_other_password_is_taken_exactly_as_typed(password: str) -> None:
    assert good_password(password) == password


def test_at_least_three_thousand_real_common_passwords_of_eight_characters_are_refused() -> None:
    listed = resources.files("ira_home.access").joinpath("common_passwords.txt").read_text("utf-8")
    words = {line for line in listed.splitlines() if not line.startswith("# ")}
    assert len({word.casefold() for word in words if len(word) >= 8}) >= 3_000
    for word in words:
        with pytest.raises(WeakPassword):
            good_password(word.upper())


@pytest.mark.parametrize("pin", ["", "123", "123456789", "12a4", "१२३४", "٤٤٤٤", "1234\n", " 1234"])
def test_a_pin_is_four_to_eight_plain_digits(pin: str) -> None:
    with pytest.raises(Invalid):
        good_pin(pin)
    assert good_pin("0000") == "0000"


@pytest.mark.parametrize(
    "email",
    ["", "nobody", "@x", "a@", "a b@x.example", "a@x@y", "a\u202e@x.example", "a" * 250 + "@x.org"],
)
def test_what_cannot_be_an_address_is_refused(email: str) -> None:
    with pytest.raises(Invalid):
        good_email(email)


def test_addresses_are_told_apart_without_case() -> None:
    assert good_email(" Asha@Example.COM ") == "asha@example.com"
    assert good_email("Straße@x.example") == good_email("STRASSE@x.example")


@given(st.text(max_size=80))
def test_folding_an_address_twice_changes_nothing_more(text: str) -> None:
    try:
        good = good_email(text)
    except Invalid:
        return
    assert folded_email(good) == good


def test_a_name_is_one_line_of_bounded_length() -> None:
    assert good_name("  Dr.\nAsha \u202e Rao ") == "Dr. Asha Rao"
    for wrong in ("", " \n ", "x" * 81, "\u200b"):
        with pytest.raises(Invalid):
            good_name(wrong)

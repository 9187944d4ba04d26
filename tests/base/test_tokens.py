"""Codes and tokens: their form and their spellings."""

from hypothesis import given, strategies as st
import pytest

from ira_home.base.limits import CODE_ALPHABET
from ira_home.base.tokens import DEVICE, mint_code, mint_token, read_code, shown_code


def test_a_token_is_its_prefix_and_32_bytes() -> None:
    token = mint_token(DEVICE)
    assert token.startswith("irad_")
    assert len(token) == 5 + 43


def test_a_code_has_eight_symbols_without_look_alikes() -> None:
    code = mint_code()
    assert len(code) == 8
    assert not set(code) & set("ILOU01")


@given(st.text(CODE_ALPHABET, min_size=8, max_size=8))
def test_every_accepted_spelling_is_the_same_code(code: str) -> None:
    spellings = (
        code, shown_code(code), code.lower(), f" {code[:4]} {code[4:]} ", f"{code[:2]}-{code[2:]}",
        f"{code}&fp=abc&id=7f3a", f"{code[:1]}\t{code[1:]}\n",
    )  # fmt: skip
    assert {read_code(one) for one in spellings} == {code}


@pytest.mark.parametrize(
    "text", ["", "ABCDEFG", "ABCDEFGHJ", "ABCDEFG0", "ABCDEFGO", "ＡBCDEFGH", "&ABCDEFGH"]
)
def test_anything_else_is_no_code(text: str) -> None:
    assert read_code(text) is None

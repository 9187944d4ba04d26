"""Secrets never stand in a log line, and outside text cannot break one."""

import io
import logging

from hypothesis import given, strategies as st
import pytest

from ira_home.base import log
from ira_home.base.limits import LOG_FIELD_CHARS
from ira_home.base.tokens import API, DEVICE, SESSION, mint_token


@pytest.mark.parametrize("prefix", [DEVICE, SESSION, API])
@pytest.mark.parametrize(
    "shape",
    ["GET /v1/devices/ws?token={}", "Authorization: Bearer {}", "said {} twice", "#code={}&fp=1"],
)
def test_a_token_is_masked_wherever_it_stands(prefix: str, shape: str) -> None:
    token = mint_token(prefix)
    assert token[5:] not in log.mask(shape.format(token))


@pytest.mark.parametrize(
    "line", ["/pair#code=ABCDEFGH&fp=x", "?pin=482915", "&password=hunter22", "key=sk-abcdefghijkl"]
)
def test_codes_pins_and_keys_in_urls_are_masked(line: str) -> None:
    masked = log.mask("https://ira/x?a=1&" + line.lstrip("?&"))
    assert not any(
        secret in masked for secret in ("ABCDEFGH", "482915", "hunter22", "abcdefghijkl")
    )


@given(st.text())
def test_a_field_is_one_short_printable_line(text: str) -> None:
    shown = log.field(text)
    assert shown.isprintable() or shown == ""
    assert len(shown) <= LOG_FIELD_CHARS


def test_a_traceback_is_masked_too() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log.MaskingFormatter("%(message)s"))
    logger = logging.getLogger("ira_home.test")
    logger.addHandler(handler)
    token = mint_token(DEVICE)
    try:
        int(token)
    except ValueError:
        logger.exception("failed with %s", token)
    finally:
        logger.removeHandler(handler)
    assert token[5:] not in stream.getvalue()
    assert "***" in stream.getvalue()

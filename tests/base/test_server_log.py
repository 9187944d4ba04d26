"""The log of the console: bounded, and with nothing in it that anybody said."""

from collections.abc import Iterator
import logging
from pathlib import Path

from hypothesis import example, given, strategies as st
import pytest

from ira_home.base.errors import ModelFailed
from ira_home.base.limits import LOG_LINE_CHARS, LOG_LINES
from ira_home.base.log import field
from ira_home.base.server_log import FOREIGN, ServerLog, redacted
from ira_home.base.tokens import API, DEVICE, SESSION, mint_token

SAID = "meri beti ka janamdin"
OWN = logging.getLogger("ira_home.tests.own")
FOREIGN_LOG = logging.getLogger("kitchen.lamp")


@pytest.fixture
def kept() -> Iterator[ServerLog]:
    for logger in (OWN, FOREIGN_LOG):
        logger.setLevel(logging.DEBUG)
    with ServerLog() as log:
        yield log
    for logger in (OWN, FOREIGN_LOG):
        logger.setLevel(logging.NOTSET)


def texts(kept: ServerLog) -> str:
    return "\n".join(f"{one.part} {one.text}" for one in kept.lines())


def test_lines_come_newest_first_with_their_part_and_level(kept: ServerLog) -> None:
    OWN.info("the first of %d", 2)
    OWN.warning("the %s", "second")
    second, first = kept.lines()
    assert (first.text, first.part, first.level) == ("the first of 2", "tests.own", logging.INFO)
    assert second.text == "the second"
    assert second.number > first.number
    assert [one.text for one in kept.lines(logging.WARNING)] == ["the second"]


def test_what_came_from_outside_is_left_out(kept: ServerLog) -> None:
    OWN.info("unreadable request from %s: %s", field(SAID), "BadHttpMessage")
    assert kept.lines()[0].text == "unreadable request from …: BadHttpMessage"


def test_of_an_error_only_kinds_and_lines_of_code_are_kept(kept: ServerLog) -> None:
    def deep() -> None:
        try:
            {"": ""}[SAID]
        except KeyError as error:
            raise ModelFailed(SAID) from error

    try:
        deep()
    except ModelFailed as error:
        error.add_note(SAID)
        OWN.exception("it failed")
        FOREIGN_LOG.exception("it failed, too")
    own = kept.lines()[1].text.splitlines()
    assert own[0] == "it failed"
    assert own[1] == "ModelFailed (model_failed)"
    assert own[2].startswith(f"  {Path(__file__).name}:")
    assert own[2].endswith(" test_of_an_error_only_kinds_and_lines_of_code_are_kept")
    assert "KeyError" in own
    assert SAID not in texts(kept)
    assert str(Path.home()) not in texts(kept)


def test_of_other_programs_only_the_fixed_part_is_kept(kept: ServerLog) -> None:
    FOREIGN_LOG.warning("asked %s for %d things", SAID, 3)
    FOREIGN_LOG.warning(f"asked {SAID}")
    FOREIGN_LOG.warning(ValueError(SAID))
    assert [one.text for one in kept.lines()] == [FOREIGN, FOREIGN, "asked … for … things"]
    assert [one.part for one in kept.lines()] == ["other", "other", "other"]
    kept.handle(logging.LogRecord("aiohttp.server", 20, "x", 1, "so %d", (1,), None))
    assert kept.lines()[0].part == "aiohttp"


def test_a_line_whose_arguments_do_not_fit_keeps_its_fixed_part(kept: ServerLog) -> None:
    kept.handle(logging.LogRecord("ira_home.x", 20, "x", 1, "so %d and %s", (SAID, 1), None))
    assert kept.lines()[0].text == "so … and …"


@pytest.mark.parametrize("prefix", [DEVICE, SESSION, API])
def test_secrets_codes_and_e_mails_are_masked(kept: ServerLog, prefix: str) -> None:
    token = mint_token(prefix)
    for secret in (
        token, "?token=" + token, "asha.sharma@example.com", "ABCD-EFGH", "KMNPQR23",
        "sk-abcdefgh12345678", "q8Zt1mS0vX4kB7dW2yR5nC9f",
    ):  # fmt: skip
        OWN.info("there was %s", secret)
        value = secret.removeprefix("?token=").removeprefix(prefix).removeprefix("sk-")
        assert value not in texts(kept)


@given(st.text(), st.emails())
@example("", "'@a.example")
def test_no_e_mail_address_outlives_redaction(before: str, address: str) -> None:
    assert address not in redacted(f"{before} {address}")


def test_memory_is_bounded_in_lines_and_in_their_length(kept: ServerLog) -> None:
    OWN.info("%s", "x" * 10 * LOG_LINE_CHARS)
    assert len(kept.lines()[0].text) == LOG_LINE_CHARS
    for number in range(LOG_LINES + 5):
        OWN.info("line %d", number)
    assert len(kept.lines()) == LOG_LINES
    assert kept.lines()[-1].text == "line 5"


def test_a_log_that_was_left_listens_no_more(kept: ServerLog) -> None:
    with ServerLog() as other:
        pass
    OWN.info("after")
    assert other.lines() == []

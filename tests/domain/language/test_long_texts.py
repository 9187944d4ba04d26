"""No text makes the reading of a text take long, however it is made."""

from collections.abc import Callable
from datetime import UTC, datetime
import time

import pytest

from ira_home.base.limits import ASK_CHARS
from ira_home.domain.language.consent import read_consent
from ira_home.domain.language.dates import find_moments
from ira_home.domain.language.detect import language_of
from ira_home.domain.language.phrases import talk_of
from ira_home.domain.language.places import pieces_of
from ira_home.domain.language.quantities import quantities_of

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
READERS: dict[str, Callable[[str], object]] = {
    "consent": read_consent,
    "pieces": pieces_of,
    "language": language_of,
    "talk": talk_of,
    "quantities": quantities_of,
    "moments": lambda text: find_moments(text, NOW, lean="future"),
}
SECONDS = 5.0  # of one core; a pattern that tries every way of reading a text would take hours


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("unit", ["क", "का", "a", "a.", "-a", "अ_", "९", "haan ", "(", "o'", "12 "])
def test_a_long_text_is_read_in_a_moment(reader: str, unit: str) -> None:
    for length in (78, ASK_CHARS):
        text = (unit * length)[:length] + "?"
        began = time.process_time()
        READERS[reader](text)
        assert time.process_time() - began < SECONDS

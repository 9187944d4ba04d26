from dataclasses import replace

from ira_home.domain.conversations import EntryKind
from ira_home.domain.taint import taint_of
from ira_home.domain.trust import TrustLabel
from tests.support.views import entry

HOUSE = entry(EntryKind.PERSON, "hello")
DEVICE = replace(
    entry(EntryKind.RESULT, "read"), label=TrustLabel.DEVICE, source="Mac", private=True
)
WEB = replace(entry(EntryKind.RESULT, "found"), label=TrustLabel.WEB, source="example.org")


def test_what_the_house_and_the_person_said_does_not_taint() -> None:
    taint = taint_of([HOUSE])
    assert not taint.is_tainted
    assert not taint.is_private


def test_one_untrusted_entry_taints_everything_after_it() -> None:
    taint = taint_of([HOUSE, WEB, HOUSE])
    assert (taint.label, taint.source, taint.is_private) == (TrustLabel.WEB, "example.org", False)


def test_a_device_s_label_wins_over_the_web_s() -> None:
    for order in ([DEVICE, WEB], [WEB, DEVICE]):
        taint = taint_of(order)
        assert (taint.label, taint.source, taint.is_private) == (TrustLabel.DEVICE, "Mac", True)

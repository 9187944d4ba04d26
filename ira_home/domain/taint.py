"""Taint: what a brain was shown that nobody of the house said, and what follows for what it writes."""

from collections.abc import Iterable
from dataclasses import dataclass

from ira_home.domain.conversations import Entry
from ira_home.domain.trust import TrustLabel


@dataclass(frozen=True, slots=True)
class Taint:
    """The label and origin that everything carries which a brain writes after such reading."""

    label: TrustLabel
    source: str
    is_private: bool

    @property
    def is_tainted(self) -> bool:
        """Whether untrusted text was among what the brain was shown."""
        return not self.label.is_trusted


def taint_of(shown: Iterable[Entry]) -> Taint:
    """What the entries that a brain was shown make of its next words.

    The newest untrusted entry names the origin; a device's label wins over the web's, because it
    also says who may read the text.
    """
    label, source, private = TrustLabel.HOUSE, "", False
    for entry in shown:
        private = private or entry.private
        if not entry.label.is_trusted and label is not TrustLabel.DEVICE:
            label, source = entry.label, entry.source
        elif entry.label is TrustLabel.DEVICE:
            source = entry.source
    return Taint(label, source, private)

"""Network cards of a test's own, as the system would list them."""

import pytest

from ira_home.net import monitor
from ira_home.net.interfaces import Interface

CABLE = Interface("eth0", 2, "192.168.1.23")
WIFI = Interface("wlan0", 3, "10.0.0.7")
TUNNEL = Interface("tailscale0", 5, "100.64.0.7")
BRIDGE = Interface("docker0", 4, "172.17.0.1")
OUTSIDE = Interface("eth1", 6, "203.0.113.9")
# A server that listens on every address, whatever the machine's own cards are.
ANYWHERE = {"bind": "0.0.0.0"}


def plug_in(patch: pytest.MonkeyPatch, *cards: Interface) -> None:
    """From now on these are the machine's cards; the default route leaves by the first."""
    patch.setattr(monitor, "interfaces", lambda: iter(cards))
    patch.setattr(monitor, "default_source", lambda: cards[0].address if cards else None)

"""Pairing links and QR codes."""

import re
from xml.etree import ElementTree as ET

import pytest

from ira_home.domain.ports import PairingLink
from ira_home.net.links import LanPairingLink
from ira_home.net.qr import svg, terminal
from ira_home.protocol.pairing_link import parse

PIN = "a" * 43
LINK = f"https://192.168.100.123:8443/pair#code=ABCDEFGH&fp={PIN}&id=7f3a9c"


def made(host: str) -> PairingLink:
    return LanPairingLink(host, 8443, pin=PIN, install_id="7f3a9c")


def test_the_link_has_the_code_first_and_is_read_back_by_the_clients_decoder() -> None:
    link = made("192.168.100.123").url("ABCDEFGH")
    assert link == LINK
    read = parse(link)
    assert (read.host, read.port, read.code) == ("192.168.100.123", 8443, "ABCDEFGH")
    assert (read.fingerprint, read.install_id) == (PIN, "7f3a9c")


def test_an_ipv6_address_stands_in_brackets() -> None:
    assert (
        made("fd00::23").url("ABCDEFGH").startswith("https://[fd00::23]:8443/pair#code=ABCDEFGH&")
    )


def dark(drawn: str) -> set[tuple[int, int]]:
    """The dark modules of an SVG, by column and row, without the border."""
    path = re.findall(r'fill="#000" d="([^"]*)"', drawn)[0]
    runs = [tuple(map(int, run)) for run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path)]
    return {(x + step - 4, y - 4) for x, y, length in runs for step in range(length)}


def test_a_link_to_the_longest_address_fits_a_small_code() -> None:
    drawn = made("192.168.100.123").qr_svg(LINK)
    root = ET.fromstring(drawn)  # noqa: S314 - our own text
    assert root.attrib["viewBox"] == "0 0 49 49", "version 6: 41 modules and the border"
    assert not re.search(r"<script|style=|href=|on\w+=", drawn)


def test_the_svg_and_the_terminal_show_the_same_code() -> None:
    lines = terminal(LINK).split("\n")
    assert {len(line) for line in lines} == {49}
    shown = {
        (x - 4, 2 * y - 4) for y, line in enumerate(lines) for x, c in enumerate(line) if c in " ▄"
    }
    shown |= {
        (x - 4, 2 * y - 3) for y, line in enumerate(lines) for x, c in enumerate(line) if c in " ▀"
    }
    assert shown == dark(svg(LINK))


@pytest.mark.parametrize("corner", [(0, 0), (34, 0), (0, 34)])
def test_the_three_corner_marks_stand_where_scanners_look(corner: tuple[int, int]) -> None:
    x, y = corner
    modules = dark(svg(LINK))
    ring = {(x + step, y) for step in range(7)} | {(x, y + step) for step in range(7)}
    assert ring <= modules
    assert (x + 1, y + 1) not in modules
    assert (x + 3, y + 3) in modules

"""The pairing link, as pasted, scanned or typed."""

import contextlib

from hypothesis import given, strategies as st
import pytest

from ira_home.base.errors import BadLink
from ira_home.base.limits import CODE_ALPHABET
from ira_home.protocol.pairing_link import PairingLinkText, parse
from tests.support.requirements import requirement

PIN = "k3Zr" * 10 + "abc"
LINK = f"https://192.168.1.23:8443/pair#code=ABCDEFGH&fp={PIN}&id=7f3a9c"


def test_a_whole_link_is_read_and_written_back() -> None:
    link = parse(f"  {LINK}\n")
    assert link == PairingLinkText("192.168.1.23", 8443, "ABCDEFGH", PIN, "7f3a9c")
    assert link.url() == LINK
    assert link.origin() == "https://192.168.1.23:8443"


@requirement("lan.decoder")
@pytest.mark.parametrize("typed", ["ABCD-EFGH", "abcdefgh", " abcd efgh ", "AB-CD-EF-GH"])
def test_a_typed_code_needs_no_link(typed: str) -> None:
    assert parse(typed) == PairingLinkText(None, 443, "ABCDEFGH")


@requirement("lan.decoder")
@pytest.mark.parametrize(
    "pasted",
    [
        f"\ufeff{LINK}\u200b", LINK.replace("&fp", "\n&fp"), LINK[:60] + "\r\n" + LINK[60:],
        f"Open {LINK} on your phone.", f"Here it is: <{LINK}>.", f"Scan or open:\n{LINK}\nIt works once.",
        LINK.replace("https", "HTTPS"), LINK.replace("ABCDEFGH", "abcd-efgh"),
    ],
)  # fmt: skip
def test_a_link_is_read_as_it_is_pasted(pasted: str) -> None:
    assert parse(pasted) == parse(LINK)


def test_a_code_is_read_as_it_is_pasted() -> None:
    assert parse("\u200eABCD\u200b-EFGH\n").code == "ABCDEFGH"


def test_the_link_of_the_specification_is_read() -> None:
    assert parse("https://ira.example/pair#code=ABCDEFGH") == PairingLinkText(
        "ira.example", 443, "ABCDEFGH"
    )


def test_what_is_said_twice_in_the_same_words_is_said_once() -> None:
    assert parse(f"{LINK}\n{LINK}") == parse(f"{LINK}&id=7f3a9c") == parse(LINK)


def test_unknown_keys_are_for_newer_programs() -> None:
    assert parse("https://[fd00::1]:8443/pair#code=ABCDEFGH&x=1&name=a%20b").host == "fd00::1"
    assert (
        parse("https://[fd00::1]:8443/pair#code=ABCDEFGH")
        .url()
        .startswith("https://[fd00::1]:8443/pair#")
    )


@pytest.mark.parametrize(
    "text",
    [
        "", "ABCD", "ABCD-EFGO", "http://192.168.1.23/pair#code=ABCDEFGH", "ftp://x/pair#code=ABCDEFGH",
        "https:///pair#code=ABCDEFGH", "https://x/pair2#code=ABCDEFGH", "https://x/pair?code=ABCDEFGH",
        "https://x/pair", "https://x/pair#fp=abc", "https://x/pair#code=ABCDEFG", f"https://x/pair#code=ABCDEFGH&fp={PIN}x",
        "https://x/pair#code=ABCDEFGH&fp=", "https://x/pair#code=ABCDEFGH&id=XYZ", "https://x:99999/pair#code=ABCDEFGH",
        "https://x:0/pair#code=ABCDEFGH", "https://user:secret@x/pair#code=ABCDEFGH", "https://x:y/pair#code=ABCDEFGH",
        "https://[::1/pair#code=ABCDEFGH", "https://x y/pair#code=ABCDEFGH", "javascript://x/pair#code=ABCDEFGH",
        "https://x/pair#code=ABCDEFGH&pad=" + "x" * 3000,
        # Read in two ways by two programs, or by nobody.
        "https://x/pair#code=ABCDEFGH&code=22223333", f"{LINK}&fp={PIN[::-1]}", f"{LINK}&id=abcdef",
        f"{LINK} or {LINK.replace('1.23', '1.24')}", "https://127.1/pair#code=ABCDEFGH", "https://0x7f.1/pair#code=ABCDEFGH",
        "https://2130706433/pair#code=ABCDEFGH", "https://192.168.1.023/pair#code=ABCDEFGH", "https://0.0.0.0/pair#code=ABCDEFGH",
        "https://[::]/pair#code=ABCDEFGH", "https://224.0.0.1/pair#code=ABCDEFGH", "https://255.255.255.255/pair#code=ABCDEFGH",
        "https://[fe80::1%25eth0]/pair#code=ABCDEFGH", "https://[v1.x]/pair#code=ABCDEFGH", "https://./pair#code=ABCDEFGH",
        "https://-x.local/pair#code=ABCDEFGH", "https://192.168.1.23:8443@evil.example/pair#code=ABCDEFGH",
        "https://192.168.1.23:8443\\@evil.example/pair#code=ABCDEFGH", "https://192.168.1.23%2f.evil/pair#code=ABCDEFGH",
        "https://x/%70air#code=ABCDEFGH", "https://x/pair#code=%41BCDEFGH", "https://\u0456ra.local/pair#code=ABCDEFGH",
        "https://x/pair#code=\uff21BCDEFGH", "https://x/../pair#code=ABCDEFGH", "//x/pair#code=ABCDEFGH", "#code=ABCDEFGH",
    ],
)  # fmt: skip
def test_what_is_no_link_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(BadLink) as caught:
        parse(text)
    assert len(caught.value.message) > 10


@given(st.text())
def test_any_text_is_a_link_or_a_reason(text: str) -> None:
    with contextlib.suppress(BadLink):
        parse(text)


@given(st.text(CODE_ALPHABET, min_size=8, max_size=8), st.integers(1, 65535), st.booleans())
def test_every_link_that_is_written_is_read_back(code: str, port: int, pinned: bool) -> None:
    link = PairingLinkText(
        "10.0.0.7", port, code, PIN if pinned else None, "abcdef" if pinned else None
    )
    assert parse(link.url()) == link

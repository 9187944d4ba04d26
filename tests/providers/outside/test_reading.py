"""From the bytes of a feed to its items, whatever the bytes are."""

from datetime import UTC, datetime
import time

from hypothesis import given, settings, strategies as st
import pytest

from ira_home.base.errors import FetchFailed
from ira_home.base.limits import FEED_ITEMS, FEED_MARKS, HIT_TEXT_CHARS, HIT_TITLE_CHARS
from ira_home.domain.feeds import NewsItem
from ira_home.providers.news.reading import read_feed
from tests.support.outside import item, rss

REFUSED = "no feed"


def read(feed: str | bytes, content_type: str = "application/rss+xml") -> list[NewsItem]:
    body = feed.encode() if isinstance(feed, str) else feed
    return read_feed(
        body, url="https://nagar.example.com/feed/rss", host="nagar.example.com", content_type=content_type
    )  # fmt: skip


def refusal(feed: str | bytes, content_type: str = "application/rss+xml") -> str:
    """The sentence with which a feed is refused, which has to come soon."""
    began = time.process_time()
    with pytest.raises(FetchFailed) as caught:
        read(feed, content_type)
    assert time.process_time() - began < 1.0
    return caught.value.message


def titles(feed: str | bytes, content_type: str = "") -> list[str]:
    return [one.title for one in read(feed, content_type)]


def test_an_item_of_rss_is_text_with_its_source_and_date() -> None:
    feed = rss(
        item(
            "खबर: पुल खुला &amp; चला",
            "https://nagar.example.com/pul?a=1&amp;b=2",
            "Tue, 01 Dec 2026 10:00:00 +0530",
            "<![CDATA[<p>The <b>bridge</b></p><p>opened.</p>]]>",
        )
    )
    assert read(feed) == [
        NewsItem(
            title="खबर: पुल खुला & चला",
            text="The bridge opened.",
            feed="Nagar Samachar",
            host="nagar.example.com",
            url="https://nagar.example.com/pul?a=1&b=2",
            at=datetime(2026, 12, 1, 4, 30, tzinfo=UTC),
        )
    ]


def test_atom_and_rdf_are_feeds_too() -> None:
    atom = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Gaon</title><entry><title type="html">A &lt;b&gt;b&lt;/b&gt;</title>
      <link rel="alternate" href="/relative"/><updated>2026-11-30T09:00:00Z</updated><content type="html">&lt;p&gt;Text&lt;/p&gt;</content></entry></feed>"""
    rdf = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>R</title></channel>
      <item><title>One</title><link>https://r.example.com/1</link></item></rdf:RDF>"""
    (entry,) = read(atom)
    assert (entry.title, entry.text, entry.feed) == ("A b", "Text", "Gaon")
    assert entry.url == "https://nagar.example.com/relative"
    assert [one.url for one in read(rdf)] == ["https://r.example.com/1"]


@pytest.mark.parametrize(
    "broken",
    [
        "\n\n  " + rss(item("One"), item("Two")),
        "Warning: mysql_connect() in /var/www\n" + rss(item("One"), item("Two")),
        rss(item("One"), item("Two"))[:-20],
        rss(item("One"), item("Two")).replace("</channel>", "&nbsp;&bogus;</channel>"),
        rss(item("One"), item("Two"), head='<?xml version="1.0"?><!-- made -- by --> <?xml-stylesheet href="x"?>\n'),
        rss(item("One"), item("Two")).replace("<channel>", "<channel>\x0b\x00"),
    ],
)  # fmt: skip
def test_a_malformed_feed_is_read_as_far_as_it_goes(broken: str) -> None:
    assert titles(broken) == ["One", "Two"]


LAUGHS = "".join(
    f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' if n else '<!ENTITY lol0 "lol">' for n in range(10)
)
QUADRATIC = f'<!ENTITY a "{"x" * 50_000}">'
BODY = item("&lol9;")


@pytest.mark.parametrize(
    "head",
    [
        f"<?xml version='1.0'?><!DOCTYPE rss [{LAUGHS}]>",
        f"<!DOCTYPE rss [{QUADRATIC}]>",
        '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rss SYSTEM "http://127.0.0.2/evil.dtd">',
        '<!doctype rss [<!ENTITY % p SYSTEM "http://127.0.0.2/"> %p;]>',
        '<!-- -- ><!DOCTYPE rss [<!ENTITY x "y">]> -->',
        "<?a <!DOCTYPE ?><!DOCTYPE rss>",
        f"<!DOCTYPE rss [<!ELEMENT rss {'(' * 100_000}a{')' * 100_000}>]>",
        "<!ENTITY x 'y'>",
        "<! DOCTYPE rss>",
        "\ufeff \n<!DOCTYPE rss>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])  # fmt: skip
def test_a_document_type_is_refused_before_any_parser_sees_it(
    head: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ira_home.providers.news.reading._parsed", pytest.fail)
    feed = rss(BODY, item("&x;"), head=head).encode(encoding)
    assert REFUSED in refusal(feed)


def test_a_document_type_behind_the_first_element_declares_nothing() -> None:
    late = rss(item("&x;One")).replace("<channel>", '<channel><!DOCTYPE rss [<!ENTITY x "EXPANDED">]>')  # fmt: skip
    assert "EXPANDED" not in str(read(late))


def test_an_article_may_speak_of_document_types() -> None:
    (one,) = read(rss(item("How to begin a page", text="<![CDATA[<pre>&lt;!DOCTYPE html&gt;</pre> <!ENTITY]]>")))  # fmt: skip
    assert one.text.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "what",
    [
        "",
        "x",
        "{}",
        "<html><body>Sign in</body></html>",
        "<!DOCTYPE html><html></html>",
        "<rssx></rssx>",
        "<",
        "<?xml",
        "<!--" * 50_000,
        "<?" * 50_000,
        b"\x89PNG\r\n\x1a\n",
        b"\0" * 1_000,
        b"\xff" * 1_000,
    ],
)
def test_what_is_no_feed_is_said_to_be_none(what: str | bytes) -> None:
    assert REFUSED in refusal(what)


@pytest.mark.parametrize(
    "huge",
    [
        rss(item("x") * 100_000),
        rss("<a>" * 1_000_000),
        rss(item("x", text=f"<![CDATA[{'<b>' * FEED_MARKS}]]>")),
    ],
)
def test_a_feed_of_too_many_parts_is_refused_before_any_parser_sees_it(
    huge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ira_home.providers.news.reading._parsed", pytest.fail)
    assert "too large" in refusal(huge)


def test_deep_nesting_within_the_bound_is_read_or_left_and_nothing_else_happens() -> None:
    assert titles(rss(item("One"), "<a>" * (FEED_MARKS - 100))) == ["One"]


def test_of_many_items_the_first_are_kept_and_long_ones_are_cut() -> None:
    many = [item(f"T{n}", f"https://x.example.com/{n}") for n in range(1_100)]
    assert titles(rss(*many)) == [f"T{n}" for n in range(FEED_ITEMS)]
    (one,) = read(rss(item("t" * 9_000, text="d" * 900_000)))
    assert (len(one.title), len(one.text)) == (HIT_TITLE_CHARS, HIT_TEXT_CHARS)


def test_items_of_one_address_are_one_and_those_that_say_nothing_are_none() -> None:
    link = "https://x.example.com/1"
    assert titles(rss(item("First", link), item("Again", link), item("", link), item("  \u200b"))) == ["First"]  # fmt: skip


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://x.example.com/", "mailto:a@x.org", "http://",
        "https://user:pass@x.example.com/", "http://[::1", "https://x.example.com/" + "y" * 5_000,
    ],
)  # fmt: skip
def test_an_address_that_is_none_of_the_web_is_left_out(link: str) -> None:
    (one,) = read(rss(item("T", link)))
    assert (one.title, one.url, one.host) == ("T", "", "nagar.example.com")


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("<![CDATA[<script>alert(1)</script><img src=x onerror=y>Hi]]>", "Hi"),
        ("&lt;img src=x onerror=alert(1)&gt;Hi", "Hi"),
        ("&amp;lt;b&amp;gt;", "<b>"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("a\u202eb\u200bc\u0007", "abc"),
        ("one\n\n  two", "one two"),
    ],
)
def test_a_title_is_one_line_of_text(title: str, shown: str) -> None:
    (one,) = read(rss(item(title, text="x")))
    assert one.title == shown


@pytest.mark.parametrize(
    "when",
    ["Mon, 00 Jan 0000 00:00:00 GMT", "0000-00-00", "NaN", "tomorrow", "-1", "32 Dec 2026"],
)  # fmt: skip
def test_a_date_that_is_none_is_none(when: str) -> None:
    (one,) = read(rss(item("T", when=when)))
    assert one.at is None


@pytest.mark.parametrize(
    ("feed", "content_type"),
    [
        (rss(item("Ümlaut")).encode("latin-1"), "text/xml; charset=iso-8859-1"),
        (rss(item("Ümlaut"), head='<?xml version="1.0" encoding="windows-1252"?>').encode("cp1252"), ""),
        (rss(item("Ümlaut")).encode(), "text/xml; charset=iso-8859-1"),
        (rss(item("Ümlaut")).encode("utf-16"), "text/xml; charset=utf-8"),
        (rss(item("Ümlaut")).encode("utf-16-be"), ""),
    ],
)  # fmt: skip
def test_the_text_is_read_in_the_encoding_that_it_is_in(feed: bytes, content_type: str) -> None:
    assert titles(feed, content_type) == ["Ümlaut"]


@pytest.mark.parametrize("charset", ["utf-7", "idna", "punycode", "hex", "rot13", "unicode_escape", "x" * 99, ""])  # fmt: skip
def test_an_encoding_that_is_none_of_texts_is_not_used(charset: str) -> None:
    feed = rss(item("Ü"), head=f'<?xml version="1.0" encoding="{charset}"?>').encode("latin-1")
    assert titles(feed, f"text/xml; charset={charset}") == ["\ufffd"]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 400), st.text(max_size=40))
def test_whatever_stands_in_a_feed_it_is_read_or_refused(noise: bytes, at: int, kind: str) -> None:
    body = rss(item("One"), item("Two")).encode()
    try:
        read(body[:at] + noise + body[at:], kind)
    except FetchFailed:
        return

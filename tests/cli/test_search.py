"""`ira search` and `ira feeds`: real processes, beside a server and without one."""

from pathlib import Path
from typing import Any

import pytest

from ira_home.base.jsontext import parse
from tests.support.program import Program
from tests.support.requirements import requirement

KEY = "BSA-key-of-the-command-line"
FEED = "https://feeds.invalid/rss?token=private-part"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A house with its owner, and no server."""
    made = Program(tmp_path_factory.mktemp("house"))
    made.init()
    return made


def settings(program: Program) -> dict[str, Any]:
    cookie = program.sign_in()
    return dict(program.call("GET", "/v1/admin/settings", cookie=cookie)[1])


def findings(program: Program) -> dict[str, Any]:
    found = parse(program.ira("doctor", "--json").out)["items"]
    return {one["about"]: one for one in found}


def test_a_key_is_kept_encrypted_and_shown_nowhere(program: Program) -> None:
    assert "Not set up" in findings(program)["search"]["sentence"]
    said = program.must("search", "set", "--key-stdin", stdin=f"{KEY}\n")
    assert said.startswith("Kept. Each person switches it on")
    assert "search test" in said
    shown = program.must("config", "show", "--json") + program.must("doctor", "--json")
    with program.serving():
        assert settings(program)["search_key_set"] is True
        other = ("search", "set", "--url", "https://search.invalid")
        assert "There is no key" in program.must(*other), "it was given for the other one"
        kept = parse(program.must(*other, "--key-stdin", "--json", stdin=f"{KEY}\n"))
        assert kept == {
            "search_url": "https://search.invalid",
            "search_key_set": True,
            "tested": False,
        }
        assert settings(program)["search_url"] == "https://search.invalid"
        tried = program.ira("search", "test")
        shown += program.must("config", "show") + tried.out + tried.err
    assert (tried.status, tried.err) == (1, "ira: search.invalid cannot be reached.\n")
    shown += (program.folder / "server.log").read_text()
    assert KEY not in shown
    files = [path for path in program.data.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert "Set up. Try it with" in findings(program)["search"]["sentence"]


def test_an_empty_line_removes_the_key(program: Program) -> None:
    program.must("search", "set", "--key-stdin", stdin=f"{KEY}\n")
    assert "no key" in program.must("search", "set", "--key-stdin", stdin="\n")
    assert program.ira("search", "test").err == "ira: No search service is set up in this house.\n"


@pytest.mark.parametrize(
    ("words", "stdin", "told"),
    [
        (["--url", "http://search.example.com"], "", "starts with https:// and holds no password. Give it with --url."),
        (["--url", "https://a@search.example.com"], "", "Give it with --url."),
        (["--key-stdin"], "two words\twith a tab\n", "holds characters that no key has"),
        (["--key-stdin"], "", "Key: nothing was left on stdin."),
        ([], "", "run this in a terminal"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(
    program: Program, words: list[str], stdin: str, told: str
) -> None:
    said = program.ira("search", "set", *words, stdin=stdin)
    assert (said.status, said.out) == (1, "")
    assert told in said.err
    assert said.err.count("\n") == 1


@requirement("search.news")
def test_feeds_are_kept_by_the_house_or_named_in_ira_yaml(program: Program) -> None:
    assert "There is no feed yet." in program.must("feeds", "list")
    assert "No news feed" in findings(program)["feeds"]["sentence"]
    (program.data / "ira.yaml").write_text("feeds:\n  - https://named.invalid/atom\n")
    with program.serving():
        said = program.must("feeds", "add", FEED)
        assert said == "Kept, but it cannot be read now: feeds.invalid cannot be reached.\n"
        listed = parse(program.must("feeds", "list", "--json"))["items"]
        assert [(one["url"], one["from"], one["items"]) for one in listed] == [
            ("https://named.invalid/atom", "settings", 0), (FEED, "house", 0),
        ]  # fmt: skip
        assert [one["fault"] for one in listed] == [None, "feeds.invalid cannot be reached."]
        shown = settings(program)
        assert (shown["feeds"], shown["feeds_named"]) == ([FEED], ["https://named.invalid/atom"])
        doctor = findings(program)["feeds"]
        assert (doctor["state"], "feeds.invalid" in doctor["sentence"]) == ("warn", True)
        assert "private-part" not in doctor["sentence"]
        named = program.ira("feeds", "remove", "https://named.invalid/atom")
        assert (
            named.err
            == "ira: The house keeps no such feed. It stands in the settings of the server.\n"
        )
        assert program.must("feeds", "remove", FEED) == "It is kept no longer.\n"
        again = program.ira("feeds", "remove", FEED)
        assert (again.status, again.err) == (1, "ira: The house keeps no such feed.\n")
    assert len(parse(program.must("feeds", "list", "--json"))["items"]) == 1
    assert "private-part" not in (program.folder / "server.log").read_text()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "https://a:b@x.example.com/", "nonsense", "https://x y/"])  # fmt: skip
def test_what_is_no_address_of_a_feed_is_refused(program: Program, url: str) -> None:
    said = program.ira("feeds", "add", url)
    assert (said.status, said.out) == (1, "")
    assert "The address of a feed starts with http:// or https://" in said.err


@pytest.mark.parametrize(
    "text", ["feeds: https://a.example.com/ file:///x\n", "feeds: [3]\n", "feeds: {a: b}\n", "search_url: http://x.example.com\n"]
)  # fmt: skip
def test_a_settings_file_that_names_what_cannot_be_is_told(tmp_path: Path, text: str) -> None:
    made = Program(tmp_path)
    made.init()
    (made.data / "ira.yaml").write_text(text)
    said = made.ira("feeds", "list")
    assert (said.status, "must be" in said.err) == (1, True)

"""The two catalogues: the same keys, the same placeholders, nothing missing and nothing left over."""

from collections.abc import Iterator
from pathlib import Path
import re

from hypothesis import given, strategies as st
import pytest

from ira_home.base.errors import REGISTRY
from ira_home.base.jsontext import parse
from ira_home.domain.devices import DeviceKind
from ira_home.domain.people import Role
from ira_home.domain.settings import REPLY_LANGUAGES
from ira_home.domain.tools import Confirmed, Outcome
from ira_home.web.pages.skills import KNOWN
from ira_home.web.pages.verbs import VERBS
from ira_home.web.pages.view import THEMES
from ira_home.web.pages.words import (
    FOLDER,
    LANGUAGES,
    PLACEHOLDER,
    Words,
    accepted,
    language,
    words_of,
)

WEB = FOLDER.parent
_QUOTED = re.compile(r"""["'`]([a-z_]+(?:\.[a-zA-Z0-9_]+)+)["'`]""")
# Keys put together while running, from closed lists.
_MADE = [
    *(f"when.month.{month}" for month in range(1, 13)),
    *(f"kind.{kind}" for kind in DeviceKind),
    *(f"role.{role}" for role in Role),
    *(f"theme.{theme}" for theme in THEMES),
    *(f"reply.{one}" for one in REPLY_LANGUAGES),
    *(f"skill.{name}{end}" for name in KNOWN for end in ("", ".about")),
    *(f"verb.{verb}{end}" for verb in VERBS | {"do"} for end in ("", ".pin")),
    *(f"did.{outcome}" for outcome in Outcome),
    *(f"did.by_{one}" for one in Confirmed if one is not Confirmed.NONE),
    *(f"ended.{outcome}" for outcome in Outcome),
    "ended.running",
    *(f"greet.{part}" for part in ("morning", "afternoon", "evening")),
    *(f"channel.{one}" for one in ("web", "api", "device", "telegram", "voice")),
    *(f"js.strength.{level}" for level in range(5)),
    *(
        f"deleted.{one}"
        for one in ("conversations", "messages", "devices", "events", "tool_log", "kept_by_tools")
    ),
]  # fmt: skip
_ERROR = re.compile(r"(?:js\.)?error\.([a-z_]+)(?:\.([a-z_]+))?")
_FORM_FIELDS = {
    "name", "house", "email", "label", "assistant_name", "pin", "pin_again", "own_skills",
    "time_zone", "text", "setup_code",
}  # fmt: skip


def catalogue(lang: str) -> dict[str, str]:
    found: dict[str, str] = parse((FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def sources() -> Iterator[Path]:
    for folder, end in (("templates", "*.html"), ("pages", "*.py"), ("static", "*.js")):
        yield from sorted((WEB / folder).glob(end))


def used() -> set[str]:
    """Every key that a template, a page or a script names."""
    known = set(catalogue("en"))
    found: set[str] = set()
    for path in sources():
        for key in _QUOTED.findall(path.read_text(encoding="utf-8")):
            found |= {key} | ({f"{key}.one", f"{key}.other"} & known)
    return (found & known) | set(_MADE)


def test_both_languages_have_the_same_keys() -> None:
    assert set(catalogue("en")) == set(catalogue("hi"))


def test_both_languages_fill_in_the_same_places() -> None:
    english, hindi = (catalogue(lang) for lang in LANGUAGES)
    for key, text in english.items():
        assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(hindi[key])), key
        assert text.count("*") == hindi[key].count("*"), key
        assert (text.strip(), hindi[key].strip()) == (text, hindi[key]), key


def test_every_key_is_used_and_every_used_key_is_there() -> None:
    known = set(catalogue("en"))
    wanted = {key for key in used() if not key.startswith(("error.", "js.error."))}
    plain = {key for key in known if not _ERROR.fullmatch(key)}
    assert plain - wanted == set()
    assert wanted - known == set()


def test_every_named_text_of_a_template_exists() -> None:
    known = set(catalogue("en"))
    call = re.compile(r"\b(t|rich|count)\('([a-z0-9_.]+[a-z0-9])'[,)]")
    for path in sorted((WEB / "templates").glob("*.html")):
        for kind, key in call.findall(path.read_text(encoding="utf-8")):
            wanted = {f"{key}.one", f"{key}.other"} if kind == "count" else {key}
            assert wanted <= known, f"{path.name}: {key}"


def test_texts_of_errors_belong_to_errors_that_exist() -> None:
    for key in catalogue("en"):
        if found := _ERROR.fullmatch(key):
            assert found[1] in REGISTRY or key == "error.internal", key
            assert found[2] is None or found[2] in _FORM_FIELDS, key


def test_texts_are_plain_and_short_spoken() -> None:
    for lang in LANGUAGES:
        for key, text in catalogue(lang).items():
            assert not re.search(r"[<>!]", text), key
            assert not re.search(r"\b(please|oops|successfully)\b", text, re.IGNORECASE), key


def test_a_text_is_filled_in_and_strong_words_are_escaped() -> None:
    words = Words("en", {"a": "*{name}* joined from {place}."})
    assert words.t("a", name="X", place="Y") == "*X* joined from Y."
    assert words.rich("a", name="<i>", place="*Y*") == "<b>&lt;i&gt;</b> joined from *Y*."


def test_a_value_with_braces_is_not_filled_in_again() -> None:
    words = Words("en", {"a": "{name} and {place}"})
    assert words.t("a", name="{place}", place="Y") == "{place} and Y"
    assert words.rich("a", name="{place}", place="Y") == "{place} and Y"


def test_nothing_at_all_is_singular_in_hindi() -> None:
    assert words_of("hi").count("when.hours_ago", 0) == "0 घंटा पहले"
    assert words_of("hi").count("when.hours_ago", 2) == "2 घंटे पहले"
    assert words_of("en").count("when.hours_ago", 0) == "0 hours ago"
    assert words_of("en").count("when.hours_ago", 1) == "1 hour ago"


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("hi-IN,hi;q=0.9,en;q=0.8", "hi"),
        ("en-IN,hi;q=0.5", "en"),
        ("fr, hi;q=0.2", "hi"),
        ("fr", "en"),
        ("hi;q=0", "en"),
        ("", "en"),
        ("*", "en"),
        ("HI", "hi"),
    ],
)
def test_the_browser_says_which_language_is_wanted(header: str, wanted: str) -> None:
    assert accepted(header) == wanted


def test_what_the_person_chose_goes_before_what_the_browser_asks_for() -> None:
    assert language("en", "hi") == "en"
    assert language("xx", "hi") == "hi"
    assert language(None, "hi") == "hi"


@given(st.text())
def test_any_header_gives_a_language(header: str) -> None:
    assert accepted(header) in LANGUAGES

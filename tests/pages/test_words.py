"""The catalogues: every key translated, the same placeholders, nothing missing and nothing left over."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
import re

from hypothesis import given, strategies as st
import pytest

from ira_home.base.errors import REGISTRY
from ira_home.domain.audit import Change
from ira_home.domain.devices import DeviceKind, EventKind
from ira_home.domain.diagnosis import FACTS, State
from ira_home.domain.events import Way
from ira_home.domain.first_run import STEPS
from ira_home.domain.health import Short
from ira_home.domain.house import MODEL_PROVIDERS
from ira_home.domain.network import AddressKind
from ira_home.domain.people import TOKEN_PERMISSIONS, Credential, Role
from ira_home.domain.settings import REPLY_LANGUAGES, TEXT_SIZES, THEMES, PersonSettings
from ira_home.domain.support import PARTS
from ira_home.domain.tools import Confirmed, Outcome
from ira_home.household.house import _CHECKS, KEYS
from ira_home.household.server_log import LEVELS
from ira_home.web.pages.catalogue import Catalogue, Entry, read_catalogue
from ira_home.web.pages.first_steps import SYSTEMS
from ira_home.web.pages.skills import KNOWN
from ira_home.web.pages.verbs import VERBS
from ira_home.web.pages.words import (
    CATEGORIES,
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
# All that a line of the change log can name as changed.
CHANGED = {
    *(one.name for one in fields(PersonSettings)), *_CHECKS, *KEYS,
    "name", "by_invitation", "announced", "in_force", "given_up",
}  # fmt: skip
# Keys put together while running, from closed lists.
_MADE = [
    *(f"when.month.{month}" for month in range(1, 13)),
    *(f"kind.{kind}" for kind in DeviceKind),
    *(f"role.{role}" for role in Role),
    *(f"people.may_{role}" for role in Role),
    *(f"theme.{theme}" for theme in THEMES),
    *(f"language.{one}" for one in LANGUAGES),
    *(f"setup.step.{step}" for step in STEPS),
    *(f"arrived.{one}" for one in ("yes", "no", "unsure")),
    *(f"setup.tab.{one}" for one in SYSTEMS),
    *(f"text_size.{size}" for size in TEXT_SIZES),
    *(f"scope.{scope}" for scope in TOKEN_PERMISSIONS),
    *(f"events.kind.{kind}" for kind in EventKind),
    *(f"events.way.{way}" for way in Way),
    *(f"devices.freer_{one}" for one in ("arguments", "skill", "outward")),
    "events.quiet_from",
    "events.quiet_until",
    *(f"network.kind.{kind}" for kind in AddressKind),
    *(f"reply.{one}" for one in REPLY_LANGUAGES),
    *(f"skill.{name}{end}" for name in KNOWN for end in ("", ".about")),
    *(f"verb.{verb}{end}" for verb in VERBS | {"do"} for end in ("", ".pin")),
    *(f"did.{outcome}" for outcome in Outcome),
    *(f"did.by_{one}" for one in Confirmed if one is not Confirmed.NONE),
    *(f"ended.{outcome}" for outcome in Outcome),
    *(f"ended.by_{one}" for one in Credential if one is not Credential.OPERATOR),
    "ended.running",
    *(f"greet.{part}" for part in ("morning", "afternoon", "evening")),
    *(f"channel.{one}" for one in ("web", "api", "device", "telegram", "voice")),
    *(f"js.strength.{level}" for level in range(5)),
    *(f"connect.{state}" for state in State),
    *(f"change.{one}" for one in Change),
    *(f"change.of_{one}" for one in ("device", "pairing")),
    *(f"change.part.{one}" for one in sorted(CHANGED)),
    *(f"settings.provider.{one}{end}" for one in MODEL_PROVIDERS for end in ("", ".about")),
    *(f"house.{one}" for one in (Change.PASSWORD_HELD, Change.PIN_HELD)),
    *(
        f"connect.{step}{end}"
        for step in ("wifi", "address", "start", "vpn", "iphone", "date", "router")
        for end in ("", ".how")
    ),
    *(f"log.level.{one}" for one in LEVELS if one != "debug"),
    *(f"log.kind.{one}" for one in LEVELS),
    *(f"house.{one}{end}" for one in Short for end in ("", ".next")),
    *(f"support.part.{one.partition('.')[0]}" for one in PARTS),
    *(f"diagnosis.{said}" for said in FACTS),
    *(f"diagnosis.{said}.next" for said, facts in FACTS.items() if facts.state is not State.GOOD),
    *(
        f"deleted.{one}"
        for one in ("conversations", "messages", "pictures", "devices", "events", "tool_log", "kept_by_tools")
    ),
]  # fmt: skip
_ERROR = re.compile(r"(?:js\.)?error\.([a-z_]+)(?:\.([a-z_]+))?")
_FORM_FIELDS = {
    "name", "house", "email", "label", "assistant_name", "pin", "pin_again", "own_skills",
    "time_zone", "text", "setup_code", "model_url", "model_name", "model_key", "search_url", "search_key", "feeds", "invitation",
    "wake_phrase", "languages", "scopes", "quiet_from", "quiet_until",
}  # fmt: skip


def catalogue(lang: str) -> Catalogue:
    return read_catalogue(FOLDER / f"{lang}.po")


def said(lang: str) -> Iterator[tuple[str, str]]:
    """Each text of a language with its key."""
    for key, texts in catalogue(lang).texts().items():
        for text in texts:
            yield key, text


def sources() -> Iterator[Path]:
    for folder, end in (("templates", "*.html"), ("pages", "*.py"), ("static", "*.js")):
        yield from sorted((WEB / folder).glob(end))


def used() -> set[str]:
    """Every key that a template, a page or a script names."""
    known = set(catalogue("en").entries)
    found: set[str] = set()
    for path in sources():
        found.update(_QUOTED.findall(path.read_text(encoding="utf-8")))
    return (found & known) | set(_MADE)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_is_english_and_translated(lang: str) -> None:
    english, found = catalogue("en").entries, catalogue(lang).entries
    assert list(found) == list(english)
    for key, entry in found.items():
        assert entry.source == english[key].source, f"{key}: its English has changed"
        assert lang == "en" or entry.texts, f"{key} is not translated"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_translation_fills_in_the_same_places(lang: str) -> None:
    for key, entry in catalogue(lang).entries.items():
        for one, text in zip(entry.source, entry.texts or entry.source, strict=True):
            assert sorted(PLACEHOLDER.findall(one)) == sorted(PLACEHOLDER.findall(text)), key
            assert one.count("*") == text.count("*"), key
            assert (one.strip(), text.strip()) == (one, text), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_number_has_its_text(lang: str) -> None:
    found = catalogue(lang)
    assert found.forms == len(CATEGORIES)
    for key, entry in found.entries.items():
        assert len(entry.source) in {1, 2}, key
        assert len(entry.texts or entry.source) == (1 if len(entry.source) == 1 else 2), key
        assert len(entry.source) == 1 or all("{n}" in text for text in entry.source), key


def test_every_key_is_used_and_every_used_key_is_there() -> None:
    known = set(catalogue("en").entries)
    wanted = {key for key in used() if not key.startswith(("error.", "js.error."))}
    plain = {key for key in known if not _ERROR.fullmatch(key)}
    assert plain - wanted == set()
    assert wanted - known == set()


def test_every_named_text_of_a_template_exists() -> None:
    known = catalogue("en").entries
    call = re.compile(r"\b(t|rich|count)\('([a-z0-9_.]+[a-z0-9])'[,)]")
    for path in sorted((WEB / "templates").glob("*.html")):
        for kind, key in call.findall(path.read_text(encoding="utf-8")):
            assert key in known, f"{path.name}: {key}"
            assert (kind == "count") == (len(known[key].source) == 2), f"{path.name}: {key}"


def test_texts_of_errors_belong_to_errors_that_exist() -> None:
    for key in catalogue("en").entries:
        if found := _ERROR.fullmatch(key):
            assert found[1] in REGISTRY or key == "error.internal", key
            assert found[2] is None or found[2] in _FORM_FIELDS, key


def test_words_of_a_finding_hold_nothing_that_it_does_not_name() -> None:
    words = dict(said("en"))
    for kind, facts in FACTS.items():
        text = words[f"diagnosis.{kind}"] + words.get(f"diagnosis.{kind}.next", "")
        assert set(PLACEHOLDER.findall(text)) <= facts.names, kind


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_plain_and_short_spoken(lang: str) -> None:
    for key, text in said(lang):
        assert not re.search(r"[<>!]", text), key
        assert not re.search(r"\b(please|oops|successfully)\b", text, re.IGNORECASE), key


def one(text: str) -> Words:
    """Words of a single text."""
    return Words("en", Catalogue({"a": Entry((text,), ())}, 2, int))


def test_a_text_is_filled_in_and_strong_words_are_escaped() -> None:
    words = one("*{name}* joined from {place}.")
    assert words.t("a", name="X", place="Y") == "*X* joined from Y."
    assert words.rich("a", name="<i>", place="*Y*") == "<b>&lt;i&gt;</b> joined from *Y*."


def test_a_value_with_braces_is_not_filled_in_again() -> None:
    words = one("{name} and {place}")
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

"""Skills of a pairing form, and the words of a question's button."""

from ira_home.web.pages.skills import chosen, shown
from ira_home.web.pages.verbs import verb_of, yes_words
from ira_home.web.pages.words import words_of


def test_a_known_skill_counts_only_for_a_kind_that_can_have_it() -> None:
    assert chosen(["files", "calls"], "", "mac") == ["files"]
    assert chosen(["files", "calls"], "", "android") == ["calls"]


def test_typed_skills_are_taken_beside_the_ticked_ones_once_each() -> None:
    assert chosen(["files"], "garden, music garden\tfiles", "linux") == ["files", "garden", "music"]


def test_a_skill_nobody_has_heard_of_is_told_by_its_name() -> None:
    found = shown("garden_pump", words_of("en"))
    assert (found.title, found.about) == ("Garden pump", "")
    assert shown("files", words_of("hi")).title == "फ़ाइलें"


def test_the_button_says_what_the_person_would_say() -> None:
    assert verb_of("parcel_send", "Send the parcel") == "send"
    assert verb_of("vault_empty", "Empty the vault") == "empty"
    assert verb_of("file_x", "Delete 3 files") == "delete"
    assert verb_of("lantern_colour", "Tell the colour") == "do"
    words = words_of("hi")
    assert yes_words(words, "send", with_pin=False) == "हाँ, भेज दो"
    assert yes_words(words, "delete", with_pin=True) == "हटाओ"

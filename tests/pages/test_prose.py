"""Ira's answers as blocks: lists and code are told apart, and nothing is lost or becomes markup."""

from hypothesis import given, strategies as st

from ira_home.web.pages.prose import blocks


def shape(text: str) -> list[tuple[str, list[str]]]:
    return [
        (block.kind, ["".join(span.text for span in line) for line in block.lines])
        for block in blocks(text)
    ]


def test_paragraphs_lists_and_code_are_told_apart() -> None:
    text = "Two bills:\nboth due\n\n- one\n- two\n3. three\n```\na  = 1\n\nb\n```\nDone."
    assert shape(text) == [
        ("p", ["Two bills:", "both due"]),
        ("ul", ["one", "two"]),
        ("ol", ["three"]),
        ("pre", ["a  = 1\n\nb"]),
        ("p", ["Done."]),
    ]


def test_a_numbered_list_keeps_its_first_number() -> None:
    assert blocks("7. seven\n8. eight")[0].start == 7


def test_strong_words_and_code_are_marked() -> None:
    line = blocks("It is **2,340** in `bill.pdf`.")[0].lines[0]
    assert [(span.kind, span.text) for span in line] == [
        ("plain", "It is "),
        ("strong", "2,340"),
        ("plain", " in "),
        ("code", "bill.pdf"),
        ("plain", "."),
    ]


def test_a_link_is_its_words_and_its_whole_address_and_a_picture_is_the_same() -> None:
    text = "See [our bank](https://bank.example@evil.example/a_(b)?q=1) ![x](//evil.example/p.png) [](a) [c](c)"
    assert [(span.kind, span.text) for span in blocks(text)[0].lines[0]] == [
        ("plain", "See "),
        ("plain", "our bank ("),
        ("address", "https://bank.example@evil.example/a_(b)?q=1"),
        ("plain", ")"),
        ("plain", " "),
        ("plain", "x ("),
        ("address", "//evil.example/p.png"),
        ("plain", ")"),
        ("plain", " "),
        ("address", "a"),
        ("plain", " "),
        ("address", "c"),
    ]


def test_code_that_is_never_closed_is_still_shown() -> None:
    assert shape("```\nhalf") == [("pre", ["half"])]


@given(st.text(alphabet="a1 .-*`\n>#<", max_size=200))
def test_no_letter_is_lost(text: str) -> None:
    shown = "".join(line for _kind, lines in shape(text) for line in lines)
    fenced = "".join(line for line in text.split("\n") if not line.strip().startswith("```"))
    assert shown.count("a") == fenced.count("a")


@given(st.text(max_size=300))
def test_any_text_has_blocks(text: str) -> None:
    for block in blocks(text):
        assert block.kind in {"p", "ul", "ol", "pre"}
        assert block.lines

"""The text of every kind of document, and one plain sentence where there is none."""

import contextlib
import os
from pathlib import Path
import subprocess
from typing import Any

from hypothesis import given, strategies as st
import pytest

from ira_companion import documents, limits
from ira_companion.documents import Document, read_document
from ira_companion.parsing import Parsed, parsed_docx, parsed_pdf
from ira_companion.text import pages_of
from ira_home.base.errors import ToolFailed
from tests.clients import papers


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def read_it(content: bytes, name: str) -> Document:
        path = tmp_path / name
        path.write_bytes(content)
        with path.open("rb") as file:
            return read_document(file, name)

    return read_it


def test_a_pdf_gives_its_text_page_by_page(read: Any) -> None:
    found = read(papers.pdf("Invoice 4711", "Total 990 rupees"), "invoice.pdf")
    assert found == Document("PDF", "Invoice 4711\n\nTotal 990 rupees", is_whole=True)


def test_what_a_file_is_counts_and_not_what_it_is_called(read: Any) -> None:
    assert read(papers.pdf("Invoice 4711"), "invoice.txt").kind == "PDF"
    with pytest.raises(ToolFailed, match=r"invoice\.pdf is no document that I can read"):
        read(b"\x89PNG\r\n\x1a\n\x00\x00\x00", "invoice.pdf")


def test_a_locked_pdf_is_said_so(read: Any) -> None:
    locked = papers.locked_pdf(papers.pdf("Invoice"), user="secret", owner="owner")
    with pytest.raises(ToolFailed, match="locked with a password"):
        read(locked, "invoice.pdf")


def test_a_pdf_locked_only_against_changes_can_be_read(read: Any) -> None:
    locked = papers.locked_pdf(papers.pdf("Invoice 4711"), user="", owner="owner")
    assert read(locked, "invoice.pdf").text == "Invoice 4711"


def test_a_scanned_pdf_is_said_so(read: Any) -> None:
    with pytest.raises(ToolFailed, match="it is a scan or a picture"):
        read(papers.pdf("", ""), "scan.pdf")


def test_pictures_among_pages_with_text_do_not_matter(read: Any) -> None:
    assert read(papers.pdf("", "Page two"), "mixed.pdf").text == "Page two"


@pytest.mark.parametrize("content", [b"%PDF-1.7\nnothing more", papers.pdf("x")[:200]])
def test_a_damaged_pdf_is_said_so(read: Any, content: bytes) -> None:
    with pytest.raises(ToolFailed, match="damaged"):
        read(content, "broken.pdf")


def test_a_word_document_gives_paragraphs_and_tables_in_order(read: Any) -> None:
    content = papers.docx("Dear Amit,", "Yours", rows=(("Item", "Price"), ("Crown", "990")))
    found = read(content, "letter.docx")
    assert found == Document(
        "Word", "Dear Amit,\n\nItem | Price\nCrown | 990\n\nYours", is_whole=True
    )


def test_an_empty_word_document_is_empty(read: Any) -> None:
    assert read(papers.docx(), "empty.docx").text == ""


def test_a_locked_word_document_is_said_so(read: Any) -> None:
    with pytest.raises(ToolFailed, match="locked with a password"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "letter.docx")


def test_a_small_file_that_unpacks_to_very_much_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    papers.bomb(path, limits.UNPACKED_BYTES + 1_000_000)
    assert path.stat().st_size < 1_000_000
    with path.open("rb") as file, pytest.raises(ToolFailed, match="unpack to far too much"):
        read_document(file, "bomb.docx")


def test_a_zip_that_is_no_word_document_is_damaged(read: Any, tmp_path: Path) -> None:
    papers.bomb(tmp_path / "other.docx", 1_000_000)
    content = (tmp_path / "other.docx").read_bytes()
    with pytest.raises(ToolFailed, match="damaged"):
        read(content, "other.docx")
    with pytest.raises(ToolFailed, match="no document that I can read"):
        read(content, "other.zip")


@pytest.mark.parametrize(
    ("content", "name", "kind", "text"),
    [
        ("नमस्ते Amit\r\nbye".encode(), "note.txt", "text", "नमस्ते Amit\nbye"),
        ("\ufeffhello".encode(), "note.md", "Markdown", "hello"),
        ("a,b\n1,2\n".encode("utf-16"), "table.csv", "CSV", "a,b\n1,2\n"),
        ("hello".encode("utf-32"), "note", "text", "hello"),
        (b"", "note.txt", "text", ""),
        ("safe\u202egpj.exe\u200b".encode(), "note.txt", "text", "safegpj.exe"),
    ],
)
def test_text_is_read_in_every_encoding_that_says_what_it_is(
    read: Any, content: bytes, name: str, kind: str, text: str
) -> None:
    assert read(content, name) == Document(kind, text, is_whole=True)


def test_an_encoding_that_does_not_say_what_it_is_is_not_guessed(read: Any) -> None:
    with pytest.raises(ToolFailed, match="encoding that I do not know"):
        read("Müller".encode("latin-1"), "note.txt")


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        os.truncate(file.fileno(), limits.FILE_BYTES + 1)
    with path.open("rb") as file, pytest.raises(ToolFailed, match="up to 50 MB"):
        read_document(file, "large.txt")


def test_a_parser_that_takes_too_long_is_ended(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "PARSE_S", 0.01)
    with pytest.raises(ToolFailed, match="takes too long"):
        read(papers.pdf("x"), "slow.pdf")


def test_a_parser_gets_nothing_secret_of_the_environment(
    read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed: dict[str, str] = {}
    real = subprocess.run

    def run(command: list[str], **options: Any) -> Any:
        passed.update(options["env"])
        assert "invoice" not in " ".join(command)
        return real(command, **options)

    monkeypatch.setenv("IRA_MODEL_KEY", "sk-secret")
    monkeypatch.setattr(subprocess, "run", run)
    read(papers.pdf("x"), "invoice.pdf")
    assert "IRA_MODEL_KEY" not in passed
    assert "PATH" in passed


def test_a_very_long_document_is_cut_and_says_so(read: Any) -> None:
    found = read(b"word " * 300_000, "long.txt")
    assert len(found.text) == limits.TEXT_CHARS
    assert not found.is_whole


@given(st.text(max_size=40_000))
def test_pages_are_bounded_and_lose_no_word(text: str) -> None:
    pages = pages_of(text)
    assert all(len(page) <= limits.PAGE_CHARS for page in pages)
    assert "".join("".join(pages).split()) == "".join(text.split())


@given(st.binary(max_size=3_000))
def test_no_bytes_make_the_parsers_say_anything_but_a_problem_or_text(content: bytes) -> None:
    for parse in (parsed_docx, parsed_pdf):
        # `main` answers whatever the libraries raise with "broken".
        with contextlib.suppress(Exception):
            assert isinstance(parse(content), Parsed)

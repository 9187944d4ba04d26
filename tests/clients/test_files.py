"""The skill `files`: what a person says leads to the file they mean, inside allowed folders only."""

import os
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from ira_companion import limits, walking
from ira_companion.files import Files
from ira_companion.settings import AllowedFolder, SettingsFile
from ira_companion.shelves import Place, Shelves
from ira_home.base.errors import ToolFailed
from tests.clients import papers
from tests.support.clock import FakeClock


class Desk:
    """A home with folders, and the tools on them."""

    def __init__(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"
        self.state = tmp_path / "state"
        self.clock = FakeClock()
        self.settings = SettingsFile(self.state)
        self.files = Files(self.settings, state=self.state, clock=self.clock)

    def put(self, path: str, content: bytes | str = "text", age_s: float = 0.0) -> Path:
        target = self.home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(target, (1_700_000_000 - age_s, 1_700_000_000 - age_s))
        return target

    def allow(self, *names: str) -> None:
        for name in names:
            (self.home / name).mkdir(parents=True, exist_ok=True)
        self.settings.allow([self.home / name for name in names])

    def read(self, path: str, page: int = 1) -> dict[str, Any]:
        return self.files.read(path, page)

    def refusal(self, path: str) -> str:
        with pytest.raises(ToolFailed) as caught:
            self.files.read(path)
        return caught.value.message


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(tmp_path)
    made.home.mkdir()
    monkeypatch.setenv("HOME", str(made.home))
    made.put("Downloads/invoice.pdf", papers.pdf("Invoice 4711"))
    made.put("Documents/Report 2026.md", "# Report", age_s=10)
    made.put("Documents/old/letter.txt", "Dear Amit", age_s=20)
    made.put("secret/invoice.pdf", papers.pdf("SECRET"))
    made.allow("Downloads", "Documents")
    return made


@pytest.mark.parametrize(
    "said",
    [
        "~/Downloads/invoice.pdf",
        "{home}/Downloads/invoice.pdf",
        "Downloads/invoice.pdf",
        "downloads/INVOICE.PDF",
        "~\\downloads\\Invoice.pdf",
        "C:\\Users\\me\\..\\Downloads\\invoice.pdf",
        "/Downloads/./invoice.pdf",
        "invoice.pdf in Downloads",
        "invoice.pdf in the downloads folder",
        "Invoice from my Downloads",
        "  “invoice.pdf”  ",
        "invoice.pdf",
        "INVOICE",
    ],
)
def test_a_file_is_found_however_it_is_said(desk: Desk, said: str) -> None:
    if ".." in said:
        assert desk.refusal(said) == "A path with .. is not followed."
        return
    assert desk.read(said.format(home=desk.home)) == {
        "summary": "Read invoice.pdf (PDF).",
        "text": "Invoice 4711",
        "page": 1,
        "pages": 1,
        "path": "~/Downloads/invoice.pdf",
    }


def test_an_allowed_folder_is_known_by_its_name_wherever_it_lies(
    desk: Desk, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "demo" / "Pictures"
    elsewhere.mkdir(parents=True)
    (elsewhere / "list.txt").write_text("one")
    desk.settings.allow([elsewhere])
    for said in ("~/Pictures/list.txt", "list.txt in Pictures", "Pictures/list.txt"):
        assert desk.read(said)["path"] == "Pictures/list.txt"


def test_a_file_deeper_in_the_named_folder_is_found(desk: Desk) -> None:
    assert desk.read("letter.txt in Documents")["text"] == "Dear Amit"
    assert desk.read("~/Documents/letter")["path"] == "~/Documents/old/letter.txt"


def test_a_name_with_in_in_it_is_taken_literally_first(desk: Desk) -> None:
    desk.put("Documents/made in downloads", "literal")
    assert desk.read("made in Downloads")["text"] == "literal"


def test_letters_composed_in_another_way_are_the_same(desk: Desk) -> None:
    desk.put("Downloads/cafe\u0301.txt", "composed")
    assert desk.read("café.txt")["text"] == "composed"


def test_several_files_that_fit_are_named(desk: Desk) -> None:
    desk.put("Documents/invoice.pdf", papers.pdf("another"))
    found = desk.read("invoice.pdf")
    assert found["files"] == ["~/Downloads/invoice.pdf", "~/Documents/invoice.pdf"]
    assert found["summary"].endswith("Which one?")
    assert desk.read("invoice.pdf in Documents")["text"] == "another"


def test_a_bare_name_at_the_top_does_not_hide_one_deeper(desk: Desk) -> None:
    desk.put("Documents/old/invoice.pdf", papers.pdf("old"))
    assert len(desk.read("invoice.pdf")["files"]) == 2


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("bill.pdf in Downloads", "There is no file bill.pdf in ~/Downloads."),
        ("nothing.txt", "There is no file nothing.txt."),
        ("report", "Its name is like that of: ~/Documents/Report 2026.md."),
        ("Documents", "~/Documents is a folder."),
        ("~/secret/invoice.pdf", "not in a folder that I may read"),
        ("/etc/passwd", "not in a folder that I may read"),
        ("../secret/invoice.pdf", "A path with .. is not followed."),
        ("~/Downloads/../secret/invoice.pdf", "A path with .. is not followed."),
        ("{home}/Downloads/../secret/invoice.pdf", "A path with .. is not followed."),
        (".ssh/id_rsa", "Hidden files are not opened."),
        ("~/Downloads/.env", "Hidden files are not opened."),
        ("", "Say which file"),
        ("x" * 2000, "Say which file"),
        ("a\x00b", "That is no file name."),
    ],
)
def test_what_cannot_be_read_is_said_plainly(desk: Desk, said: str, words: str) -> None:
    assert words in desk.refusal(said.format(home=desk.home))


def test_an_allowed_folder_may_lie_in_a_hidden_one(desk: Desk) -> None:
    desk.put(".local/share/papers/sugar.txt", b"sugar")
    desk.put(".local/share/papers/.env", b"secret")
    desk.allow(".local/share/papers")
    path = next(one["path"] for one in desk.files.find("sugar")["files"])
    assert path == "~/.local/share/papers/sugar.txt"
    assert desk.read(path)["text"] == "sugar"
    assert desk.read(str(desk.home / ".local/share/papers/sugar.txt"))["text"] == "sugar"
    assert "Hidden files" in desk.refusal("~/.local/share/papers/.env")
    assert "Hidden files" in desk.refusal("~/.local/share/other.txt")


def test_a_link_that_leads_out_is_no_file(desk: Desk) -> None:
    (desk.home / "Downloads" / "link.pdf").symlink_to(desk.home / "secret" / "invoice.pdf")
    (desk.home / "Downloads" / "more").symlink_to(desk.home / "secret")
    assert "is a link" in desk.refusal("~/Downloads/link.pdf")
    assert "is a link" in desk.refusal("~/Downloads/more/invoice.pdf")
    assert "There is no file" in desk.refusal("LINK.PDF")
    paths = [one["path"] for one in desk.files.find("")["files"]]
    assert not any("more" in path or "link" in path for path in paths)


def test_without_an_allowed_folder_it_says_how_to_allow_one(desk: Desk) -> None:
    desk.settings.forbid("Downloads")
    desk.settings.forbid("documents")
    assert "ira-companion folders add" in desk.refusal("invoice.pdf")
    with pytest.raises(ToolFailed, match="ira-companion folders add"):
        desk.files.find("invoice")


def test_a_folder_taken_off_the_list_is_closed_at_once(desk: Desk) -> None:
    desk.settings.forbid("Downloads")
    assert "not in a folder" in desk.refusal("~/Downloads/invoice.pdf")


def test_long_texts_come_in_pages(desk: Desk) -> None:
    desk.put("Downloads/long.txt", "word " * 4_000)
    first = desk.read("long.txt")
    assert first["summary"] == "Read long.txt (text, page 1 of 3)."
    assert len(first["text"]) <= limits.PAGE_CHARS
    assert desk.read("long.txt", 3)["page"] == 3
    with pytest.raises(ToolFailed, match="no page 4: there are 3"):
        desk.read("long.txt", 4)
    with pytest.raises(ToolFailed, match="no page 0"):
        desk.read("long.txt", 0)


def test_an_empty_file_is_said_to_be_empty(desk: Desk) -> None:
    desk.put("Downloads/empty.txt", "")
    assert desk.read("empty.txt")["summary"] == "empty.txt is empty."


def test_files_are_found_by_words_newest_first(desk: Desk) -> None:
    desk.put("Downloads/electricity_bill_may.pdf", age_s=300)
    desk.put("Documents/Bills/Electricity-Bill June.pdf", age_s=200)
    desk.put("Downloads/आधार कार्ड.pdf", "x")
    found = desk.files.find("find files about electricity bill")
    assert [one["path"] for one in found["files"]] == [
        "~/Documents/Bills/Electricity-Bill June.pdf",
        "~/Downloads/electricity_bill_may.pdf",
    ]
    assert found["summary"] == (
        "Found 2 files, newest first: Electricity-Bill June.pdf, electricity_bill_may.pdf."
    )
    (card,) = desk.files.find("आधार कार्ड की फाइल खोजो")["files"]
    assert card["path"] == "~/Downloads/आधार कार्ड.pdf"
    assert card["size"] == "1 bytes"
    assert card["changed"].startswith("2023-11-1")


def test_one_folder_can_be_asked_for(desk: Desk) -> None:
    assert len(desk.files.find("", "Documents")["files"]) == 2
    assert len(desk.files.find("", "my documents folder")["files"]) == 2
    assert len(desk.files.find("", "~/Documents/old")["files"]) == 1
    assert len(desk.files.find("", "OLD")["files"]) == 1
    with pytest.raises(ToolFailed, match="not a folder that I may read"):
        desk.files.find("", "secret")
    with pytest.raises(ToolFailed, match="not a folder that I may read"):
        desk.files.find("", "/etc")


def test_no_file_that_fits_is_said_so(desk: Desk) -> None:
    assert "no such file" in desk.files.find("holiday goa")["summary"]


def test_the_list_comes_in_pages(desk: Desk) -> None:
    for number in range(45):
        desk.put(f"Downloads/photo {number:02}.txt", age_s=1_000 + number)
    found = desk.files.find("photo", "", 3)
    assert (found["page"], found["pages"], len(found["files"])) == (3, 3, 5)


def test_looking_ends_in_time_and_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    real = walking._look

    def slow(shelves: Any, place: Any) -> Any:
        desk.clock.advance(limits.FIND_S)
        return real(shelves, place)

    monkeypatch.setattr(walking, "_look", slow)
    assert "too many files" in desk.files.find("letter")["summary"]
    assert "too many files" in desk.refusal("nothing.txt")


def test_every_path_shown_leads_back_to_its_file(desk: Desk, tmp_path: Path) -> None:
    twin = tmp_path / "other" / "Downloads"
    twin.mkdir(parents=True)
    (twin / "in the box.txt").write_text("twin")
    desk.settings.allow([twin])
    desk.put("Downloads/in the box.txt", "home")
    for one in desk.files.find("")["files"]:
        assert desk.read(one["path"])["path"] == one["path"]


@given(
    st.lists(
        st.sampled_from(
            ["~", "..", ".", "/", "\\", "Downloads", "secret", "invoice.pdf", " in ", "link", "C:"]
        )
        | st.text(max_size=5),
        max_size=8,
    ).map("".join)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_words_at_all_lead_outside_the_allowed_folders(desk: Desk, said: str) -> None:
    link = desk.home / "Downloads" / "link"
    if not link.is_symlink():
        link.symlink_to(desk.home / "secret")
    folder = AllowedFolder((desk.home / "Downloads").resolve())
    shelves = Shelves([folder], private=desk.state, home=desk.home.resolve())
    try:
        readings = shelves.meant(said)
    except ToolFailed:
        return
    for reading in readings:
        for place in reading.places:
            assert isinstance(place, Place)
            path = Path(os.path.normpath(folder.path.joinpath(*place.parts)))
            assert path.is_relative_to(folder.path)
            assert not {"..", ".", ""} & set(place.parts)

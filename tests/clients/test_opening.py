"""Nothing outside an allowed folder can be opened, whatever is asked and whoever moves things."""

from collections.abc import Callable
import os
from pathlib import Path
import socket
import threading

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from ira_companion.names import refusal
from ira_companion.opening import Inside, InsideByNames, InsideBySteps, IsFolder, Missing
from ira_home.base.errors import ToolFailed

Make = Callable[[Path, Path], Inside]


@pytest.fixture(params=[InsideBySteps, InsideByNames])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An allowed folder with two files; a secret lies beside it."""
    folder = tmp_path / "Downloads"
    (folder / "bills").mkdir(parents=True)
    (folder / "note.txt").write_text("a note")
    (folder / "bills" / "power.txt").write_text("a bill")
    (folder / ".hidden").write_text("hidden secret")
    (folder / ".config").mkdir()
    (folder / ".config" / "key.txt").write_text("hidden secret")
    (tmp_path / "secret.txt").write_text("the secret")
    (tmp_path / "private").mkdir()
    return folder


@pytest.fixture
def allowed(make: Make, root: Path) -> Inside:
    return make(root, root.parent / "private")


def test_files_inside_are_opened(allowed: Inside) -> None:
    with allowed.open(["note.txt"]) as file:
        assert file.read() == b"a note"
    with allowed.open(["bills", "power.txt"]) as file:
        assert file.read() == b"a bill"


def test_a_folder_lists_what_is_plain_and_seen(allowed: Inside, root: Path) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    os.mkfifo(root / "pipe")
    listed = {entry.name: entry for entry in allowed.entries([])}
    assert set(listed) == {"bills", "note.txt"}
    assert listed["bills"].is_folder
    assert listed["note.txt"].size == 6


@pytest.mark.parametrize(
    "parts",
    [
        ["..", "secret.txt"],
        ["bills", "..", "..", "secret.txt"],
        ["bills/../../secret.txt"],
        ["/etc/passwd"],
        ["..\\secret.txt"],
        ["note.txt\x00"],
        [".hidden"],
        [".config", "key.txt"],
        ["."],
        [""],
        ["\udcff"],
    ],
)
def test_steps_that_lead_out_or_to_hidden_things_are_refused(
    allowed: Inside, parts: list[str]
) -> None:
    with pytest.raises(ToolFailed):
        allowed.open(parts)


def test_what_is_not_there_is_missing(allowed: Inside) -> None:
    for parts in (["nothing"], ["note.txt", "x"], ["n" * 300]):
        with pytest.raises(Missing):
            allowed.open(parts)
    with pytest.raises(IsFolder):
        allowed.open(["bills"])
    with pytest.raises(IsFolder):
        allowed.open([])


def test_links_are_refused_wherever_they_stand_and_lead(allowed: Inside, root: Path) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "out").symlink_to(root.parent)
    (root / "same").symlink_to(root / "bills")
    for parts in (["link.txt"], ["out", "secret.txt"], ["same", "power.txt"]):
        with pytest.raises(ToolFailed, match="is a link to another place"):
            allowed.open(parts)
    with pytest.raises(ToolFailed, match="link"):
        allowed.entries(["out"])


def test_an_allowed_folder_that_became_a_link_is_not_followed(make: Make, root: Path) -> None:
    root.rename(root.parent / "moved")
    root.symlink_to(root.parent)
    with pytest.raises((ToolFailed, Missing)):
        make(root, root.parent / "private").open(["secret.txt"])


def test_pipes_and_sockets_are_no_files_and_do_not_hang(allowed: Inside, root: Path) -> None:
    os.mkfifo(root / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    with listener:
        listener.bind(str(root / "sock"))
        for name in ("pipe", "sock"):
            with pytest.raises(ToolFailed):
                allowed.open([name])


def test_the_companions_own_folder_is_closed_even_inside_an_allowed_one(
    make: Make, root: Path
) -> None:
    own = root / "state"
    own.mkdir()
    (own / "token").write_text("irad_secret")
    inside = make(root, own)
    with pytest.raises(ToolFailed, match="Ira's own folder"):
        inside.open(["state", "token"])
    with pytest.raises(ToolFailed, match="Ira's own folder"):
        inside.entries(["state"])


@pytest.mark.parametrize(
    "name", ["note.txt:secret", "CON", "nul.txt", "Com1", "lpt¹.txt", "note. ", "note."]
)
def test_other_streams_and_devices_of_windows_are_refused_there(name: str) -> None:
    assert refusal(name, windows=True) == "That is no file name on Windows."
    assert refusal(name, windows=False) is None


def test_a_folder_exchanged_for_a_link_at_any_moment_never_leads_out(
    allowed: Inside, root: Path
) -> None:
    # "swing" is by turns a folder with a harmless file and a link to where the secret is.
    inner = root / "swing"
    kept = root / "kept"
    kept.mkdir()
    (kept / "secret.txt").write_text("harmless")
    over = threading.Event()

    def exchange() -> None:
        while not over.is_set():
            inner.symlink_to(root.parent)
            inner.unlink()
            kept.rename(inner)
            inner.rename(kept)

    thread = threading.Thread(target=exchange)
    thread.start()
    seen = set()
    try:
        for _ in range(3_000):
            try:
                with allowed.open(["swing", "secret.txt"]) as file:
                    seen.add(file.read())
            except (Missing, ToolFailed):
                pass
    finally:
        over.set()
        thread.join()
    assert seen <= {b"harmless"}


_STEP = st.one_of(
    st.sampled_from(
        ["..", ".", "", "/", "~", "bills", "note.txt", "power.txt", "link.txt", "out", "secret.txt"]
    ),
    st.text(max_size=8),
)


@given(st.lists(_STEP, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_steps_at_all_open_anything_outside(
    allowed: Inside, root: Path, parts: list[str]
) -> None:
    for name, target in (("link.txt", root.parent / "secret.txt"), ("out", root.parent)):
        if not (root / name).is_symlink():
            (root / name).symlink_to(target)
    try:
        with allowed.open(parts) as file:
            assert file.read() in (b"a note", b"a bill")
    except (Missing, IsFolder, ToolFailed):
        pass

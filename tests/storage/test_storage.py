"""Opening a data folder: private, one at a time, and never a fresh house over an old one."""

from collections.abc import Callable
import os
from pathlib import Path
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile

import pytest

from ira_home.base.errors import StorageFull
from ira_home.base.folder_errors import (
    AlreadyRunning,
    BrokenDatabase,
    DataFolderError,
    NewerDatabase,
    NoHouse,
)
from ira_home.storage.storage import Storage
from tests.support.clock import FakeClock
from tests.support.requirements import requirement

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes mean nothing here")


async def live(folder: Path, value: str | None = None) -> str | None:
    """Open the house, keep a value, close it; what was kept before."""
    storage = await Storage.open(folder, FakeClock())
    try:
        before = await storage.settings.house("name")
        if value is not None:
            await storage.write(lambda tx: storage.settings.set_house(tx, "name", value))
        return before
    finally:
        await storage.close()


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def modes(folder: Path) -> dict[str, int]:
    found = {str(one.relative_to(folder)): one for one in folder.rglob("*")}
    return {name: stat.S_IMODE(one.lstat().st_mode) for name, one in found.items()}


async def test_a_house_keeps_what_was_written_and_its_identity(tmp_path: Path) -> None:
    storage = await Storage.open(tmp_path / "new" / "data", FakeClock())
    identity = storage.install_id
    await storage.write(lambda tx: storage.settings.set_house(tx, "name", "Sunrise"))
    await storage.close()
    again = await Storage.open(tmp_path / "new" / "data", FakeClock())
    assert (again.install_id, await again.settings.house("name")) == (identity, "Sunrise")
    assert len(bytes.fromhex(identity)) == 3
    await again.close()
    await again.close()


@POSIX
@requirement("data.files")
async def test_every_file_is_private_whatever_the_umask(tmp_path: Path) -> None:
    data, umask = tmp_path / "data", os.umask(0)
    try:
        storage = await Storage.open(data, FakeClock())
        await storage.write(lambda tx: storage.settings.set_house(tx, "name", "x"))
        (data / "tools").mkdir()
        found = modes(data)
        await storage.close()
        assert os.umask(0) == 0, "the umask is given back"
    finally:
        os.umask(umask)
    assert {"ira.sqlite", "ira.sqlite-wal", "ira.sqlite-shm", "ira.lock", "secret.key"} <= set(
        found
    )
    assert found.pop("tools") == 0o700
    assert set(found.values()) == {0o600}
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


@POSIX
async def test_what_others_could_read_is_closed_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    await live(data)
    (data / "ira.yaml").write_text("port: 9000")
    (data / "backups").mkdir()
    (data / "backups" / "before-2.sqlite").write_bytes(b"x")
    (data / "theirs").write_text("not Ira's")
    for one in (data, *data.rglob("*")):
        one.chmod(0o777 if one.is_dir() else 0o666)
    await live(data)
    found = modes(data)
    assert found.pop("theirs") == 0o666, "a stranger's file is left alone"
    assert found.pop("backups") == 0o700
    assert set(found.values()) == {0o600}
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


@requirement("ship.one")
async def test_a_second_opener_is_refused_and_says_who_has_it(tmp_path: Path) -> None:
    first = await Storage.open(tmp_path, FakeClock())
    with pytest.raises(AlreadyRunning, match=f"process {os.getpid()}"):
        await Storage.open(tmp_path, FakeClock())
    await first.write(lambda tx: first.settings.set_house(tx, "name", "unharmed"))
    await first.close()
    assert (tmp_path / "ira.lock").exists(), "the lock file stays, so that all lock the same one"
    assert await live(tmp_path) == "unharmed"


HOLDER = """
import asyncio, sys
from pathlib import Path
from ira_home.base.clock import SystemClock
from ira_home.storage.storage import Storage

async def hold():
    await Storage.open(Path(sys.argv[1]), SystemClock())
    print("open", flush=True)
    sys.stdin.read()

asyncio.run(hold())
"""


@POSIX
@requirement("ship.one")
async def test_the_lock_of_a_killed_process_is_free_again(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:  # noqa: ASYNC220
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(AlreadyRunning, match=f"process {holder.pid}"):
            await Storage.open(tmp_path, FakeClock())
        holder.send_signal(signal.SIGKILL)
    assert await live(tmp_path) is None


def newer(data: Path) -> None:
    connection = sqlite3.connect(data / "ira.sqlite")
    connection.execute("PRAGMA user_version = 999")
    connection.close()


def cut(data: Path) -> None:
    path = data / "ira.sqlite"
    path.write_bytes(path.read_bytes()[:-8192])


def other_secret(data: Path) -> None:
    (data / "secret.key").write_bytes(b"0" * 32)


@requirement("data.migrate")
@pytest.mark.parametrize(
    ("damage", "error", "words"),
    [
        (newer, NewerDatabase, "newer Ira"),
        (cut, BrokenDatabase, "damaged"),
        (lambda data: (data / "ira.sqlite").write_bytes(b""), BrokenDatabase, "damaged"),
        (lambda data: (data / "ira.sqlite").write_bytes(b"hello" * 999), BrokenDatabase, "damaged"),
        (lambda data: (data / "ira.sqlite").unlink(), BrokenDatabase, "is missing"),
        (lambda data: (data / "secret.key").unlink(), DataFolderError, "secret.key is missing"),
        (lambda data: (data / "secret.key").write_bytes(b"short"), DataFolderError, "damaged"),
        (other_secret, DataFolderError, "belongs to another database"),
    ],
    ids=["newer", "cut", "empty", "no database", "lost", "no secret", "bad secret", "other secret"],
)
async def test_a_house_that_cannot_be_opened_is_refused_in_words_and_left_alone(
    tmp_path: Path, damage: Callable[[Path], object], error: type[DataFolderError], words: str
) -> None:
    await live(tmp_path, "old house")
    damage(tmp_path)
    before = everything(tmp_path)
    for _ in range(2):
        with pytest.raises(error, match=words):
            await live(tmp_path)
    after = everything(tmp_path)
    assert {name: after.get(name) for name in before} == before
    assert set(after) - set(before) <= {"ira.sqlite-wal", "ira.sqlite-shm"}


async def test_a_lost_database_is_not_replaced_while_its_log_is_there(tmp_path: Path) -> None:
    (tmp_path / "ira.sqlite-wal").write_bytes(b"the last writes")
    with pytest.raises(BrokenDatabase, match="is missing"):
        await live(tmp_path)
    assert not (tmp_path / "ira.sqlite").exists()


def loop(place: Path) -> None:
    place.symlink_to(place)


def under_a_file(place: Path) -> None:
    place.parent.rmdir()
    place.parent.write_text("a file")


def everybodys(place: Path) -> None:
    place.mkdir()
    place.chmod(0o1777)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (loop, "leads back to itself"),
        (lambda place: place.write_text("a file"), "is no folder"),
        (lambda place: place.symlink_to("nowhere"), "leads nowhere"),
        (under_a_file, "lies under something"),
        (everybodys, "used by other programs"),
    ],
    ids=["loop", "file", "dangling", "under a file", "like /tmp"],
)
async def test_a_folder_that_cannot_be_used_is_refused_in_words(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    place = tmp_path / "parent" / "data"
    place.parent.mkdir()
    make(place)
    with pytest.raises(DataFolderError, match=words) as refused:
        await live(place)
    assert "--data" in refused.value.message


async def test_the_root_and_a_lived_in_home_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    (home / "letters").mkdir()
    for place in (Path(home.anchor), home):
        before = place.stat().st_mode
        with pytest.raises(DataFolderError, match="used by other programs"):
            await live(place)
        assert place.stat().st_mode == before
    (home / "letters").rmdir()
    assert await live(home, "a service's own home is fine") is None
    assert await live(home) == "a service's own home is fine"


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder away"
)
async def test_another_users_folder_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, 12_345, 12_345)
    with pytest.raises(DataFolderError, match="another user"):
        await live(data)
    assert list(data.iterdir()) == []


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can become somebody else",
)
def test_a_folder_without_write_permission_is_refused() -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        data = Path(place) / "data"
        data.mkdir()
        os.chown(data, 12_345, 12_345)
        data.chmod(0o500)
        become = ["setpriv", "--reuid=12345", "--clear-groups", sys.executable, "-c", HOLDER]
        done = subprocess.run(
            [*become, str(data)], input="", capture_output=True, text=True, check=False
        )
    assert "cannot be written by this user" in done.stderr


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can mount a small disk"
)
async def test_a_disk_too_full_for_a_new_house_is_said_in_words_and_tried_again(
    tmp_path: Path,
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:  # noqa: ASYNC221
        pytest.skip("mounting is not permitted here")
    try:
        with pytest.raises(StorageFull, match="full"):
            await live(disk / "data")
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)  # noqa: ASYNC221
        assert await live(disk / "data") is None
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)  # noqa: ASYNC221


# The process dies at each step of the very first start in turn.
FIRST_START = """
import asyncio, os, signal, sys
from pathlib import Path
from ira_home.base.clock import SystemClock
from ira_home.storage.storage import Storage

left = int(sys.argv[2])

def die(event, arguments):
    global left
    if event in ("os.rename", "sqlite3.connect", "os.remove") or (event == "open" and "data" in str(arguments[0])):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

async def start():
    sys.addaudithook(die)
    storage = await Storage.open(Path(sys.argv[1]), SystemClock())
    await storage.close()

asyncio.run(start())
"""


@POSIX
async def test_a_first_start_killed_at_any_step_goes_on_at_the_next(tmp_path: Path) -> None:
    died = 0
    for step in range(1, 40):
        data = tmp_path / str(step) / "data"
        command = [sys.executable, "-c", FIRST_START, str(data), str(step)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: ASYNC221
        assert await live(data) is None
        assert {file.name for file in data.iterdir()} == {"ira.sqlite", "ira.lock", "secret.key"}
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        died += 1
    assert 5 < died < 39


@POSIX
@pytest.mark.parametrize("make", [True, False])
async def test_a_folder_of_something_else_is_left_as_it_is(tmp_path: Path, *, make: bool) -> None:
    photos = tmp_path / "photos"
    photos.mkdir(mode=0o755)
    (photos / "a.jpg").write_bytes(b"x")
    with pytest.raises(DataFolderError, match="other things"):
        await Storage.open(photos, FakeClock(), make=make)
    assert (modes(tmp_path)["photos"], list(photos.iterdir())) == (0o755, [photos / "a.jpg"])


async def test_without_make_no_house_is_made(tmp_path: Path) -> None:
    for place in (tmp_path / "missing", tmp_path):
        with pytest.raises(NoHouse, match="There is no house in"):
            await Storage.open(place, FakeClock(), make=False)
    (tmp_path / "ira.lock").touch()  # a first start was broken off
    with pytest.raises(NoHouse):
        await Storage.open(tmp_path, FakeClock(), make=False)
    assert list(everything(tmp_path)) == ["ira.lock"]
    assert await live(tmp_path, "made") is None
    storage = await Storage.open(tmp_path, FakeClock(), make=False)
    await storage.close()


async def test_what_was_put_there_for_the_house_keeps_none_from_being_made(tmp_path: Path) -> None:
    (tmp_path / "ira.yaml").write_text("port: 9000")
    (tmp_path / "tools").mkdir()
    assert await live(tmp_path, "made") is None

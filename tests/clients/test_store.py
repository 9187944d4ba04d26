"""Where a pairing is kept, and what happens when it cannot be read back."""

from pathlib import Path
import threading
from typing import Any

import pytest

from ira_device import NotPaired, TokenUnreadable, keyrings
from ira_device.keyrings import KeyringClosed, SystemKeyring, system_keyring
from ira_device.store import Paired, Store
from ira_home.base.folder_errors import DataFolderError

TOKEN = "irad_" + "t" * 43
PAIRED = Paired(
    host="192.168.1.5",
    port=8443,
    server_name="ira-7f3a9c.local",
    ca_pem="-----BEGIN CERTIFICATE-----",
    device_id=3,
    kind="linux",
    label="Lamp",
    assistant="Ira",
    websocket="/v1/devices/ws",
)


class MemoryKeyring:
    """A keyring that works, until it is locked."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.is_locked = False

    def get(self, name: str) -> str | None:
        if self.is_locked:
            raise KeyringClosed
        return self.kept.get(name)

    def set(self, name: str, secret: str) -> None:
        if self.is_locked:
            raise KeyringClosed
        self.kept[name] = secret

    def delete(self, name: str) -> None:
        self.kept.pop(name, None)


@pytest.fixture
def keyring() -> MemoryKeyring:
    return MemoryKeyring()


@pytest.fixture
def kept(tmp_path: Path, keyring: MemoryKeyring) -> Store:
    return Store(tmp_path / "device", keyring)


def _everything_in(folder: Path) -> str:
    return "".join(path.read_text() for path in folder.iterdir())


def test_with_a_keyring_the_token_is_in_no_file(kept: Store, keyring: MemoryKeyring) -> None:
    paired = kept.save(PAIRED, TOKEN)
    assert paired.kept_in == "keyring"
    assert kept.token(kept.load()) == TOKEN
    assert list(keyring.kept.values()) == [TOKEN]
    assert TOKEN not in _everything_in(kept.folder)


def test_a_locked_keyring_means_a_file_and_is_told(kept: Store, keyring: MemoryKeyring) -> None:
    keyring.is_locked = True
    assert kept.save(PAIRED, TOKEN).kept_in == "file"
    assert kept.token(kept.load()) == TOKEN


def test_a_keyring_locked_later_is_said_so(kept: Store, keyring: MemoryKeyring) -> None:
    paired = kept.save(PAIRED, TOKEN)
    keyring.is_locked = True
    with pytest.raises(TokenUnreadable, match="Unlock it"):
        kept.token(paired)
    with pytest.raises(TokenUnreadable, match="no desktop session"):
        Store(kept.folder, keyring=None).token(paired)


def test_a_lost_token_asks_for_pairing_again(kept: Store, keyring: MemoryKeyring) -> None:
    paired = kept.save(PAIRED, TOKEN)
    keyring.kept.clear()
    with pytest.raises(TokenUnreadable, match="Pair it again"):
        kept.token(paired)


def test_pairing_again_leaves_nothing_of_the_old(kept: Store, keyring: MemoryKeyring) -> None:
    keyring.is_locked = True
    kept.save(PAIRED, "irad_old")
    keyring.is_locked = False
    kept.save(PAIRED, "irad_middle")
    kept.save(Paired(**_fields() | {"device_id": 4}), TOKEN)
    assert keyring.kept == {"ira-7f3a9c.local/device-4": TOKEN}
    assert "irad_" not in _everything_in(kept.folder)


def _fields() -> dict[str, Any]:
    return {name: getattr(PAIRED, name) for name in PAIRED.__struct_fields__}


def test_forgetting_leaves_nothing(kept: Store, keyring: MemoryKeyring) -> None:
    kept.save(PAIRED, TOKEN)
    kept.forget()
    kept.forget()
    assert keyring.kept == {}
    assert list(kept.folder.iterdir()) == []
    with pytest.raises(NotPaired):
        kept.load()


@pytest.mark.parametrize("content", ["", "[]", '{"host": 1}', "\x00\xff"])
def test_a_damaged_pairing_is_said_so_and_can_be_replaced(kept: Store, content: str) -> None:
    kept.save(PAIRED, TOKEN)
    (kept.folder / "device.json").write_text(content)
    with pytest.raises(DataFolderError, match=r"device\.json cannot be read"):
        kept.load()
    kept.save(PAIRED, TOKEN)
    assert kept.token(kept.load()) == TOKEN


def test_backends_that_write_plain_files_are_never_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class PlaintextKeyring:
        priority = 9

    PlaintextKeyring.__module__ = "keyrings.alt.file"
    monkeypatch.setattr("keyring.backend.get_all_keyring", lambda: [PlaintextKeyring()])
    assert system_keyring() is None


def test_the_best_real_backend_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Good:
        priority = 5

        def get_password(self, service: str, name: str) -> str:
            return f"{service} {name}"

    class Better(Good):
        priority = 6

        def get_password(self, service: str, name: str) -> str:
            return "better"

    Good.__module__ = Better.__module__ = "keyring.backends.SecretService"
    monkeypatch.setattr("keyring.backend.get_all_keyring", lambda: [Good(), Better()])
    found = system_keyring()
    assert found is not None
    assert found.get("x") == "better"


def test_a_keyring_that_hangs_or_fails_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyrings, "ANSWER_S", 0.01)
    over = threading.Event()

    class Broken:
        def get_password(self, service: str, name: str) -> str:
            over.wait()
            return ""

        def set_password(self, service: str, name: str, secret: str) -> None:
            raise OSError

        def delete_password(self, service: str, name: str) -> None:
            raise OSError

    broken = SystemKeyring(Broken())
    with pytest.raises(KeyringClosed):
        broken.get("x")
    with pytest.raises(KeyringClosed):
        broken.set("x", "y")
    broken.delete("x")
    over.set()

"""The secret file and what is sealed with it."""

from pathlib import Path
import stat

from hypothesis import given, strategies as st
import pytest

from ira_home.base.folder_errors import DataFolderError, SecretUnreadable
from ira_home.storage.vault import SecretFile, Vault
from tests.support.database import open_database
from tests.support.requirements import requirement

KEY = "sk-live-not-really-1234567890"


@pytest.fixture(scope="session")
def secret(tmp_path_factory: pytest.TempPathFactory) -> SecretFile:
    return SecretFile.make(tmp_path_factory.mktemp("vault") / "secret.key")


def test_a_secret_file_is_made_private_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    made = SecretFile.make(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(path.read_bytes()) == 32
    assert SecretFile.open(path).derive("pin") == made.derive("pin")


def test_what_is_derived_differs_by_purpose_and_by_house(
    tmp_path: Path, secret: SecretFile
) -> None:
    other = SecretFile.make(tmp_path / "secret.key")
    derived = {secret.derive("pin"), secret.derive("code"), other.derive("pin")}
    assert len(derived) == 3
    assert {len(one) for one in derived} == {32}


def test_a_secret_file_that_others_could_read_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    SecretFile.make(path)
    path.chmod(0o644)
    SecretFile.open(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_secret_is_not_shown_by_accident(secret: SecretFile) -> None:
    assert repr(secret) == "SecretFile(***)"


@pytest.mark.parametrize(
    ("content", "words"), [(None, "missing"), (b"", "damaged"), (b"x" * 31, "damaged")]
)
def test_a_secret_file_that_cannot_be_used_is_refused_in_words(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "secret.key"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataFolderError, match=words):
        SecretFile.open(path)


@given(plain=st.text(), name=st.text(max_size=40))
def test_what_was_sealed_opens_under_its_name_only(
    secret: SecretFile, plain: str, name: str
) -> None:
    vault = Vault(secret, None)  # type: ignore[arg-type]
    sealed = vault.seal(plain, name)
    assert vault.open(sealed, name) == plain
    with pytest.raises(SecretUnreadable):
        vault.open(sealed, name + "x")


@given(data=st.data())
def test_a_sealed_value_that_was_changed_does_not_open(
    secret: SecretFile, data: st.DataObject
) -> None:
    vault = Vault(secret, None)  # type: ignore[arg-type]
    sealed = bytearray(vault.seal("plain", "name"))
    place = data.draw(st.integers(0, len(sealed) - 1))
    sealed[place] ^= data.draw(st.integers(1, 255))
    length = data.draw(st.integers(0, len(sealed)))
    for changed in (bytes(sealed), bytes(sealed[:length])):
        with pytest.raises(SecretUnreadable):
            vault.open(changed, "name")


def contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


@requirement("data.files")
async def test_a_stored_secret_is_readable_in_no_file(tmp_path: Path, secret: SecretFile) -> None:
    async with open_database(tmp_path) as database:
        vault = Vault(secret, database)
        await database.write(lambda tx: vault.set(tx, "model key", "an earlier one"))
        await database.write(lambda tx: vault.set(tx, "model key", KEY))
        assert await vault.get("model key") == KEY
        assert not any(KEY.encode() in content for content in contents(tmp_path))
        await database.write(lambda tx: vault.delete(tx, "model key"))
        assert await vault.get("model key") is None


async def test_a_secret_of_another_house_is_refused_in_words(
    tmp_path: Path, secret: SecretFile
) -> None:
    async with open_database(tmp_path) as database:
        await database.write(lambda tx: Vault(secret, database).set(tx, "bot token", "1:a"))
        other = Vault(SecretFile.make(tmp_path / "secret.key"), database)
        with pytest.raises(SecretUnreadable, match="bot token"):
            await other.get("bot token")

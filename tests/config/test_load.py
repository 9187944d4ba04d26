"""Settings: which value holds, how each is spelled, and what is refused in words."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
import tempfile

from hypothesis import given, strategies as st
import pytest
import yaml

from ira_home.base.errors import ConfigError
from ira_home.config.load import load
from ira_home.config.secret import Secret
from ira_home.config.settings import TABLE, Settings

SETTABLE = sorted(set(TABLE) - {"data_dir"})
GOOD: dict[str, st.SearchStrategy[str]] = {
    "bind": st.sampled_from(["0.0.0.0", "127.0.0.1", "::", "192.168.1.20"]),
    "port": st.integers(0, 65_535).map(str),
    "http_port": st.integers(0, 65_535).map(str),
    "mdns": st.sampled_from(["yes", "no", "on", "off", "1", "0", "True", "false"]),
    "advertise": st.sampled_from(["192.168.1.20", "fd00::1, 192.168.1.20"]),
    "hosts": st.sampled_from(["ira.lan", "ira.lan, home.example.org:443", "a-b.internal"]),
    "tls_cert": st.sampled_from(["/etc/ira/fullchain.pem", "relative.pem"]),
    "tls_key": st.sampled_from(["/etc/ira/privkey.pem"]),
    "log_level": st.sampled_from(["debug", "INFO", "Warning"]),
    "time_zone": st.sampled_from(["Asia/Kolkata", "UTC", "America/Argentina/Ushuaia"]),
    "name": st.sampled_from(["Home", "Sunrise Dental Clinic"]),
    "model_provider": st.sampled_from(["none", "OpenAI"]),
    "model_url": st.sampled_from(["http://127.0.0.1:11434/v1", "https://api.example.org"]),
    "model_name": st.sampled_from(["llama3.2", "qwen 3"]),
    "model_key": st.sampled_from(["sk-1", "sk-2"]),
    "loopback_setup": st.sampled_from(["yes", "no"]),
}
LAYER = st.fixed_dictionaries({}, optional=GOOD)
STORED = st.fixed_dictionaries({}, optional={n: s for n, s in GOOD.items() if TABLE[n].is_stored})


def read(name: str, spelling: str) -> object:
    return TABLE[name].kind.read(spelling)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"IRA_DATA_DIR": str(tmp_path)}


@given(flags=LAYER, environment=LAYER, file=LAYER, stored=STORED)
def test_the_nearest_of_flag_environment_file_and_stored_holds(
    flags: dict[str, str], environment: dict[str, str], file: dict[str, str], stored: dict[str, str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ira.yaml").write_text(yaml.safe_dump(file))
        environ = {"IRA_DATA_DIR": folder}
        environ |= {f"IRA_{name.upper()}": value for name, value in environment.items()}
        loaded = load(flags, environ).with_stored(stored)
    layers = {"flag": flags, "environment": environment, "file": file, "stored": stored}
    for name in SETTABLE:
        origin = next((one for one, layer in layers.items() if name in layer), "default")
        expected = getattr(Settings(), name)
        if origin != "default":
            expected = read(name, layers[origin][name])
        assert (loaded.origin(name), getattr(loaded.settings, name)) == (origin, expected)


def test_every_setting_is_in_the_table_and_reads_its_own_default() -> None:
    assert list(TABLE) == [field.name for field in fields(Settings)]
    for name in TABLE:
        default = getattr(Settings(), name)
        assert TABLE[name].kind.read(default) == default


def test_without_anything_the_defaults_hold(env: dict[str, str]) -> None:
    loaded = load({"port": None}, env)
    assert (loaded.settings.bind, loaded.settings.port, loaded.settings.http_port) == (
        "all",
        8443,
        8080,
    )
    assert loaded.origin("port") == "default"
    assert loaded.settings.model_provider == "none"


def test_the_data_folder_comes_by_flag_before_environment(
    env: dict[str, str], tmp_path: Path
) -> None:
    assert load({}, env).settings.data_dir == tmp_path
    assert load({"data_dir": tmp_path / "other"}, env).settings.data_dir == tmp_path / "other"
    assert load({"data_dir": "~/ira"}, env | {"HOME": "/x"}).settings.data_dir.is_absolute()


def test_a_file_can_hold_a_secret_for_a_variable(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-from-file\n")
    loaded = load({}, env | {"IRA_MODEL_KEY_FILE": str(tmp_path / "key")})
    assert loaded.settings.model_key.reveal() == "sk-from-file"
    with pytest.raises(ConfigError, match="IRA_MODEL_KEY_FILE"):
        load({}, env | {"IRA_MODEL_KEY_FILE": str(tmp_path / "nowhere")})


def test_a_key_is_never_shown(env: dict[str, str]) -> None:
    loaded = load({}, env | {"IRA_MODEL_KEY": "sk-very-secret"})
    assert "sk-very-secret" not in f"{loaded!r} {loaded.settings} {loaded.rows()}"
    row = next(row for row in loaded.rows() if row["name"] == "model_key")
    assert row == {"name": "model_key", "value": "***", "origin": "environment"}
    assert Secret("") == Secret()
    assert not Secret("")


def test_a_variable_that_names_no_setting_is_reported(env: dict[str, str]) -> None:
    assert load({}, env | {"IRA_PROT": "8443", "IRANIAN": "x"}).unknown == ("IRA_PROT",)


def test_stored_preferences_take_only_what_may_be_stored(env: dict[str, str]) -> None:
    loaded = load({}, env).with_stored(
        {"time_zone": "Asia/Kolkata", "port": "1", "install_id": "7f3a9c"}
    )
    assert loaded.settings.time_zone == "Asia/Kolkata"
    assert loaded.origin("port") == "default"


@pytest.mark.parametrize("stored", ["", "Asia/Atlantis", "two\nlines"])
def test_a_stored_preference_that_cannot_be_read_any_more_leaves_the_default(
    env: dict[str, str], stored: str
) -> None:
    loaded = load({}, env).with_stored({"time_zone": stored, "model_name": "llama3.2"})
    assert (loaded.settings.time_zone, loaded.origin("time_zone")) == ("", "default")
    assert loaded.origin("model_name") == "stored"


def test_what_holds_for_the_house_is_by_the_same_order(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "ira.yaml").write_text("model_name: from-file\n")
    loaded = load({}, env | {"IRA_TIME_ZONE": "UTC", "IRA_MODEL_KEY": "sk-environment"})
    stored = {
        "time_zone": "Asia/Kolkata", "model_name": "kept", "model_url": "http://127.0.0.1:9/v1",
        "model_key": "sk-kept", "version": "7",
    }  # fmt: skip
    assert loaded.in_force(stored) == {
        "advertise": "",
        "name": "Home",
        "time_zone": "UTC",
        "model_provider": "none",
        "model_url": "http://127.0.0.1:9/v1",
        "model_name": "from-file",
        "model_key": "sk-environment",
        "search_url": "",
        "search_key": "",
    }


BAD = [
    ("bind", "everywhere"),
    ("port", "-1"),
    ("port", "65536"),
    ("port", "८४४३"),
    ("port", "8443.0"),
    ("mdns", "maybe"),
    ("advertise", "192.168.1.20 fd00::1"),
    ("advertise", "ira.lan"),
    ("hosts", "ira home"),
    ("hosts", "192.168.1.4"),
    ("hosts", "ira.lan:0"),
    ("hosts", "ira.lan:65536"),
    ("hosts", "ira.lan:https"),
    ("hosts", ":443"),
    ("log_level", "loud"),
    ("time_zone", "Asia/Atlantis"),
    ("time_zone", "../../etc/passwd"),
    ("name", "\u202e"),
    ("name", "x" * 81),
    ("model_provider", "oracle"),
    ("model_url", "file:///etc/passwd"),
    ("model_url", "http://"),
    ("model_url", "http://[::1"),
    ("model_name", "two\nlines"),
    ("loopback_setup", "perhaps"),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_value_that_cannot_be_used_is_refused_with_its_name_and_origin(
    env: dict[str, str], tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(ConfigError, match=rf"{name} \(flag\) must be "):
        load({name: value}, env)
    with pytest.raises(ConfigError, match=rf"IRA_{name.upper()} must be "):
        load({}, env | {f"IRA_{name.upper()}": value})
    (tmp_path / "ira.yaml").write_text(yaml.safe_dump({name: value}))
    with pytest.raises(ConfigError, match=rf"{name} in .*ira.yaml must be "):
        load({}, env)


@given(st.data())
def test_no_spelling_makes_anything_but_a_value_or_a_config_error(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TABLE)))
    anything = st.one_of(
        st.text(), st.integers(), st.floats(), st.booleans(), st.lists(st.text()), st.binary()
    )
    with suppress(ConfigError):
        load({"data_dir": "/nonexistent", name: data.draw(anything)}, {})


def write(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (write(b"port: [1"), "not readable: line"),
        (write(b"port: 1\nport: 2"), "stands twice"),
        (write(b"- port"), "one a line"),
        (write(b"just words"), "one a line"),
        (write(b"prot: 1"), "Did you mean “port”"),
        (write(b"data_dir: /x"), "IRA_DATA_DIR"),
        (write(b"model_key: !!python/object/apply:os.system ['id']"), "not readable"),
        (write(b"\xff\xfe\x00"), "not readable"),
        (write(b"#" * 70_000), "too large"),
        (write(b"[" * 3_000), "not readable"),
        (lambda path: path.mkdir(), "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_words(
    env: dict[str, str], tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    make(tmp_path / "ira.yaml")
    with pytest.raises(ConfigError, match=words):
        load({}, env)


def test_an_empty_file_sets_nothing(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "ira.yaml").write_text("# port: 1\nmodel_name:\n")
    assert load({}, env).rows() == load({}, env | {"IRA_PORT": ""}).rows()

"""Commands of the operator, beside a running server and without one, as real processes."""

from collections.abc import Iterator
from pathlib import Path
import re
import socket

import pytest

from ira_home.base.jsontext import parse
from tests.support.program import OWNER, PASSWORD, PIN, Program
from tests.support.requirements import requirement

STAFF = "reviewer@example.com"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A house with its server running and one member of staff, shared by the tests here."""
    made = Program(tmp_path_factory.mktemp("house"))
    made.init()
    with made.serving():
        made.must(
            "user", "add", "--email", STAFF, "--role", "staff", "--password-stdin", stdin=f"{PASSWORD}\n"
        )  # fmt: skip
        made.must("pin", "set", "--user", STAFF, "--pin-stdin", stdin=f"{PIN}\n")
        yield made


def code_words(**changed: str) -> list[str]:
    """The words of `ira device code`."""
    options = {
        "email": STAFF,
        "kind": "android",
        "days": "7",
        "uses": "3",
        "skills": "calls,contacts",
    }
    return ["device", "code", *(w for k, v in (options | changed).items() for w in (f"--{k}", v))]


@requirement("review.user_add", "review.pin_set")
def test_an_added_person_signs_in_and_their_pin_is_theirs(program: Program) -> None:
    cookie = program.sign_in(STAFF)
    wish = {"kind": "mac", "label": "Mac", "skills": [], "pin": PIN}
    assert program.call("POST", "/v1/me/pairings", wish, cookie=cookie)[0] == 201


@requirement("review.cli", "review.options", "review.prints")
def test_a_reviewers_code_is_printed_with_its_link_and_pairs_as_said(program: Program) -> None:
    out = program.must(*code_words())
    code = re.search(r"\b([A-Z2-9]{4}-[A-Z2-9]{4})\b", out)
    assert code is not None
    assert f"/pair#code={code[1].replace('-', '')}&fp=" in out
    for _ in range(3):
        claim = {"code": code[1], "kind": "android"}
        status, body, _cookie = program.call("POST", "/v1/devices/pair", claim)
        assert (status, sorted(body["skills"])) == (201, ["calls", "contacts"])
    assert program.call("POST", "/v1/devices/pair", {"code": code[1], "kind": "android"})[0] == 410
    found = parse(program.must("device", "list", "--email", STAFF, "--json"))["items"]
    assert [one["kind"] for one in found].count("android") == 3


@requirement("review.days", "review.uses")
@pytest.mark.parametrize(
    "wrong",
    [{"days": "15"}, {"days": "0"}, {"uses": "11"}, {"uses": "0"}, {"kind": "toaster"}, {"email": "no@x.example"}],
)  # fmt: skip
def test_a_code_out_of_bounds_is_refused_and_not_made(
    program: Program, wrong: dict[str, str]
) -> None:
    said = program.ira(*code_words(**wrong))
    assert said.status != 0
    assert not re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", said.out)
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["user", "add"],
        ["user", "add", "--email", "x", "--role", "king"],
        ["user", "add", "--email", "no-at-sign", "--role", "staff", "--password-stdin"],
        ["user", "remove", "--email", "nobody@example.com", "--yes"],
        ["pin", "set", "--user", OWNER, "--pin-stdin"],
        ["device", "revoke", "999999"],
        ["device", "revoke", "-1"],
        ["config", "set", "time_zone", "Mars/Olympus"],
        ["config", "set", "name", "\u202e\u200b"],
        ["brain", "use", "openai", "--url", "ftp://x"],
        ["serve"],
        ["--data"],
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(program: Program, words: list[str]) -> None:
    said = program.ira(*words, stdin="12\n")
    assert said.status not in (0, 130)
    assert said.err.strip()
    assert "Traceback" not in said.err


@pytest.mark.parametrize("where", ["argument", "stdin"])
def test_bytes_that_are_no_text_are_refused_in_words(program: Program, where: str) -> None:
    if where == "argument":
        said = program.ira("user", "remove", "--email", "\udcff@x.example", "--yes")
    else:
        said = program.ira("pin", "set", "--user", STAFF, "--pin-stdin", stdin="\udcff12345\n")
    assert said.status == 1
    assert "UTF-8" in said.err
    assert "Traceback" not in said.err


def test_a_taken_port_is_one_sentence_with_the_remedy(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.init()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", house.port))
        taken.listen()
        said = house.ira("serve")
    assert said.status == 1
    assert "--port" in said.err
    assert "Traceback" not in said.err


def test_commands_open_the_house_themselves_when_no_server_runs(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.init()
    assert house.ira("init", "--email", "b@example.com", "--name", "B", "--password-stdin", "--pin-stdin", stdin=f"{PASSWORD}\n{PIN}\n").status == 1  # fmt: skip
    people = parse(house.must("user", "list", "--json"))["items"]
    assert [one["email"] for one in people] == [OWNER]
    assert house.ira("user", "remove", "--email", OWNER, "--yes").status == 1
    assert house.ira("healthcheck").status == 1
    assert house.ira("doctor").status == 0


def test_doctor_and_healthcheck_see_a_running_server(program: Program) -> None:
    assert program.must("healthcheck").strip() == "healthy"
    findings = {one["about"]: one for one in parse(program.must("doctor", "--json"))["items"]}
    assert findings["server"]["state"] == "good"


def test_secrets_are_not_shown_and_origins_are(program: Program) -> None:
    said = program.ira("config", "show", "--json", IRA_MODEL_KEY="sk-not-to-be-seen")
    rows = {row["name"]: row for row in parse(said.out)["items"]}
    assert "sk-not-to-be-seen" not in said.out + said.err
    assert rows["model_key"]["origin"] == "environment"
    assert rows["port"]["origin"] == "environment"


def shown(program: Program, **variables: str) -> dict[str, tuple[object, str]]:
    """Value and origin of every setting, as `ira config show` says."""
    said = program.ira("config", "show", "--json", **variables)
    assert (said.status, said.err) == (0, "")
    return {row["name"]: (row["value"], row["origin"]) for row in parse(said.out)["items"]}


def test_what_the_house_keeps_is_shown_as_stored_unless_something_goes_before_it(
    tmp_path: Path,
) -> None:
    house = Program(tmp_path)
    assert shown(house)["name"] == ("Home", "default")
    assert not house.data.exists()
    house.init()
    key = "sk-kept-secret-9876543210"
    house.must("config", "set", "name", "Sun\u202erise\n")
    with house.serving():
        house.must("config", "set", "time_zone", "Asia/Kolkata")
        house.must("brain", "use", "none", "--model", "kept", "--key-stdin", stdin=f"{key}\n")
        running = shown(house)
    (house.data / "ira.yaml").write_text("model_name: from-file\n")
    alone = shown(house, IRA_TIME_ZONE="UTC")
    assert running["name"] == alone["name"] == ("Sunrise", "stored")
    assert (running["time_zone"], alone["time_zone"]) == (
        ("Asia/Kolkata", "stored"),
        ("UTC", "environment"),
    )
    assert (running["model_name"], alone["model_name"]) == (
        ("kept", "stored"),
        ("from-file", "file"),
    )
    assert running["model_key"] == alone["model_key"] == ("***", "stored")
    assert running["model_url"] == ("", "default")


def test_settings_are_shown_when_the_house_cannot_be_opened(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.data.mkdir(mode=0o700)
    (house.data / "ira.sqlite").write_text("no database")
    said = house.ira("config", "show", "--json")
    assert said.status == 0
    assert "left out" in said.err
    assert "Traceback" not in said.err
    assert parse(said.out)["items"]


def test_a_key_is_kept_encrypted_and_a_dead_model_is_one_sentence(program: Program) -> None:
    key = "sk-kept-secret-0123456789"
    words = [
        "brain",
        "use",
        "openai",
        "--url",
        "http://127.0.0.1:9/v1",
        "--model",
        "m",
        "--key-stdin",
    ]
    program.must(*words, stdin=f"{key}\n")
    try:
        said = program.ira("brain", "test")
        assert said.status == 1
        assert len(said.err.strip().splitlines()) == 1
        held = [
            p for p in program.data.rglob("*") if p.is_file() and key.encode() in p.read_bytes()
        ]
        assert not held
    finally:
        program.must("brain", "use", "none")
    assert program.must("brain", "test")


@requirement("token.revoke.account")
def test_a_removed_account_takes_its_devices_with_it(program: Program) -> None:
    email = "leaving@example.com"
    program.must("user", "add", "--email", email, "--role", "staff", "--password-stdin", stdin=f"{PASSWORD}\n")  # fmt: skip
    out = program.must(*code_words(email=email, uses="1"))
    code = re.search(r"\b([A-Z2-9]{4}-[A-Z2-9]{4})\b", out)
    assert code is not None
    _, body, _ = program.call("POST", "/v1/devices/pair", {"code": code[1], "kind": "android"})
    program.must("user", "remove", "--email", email, "--yes")
    assert program.call("POST", "/v1/ask", {"text": "Hello"}, bearer=body["token"])[0] == 401


def test_the_house_can_ask_for_the_code_on_this_machine_as_well(tmp_path: Path) -> None:
    house = Program(tmp_path)
    house.environment["IRA_LOOPBACK_SETUP"] = "false"
    new = {"email": OWNER, "name": "Olive", "password": PASSWORD, "pin": PIN}
    with house.serving():
        assert house.call("POST", "/v1/setup", new)[0] == 403
    assert parse(house.must("user", "list", "--json"))["items"] == []

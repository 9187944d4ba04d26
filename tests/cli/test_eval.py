"""`ira eval language`, as the real command."""

from pathlib import Path

import pytest

from ira_home.base.jsontext import parse
from tests.providers.nokey.dialogues import CASES
from tests.support.program import Program

SEED = (
    "--set", str(CASES / "seed" / "utterances.jsonl"), "--tools", str(CASES / "seed" / "tools.json"),
)  # fmt: skip


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


def test_json_has_counts_for_all_and_for_each_language(program: Program) -> None:
    said = program.ira("eval", "language", *SEED, "--json")
    assert said.status == 0, said.err
    found = parse(said.out)
    assert set(found) == {"total", "by_lang", "wrong"}
    assert set(found["total"]) == {"n", "tool", "args", "reply_lang", "p50_ms"}
    assert set(found["by_lang"]) == {"en", "hi", "hinglish"}
    assert found["total"]["n"] == 52 == sum(one["n"] for one in found["by_lang"].values())
    assert found["total"]["args"] >= 50
    assert all(set(one) == {"id", "got", "want"} for one in found["wrong"])
    assert not (program.data).exists()  # it needs no house and makes none


def test_a_table_for_people_and_a_least_share_for_scripts(program: Program) -> None:
    said = program.ira("eval", "language", *SEED, "--min", "0.9")
    assert said.status == 0, said.err
    assert "total" in said.out
    assert "hinglish" in said.out
    assert program.ira("eval", "language", *SEED, "--min", "1").status in (0, 1)


def test_too_few_right_ones_exit_with_one(program: Program, tmp_path: Path) -> None:
    never = tmp_path / "never.jsonl"
    never.write_text(
        '{"id": "x", "text": "hello", "lang": "en", "tool": "files_read", "args": {}}\n'
    )
    said = program.ira("eval", "language", "--set", str(never), *SEED[2:], "--min", "0.5")
    assert said.status == 1
    assert "x: got None" in said.out


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "no case"), ("{}\n", "Line 1"), ('{"id": 1}\n', "Line 1"), ("not json\n", "Line 1"), ("[]\n", "Line 1")],
)  # fmt: skip
def test_a_set_that_is_none_is_one_clear_line(
    program: Program, tmp_path: Path, text: str, words: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(text)
    said = program.ira("eval", "language", "--set", str(bad), *SEED[2:])
    assert said.status == 1
    assert words in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "text", ["", "[]", '{"now": "never"}', '{"now": "2026-12-01", "tools": [1]}']
)
def test_tools_that_are_none_are_one_clear_line(
    program: Program, tmp_path: Path, text: str
) -> None:
    bad = tmp_path / "tools.json"
    bad.write_text(text)
    said = program.ira("eval", "language", *SEED[:2], "--tools", str(bad))
    assert said.status == 1
    assert "The tools need" in said.err

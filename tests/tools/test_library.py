"""The files in `<data>/tools`."""

from pathlib import Path

import pytest

from ira_home.tools.library import Library, load
from tests.support.home import open_home
from tests.support.requirements import requirement
from tests.support.talk import open_talk

GOOD = '''
from ira_home.tools.declare import tool

@tool
def {name}() -> str:
    """Tell something."""
    return "{name} says hello"
'''

WITH_TABLES = '''
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import tool

@tool(tier=1)
async def {name}(context: ToolContext, tables: str) -> str:
    """Write into tables of that name."""
    store = context.table_store(tables)
    table = store.table("notes")
    await store.migrate(f"CREATE TABLE {{table}} (text TEXT)")
    await store.write(lambda tx: tx.run(f"INSERT INTO {{table}} VALUES ('x')"))
    return "written"
'''


def written(folder: Path, **files: str) -> Library:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return load(folder)


def names(library: Library) -> set[str]:
    return {tool.name for tool in library.tools}


def test_ira_s_own_tools_are_there_without_any_folder(tmp_path: Path) -> None:
    library = load(tmp_path / "nothing")
    assert {"house_time", "device_tell_when_back"} <= names(library)
    assert not library.broken


@requirement("business.own")
def test_a_file_in_the_folder_adds_its_tools(tmp_path: Path) -> None:
    library = written(tmp_path, clinic=GOOD.format(name="clinic_hello"))
    found = next(one for one in library.tools if one.name == "clinic_hello")
    assert found.function() == "clinic_hello says hello"


def test_a_broken_file_is_named_and_keeps_no_other_from_working(tmp_path: Path) -> None:
    library = written(
        tmp_path,
        a_syntax="def broken(:",
        b_import="import there_is_no_such_module",
        c_raises="raise ValueError('a reason\\nin lines')",
        d_exits="import sys; sys.exit(3)",
        d_interrupts="raise KeyboardInterrupt",
        d_mute="class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute",
        e_bad_tool=GOOD.format(name="x"),
        f_good=GOOD.format(name="still_here"),
    )
    assert "still_here" in names(library)
    assert [one.file for one in library.broken] == [
        "a_syntax.py", "b_import.py", "c_raises.py", "d_exits.py", "d_interrupts.py", "d_mute.py", "e_bad_tool.py"
    ]  # fmt: skip
    for one in library.broken:
        assert one.sentence.startswith(f"{one.file} cannot be used: ")
        assert "\n" not in one.sentence
    assert "there_is_no_such_module" in library.broken[1].sentence
    assert "a reason in lines" in library.broken[2].sentence


def test_of_what_breaks_a_file_the_line_is_told_and_nothing_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    below = "def fails():\n    raise OSError('no disk')\n\n\nfails()\n"
    library = written(
        tmp_path,
        a_syntax="x = 1\ndef broken(:",
        b_import="\n\nimport there_is_no_such_module",
        c_below=below,
        d_tier=GOOD.format(name="some_tool").replace("@tool", "@tool(tier=9)"),
        _half="y = (",
        e_shared="\nfrom _half import y",
    )
    told = {one.file: one.sentence.removeprefix(f"{one.file} cannot be used: ") for one in library.broken}  # fmt: skip
    assert told["a_syntax.py"].startswith("line 2: ")
    assert told["b_import.py"].startswith("line 3: ModuleNotFoundError: ")
    assert told["c_below.py"] == "line 2: OSError: no disk"
    assert told["d_tier.py"] == "line 4: BadTool: some_tool: 9 is no tier; it is 0, 1, 2 or 3"
    assert told["e_shared.py"].startswith("line 1 of _half.py: ")
    assert not caplog.records


async def test_a_broken_file_is_one_line_in_the_log_of_a_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "bad.py").write_text("raise OSError", encoding="utf-8")
    async with open_home(tmp_path):
        pass
    assert caplog.text.count("bad.py") == 1


def test_files_share_the_code_of_a_file_with_an_underscore(tmp_path: Path) -> None:
    shared = "from ira_home.tools.declare import tool\nGREETING = 'hello from {}'"
    using = GOOD.format(name="{name}").replace("@tool", "from _greeting import GREETING\n\n@tool")
    for house in ("one", "two"):
        folder = tmp_path / house
        folder.mkdir()
        library = written(
            folder,
            _greeting=shared.format(house),
            a_tool=using.format(name="first_tool").replace('"first_tool says hello"', "GREETING"),
            b_tool=using.format(name="second_tool").replace('"second_tool says hello"', "GREETING"),
        )
        assert not library.broken
        said = [one.function() for one in library.tools if one.name in ("first_tool", "second_tool")]  # fmt: skip
        assert said == [f"hello from {house}"] * 2, "each house has its own"


def test_shared_code_hides_no_module_of_python(tmp_path: Path) -> None:
    library = written(
        tmp_path,
        _json="raise ValueError",
        _strptime="raise ValueError",
        a_tool="from _json import make_encoder\nimport _strptime\n"
        + GOOD.format(name="a_tool_here"),
    )
    assert not library.broken


def test_a_name_that_is_taken_breaks_the_later_file(tmp_path: Path) -> None:
    library = written(
        tmp_path,
        one=GOOD.format(name="clinic_hello"),
        two=GOOD.format(name="clinic_hello"),
        three=GOOD.format(name="house_time"),
    )
    told = {one.file: one.sentence for one in library.broken}
    assert "already in one.py" in told["two.py"]
    assert "already in Ira itself" in told["three.py"]


def test_only_a_module_s_own_tools_are_taken_from_it(tmp_path: Path) -> None:
    text = "from ira_home.tools.builtin.clock import house_time\n" + GOOD.format(name="own_one")
    library = written(tmp_path, borrows=text)
    assert "own_one" in names(library)
    assert not library.broken


def test_hidden_and_helper_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "_helper.py").write_text("raise ValueError", encoding="utf-8")
    (tmp_path / ".hidden.py").write_text("raise ValueError", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no python", encoding="utf-8")
    assert not load(tmp_path).broken


async def test_a_tool_opens_the_tables_of_its_own_file_and_no_others(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "garden_2.py").write_text(WITH_TABLES.format(name="plant_note"), encoding="utf-8")
    (tools / "pantry.py").write_text(WITH_TABLES.format(name="jar_note"), encoding="utf-8")
    async with open_talk(tmp_path) as talk:
        assert not talk.workshop.library.broken
        asha = await talk.house.person()
        for name, own in (("plant_note", "garden2"), ("jar_note", "pantry")):
            for tables in ("garden2", "pantry", "presence", "garden_2", "", "users"):
                talk.brain.call(name, tables=tables)
                await talk.ask(asha, "Make a note")
                told = talk.brain.views[-1].steps[-1].text
                if tables == own:
                    assert told == "written"
                else:
                    assert told.endswith(f"the tables of {name} are {own}, as its file is named, and not {tables!r}")  # fmt: skip
        sql = "SELECT name FROM sqlite_schema WHERE name LIKE 'own\\_%' ESCAPE '\\' ORDER BY name"
        rows = await talk.house.storage.database.all(sql)
        assert {row["name"] for row in rows} - {"own_presence_waits"} == {
            "own_garden2_notes",
            "own_pantry_notes",
        }


def test_two_files_whose_tables_would_be_the_same_are_told_at_load(tmp_path: Path) -> None:
    library = written(
        tmp_path,
        jars=WITH_TABLES.format(name="jar_note"),
        ja_rs=WITH_TABLES.format(name="jar_list"),
        presence=WITH_TABLES.format(name="who_is_here"),
    )
    told = {one.file: one.sentence for one in library.broken}
    assert set(told) == {"jars.py", "presence.py"}
    assert "its tables would be jars, which is the name of those of ja_rs.py" in told["jars.py"]
    assert "those of Ira itself: give the file another name" in told["presence.py"]
    assert "jar_list" in names(library)
    assert not {"jar_note", "who_is_here"} & names(library)


def test_a_file_without_tables_may_have_any_name(tmp_path: Path) -> None:
    library = written(
        tmp_path,
        jars=WITH_TABLES.format(name="jar_note"),
        ja_rs=GOOD.format(name="jar_hello"),
        clock=GOOD.format(name="clock_hello"),
    )
    assert not library.broken
    assert {"jar_note", "jar_hello", "clock_hello"} <= names(library)

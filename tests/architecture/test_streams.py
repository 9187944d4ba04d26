"""Raw connections are opened in one place of the tests, which also waits until they are closed."""

import ast
from pathlib import Path

TOP = Path(__file__).parents[2]
OWNER = Path("tests/support/streams.py")
OPENERS = {"open_connection", "open_unix_connection", "start_server"}


def opens_raw(file: Path) -> bool:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in OPENERS
        and isinstance(node.value, ast.Name)
        and node.value.id == "asyncio"
        for node in ast.walk(tree)
    )


def test_one_file_opens_raw_connections() -> None:
    found = {file.relative_to(TOP) for file in (TOP / "tests").rglob("*.py") if opens_raw(file)}
    assert found == {OWNER}

"""What is logged is a fixed sentence with numbers and names of parts: the console shows it."""

import ast
from pathlib import Path

import ira_home

ROOT = Path(ira_home.__file__).parent
LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})


def logged(tree: ast.AST) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in LEVELS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "log"
    ]


def test_every_line_of_the_log_begins_with_a_sentence_that_stands_in_the_code() -> None:
    found = 0
    for path in sorted(ROOT.rglob("*.py")):
        for call in logged(ast.parse(path.read_text(encoding="utf-8"))):
            found += 1
            said = call.args[1 if call.func.attr == "log" else 0]  # type: ignore[attr-defined]
            where = f"{path.relative_to(ROOT)}:{call.lineno}"
            assert isinstance(said, ast.Constant), where
            assert isinstance(said.value, str), where
            for value in call.args[1:]:
                is_spelled = isinstance(value, ast.JoinedStr)
                assert not is_spelled, f"{where}: what is put together hides what is from outside"
    assert found > 50

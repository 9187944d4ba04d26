"""Every requirement is carried by a test, and every test names requirements that there are."""

import ast
from collections import defaultdict
from pathlib import Path

from tests.requirements import REQUIREMENTS

HERE = Path(__file__).parent


def carried() -> dict[str, list[str]]:
    """Requirement id to the tests that name it, read from the decorators in the source."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("requirement"):
                    assert node.name.startswith("test_"), f"{path}: {node.name} is no test"
                    for argument in mark.args:
                        assert isinstance(argument, ast.Constant), f"{path}: {node.name}"
                        found[str(argument.value)].append(f"{path.name}::{node.name}")
    return found


def test_every_requirement_is_carried_by_a_test() -> None:
    missing = sorted(set(REQUIREMENTS) - set(carried()))
    assert not missing, f"{len(missing)} without a test: {missing}"


def test_no_test_names_a_requirement_that_is_not_there() -> None:
    unknown = {name: tests for name, tests in carried().items() if name not in REQUIREMENTS}
    assert not unknown

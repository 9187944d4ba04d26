"""docs/errors.md tells every error code with its status and sentence, as the classes have them."""

import re

import pytest

import ira_home.base.folder_errors  # noqa: F401 - its codes are told, too
from ira_home.web.openapi import problems_of
from ira_home.web.pages.reference import Code, codes
from ira_home.web.routes import Route
from ira_home.web.server import all_routes
from tests.support.pages import TOP, read, rows

HEADS = ("code", "status", "when", "sentence")


def row(one: Code) -> list[str]:
    cells = (f"`{one.code}`", str(one.status), one.about, one.sentence)
    return [cell.replace("*", r"\*") for cell in cells]


def test_the_table_has_every_code_as_it_is() -> None:
    wanted = [row(one) for one in codes()]
    shown = "\n".join("| " + " | ".join(one) + " |" for one in wanted)
    assert rows(read("docs/errors.md"), *HEADS) == wanted, f"the table should be:\n{shown}"


@pytest.mark.parametrize("route", all_routes(), ids=lambda one: f"{one.method} {one.path}")
def test_every_code_of_a_route_is_in_it(route: Route) -> None:
    told = {one.code: one.status for one in codes()}
    for status, found in problems_of(route).items():
        assert all(told[code] == status for code in found)


def test_a_code_that_the_source_names_is_among_them() -> None:
    """A class that nothing has imported would be in no table."""
    told = {one.code for one in codes()}
    for path in TOP.glob("ira_home/**/*.py"):
        named = re.findall(r'^    code(?:: .+)? = "(\w+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
        assert set(named) <= told, path

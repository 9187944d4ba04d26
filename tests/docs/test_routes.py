"""No page speaks of a route as if it were there when it is not."""

from pathlib import Path
import re

import pytest

from ira_home.web.plain import CERTIFICATES, PAGES as PLAIN
from ira_home.web.server import all_routes
from tests.support.pages import PAGES

_ROUTE = re.compile(r"(?<![\w.}>])(?:(GET|POST|PUT|PATCH|DELETE) )?(/v1/[\w/{}.*-]*[\w}*])")
_KNOWN = {(route.method, re.sub(r"\{\w+\}", "{}", route.path)) for route in all_routes()}
_KNOWN |= {("GET", path) for path in (*PLAIN, *CERTIFICATES)}


def is_there(method: str, path: str) -> bool:
    path = re.sub(r"\{\w+\}", "{}", path)
    return any(found == path and method in ("", one) for one, found in _KNOWN)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_route_that_a_page_names_is_there_or_told_as_planned(page: Path) -> None:
    for part in re.split(r"\n\s*\n|\n(?=[-*|] )", page.read_text(encoding="utf-8")):
        for found in _ROUTE.finditer(part):
            method, path = found[1] or "", found[2]
            planned = "planned" in part[: found.start()].lower()
            assert is_there(method, path) or planned, f"{page.name}: {method} {path}"

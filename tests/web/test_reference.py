"""The interface told to people at /reference: every route, every code, and nothing of this house."""

import re

from ira_home.web.openapi import AREAS, area_of, document
from ira_home.web.pages.reference import codes
from ira_home.web.server import all_routes
from tests.support.home import Home
from tests.support.requirements import requirement

API = [route for route in all_routes() if not route.page]


@requirement("docs.api")
async def test_every_route_and_every_code_is_on_the_page_for_everybody(house: Home) -> None:
    shown = await house.caller().call("GET", "/reference")
    assert shown.status == 200
    ids = re.findall(r'id="([^"]+)"', shown.text)
    assert len(ids) == len(set(ids))
    told = document(all_routes(), "1")["paths"]
    for route in API:
        path = re.sub(r"\{(\w+):[^}]*\}", r"{\1}", route.path)
        assert told[path][route.method.lower()]["operationId"] in ids, path
    for one in codes():
        assert f"code-{one.code}" in ids
    for link in set(re.findall(r'href="#([^"]+)"', shown.text)):
        assert link in ids, link
    assert house.services.trust.identity not in shown.text


async def test_it_is_the_same_whoever_looks(house: Home) -> None:
    seen = [
        (await caller.call("GET", "/reference")).text for caller in (house.caller(), await house.owner())
    ]  # fmt: skip
    assert seen[0] == seen[1]


def test_every_operation_has_an_area_a_sentence_and_its_parameters() -> None:
    for path, methods in document(all_routes(), "1")["paths"].items():
        for told in methods.values():
            assert told["tags"] == [area_of(path)]
            assert told["tags"][0] in AREAS
            assert told["description"].count("\n\n") >= 1
            assert all(one["description"] for one in told.get("parameters", ()))


def test_of_two_areas_that_fit_the_nearer_one_holds() -> None:
    assert area_of("/v1/me/devices/{id}") == "Devices"
    assert area_of("/v1/me/pin") == "Mine"
    assert area_of("/v1/me") == "Mine"
    assert area_of("/v1/mean") == "The server"

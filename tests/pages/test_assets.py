"""Style sheets and scripts: only files there are, kept for ever under a name of their content."""

import gzip

import pytest

from ira_home.web.pages import assets as module
from ira_home.web.pages.assets import ROUTES, assets
from tests.support.web import site


@pytest.mark.parametrize("name", sorted(assets().files))
async def test_every_file_is_served_and_kept_for_ever(name: str) -> None:
    async with (
        site(ROUTES) as served,
        served.http.get(served.base + assets().address(name)) as reply,
    ):
        assert await reply.read() == assets().files[name].body
        status, headers = reply.status, reply.headers
    assert status == 200
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Content-Type"].startswith(module.MEDIA["." + name.rpartition(".")[2]])
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    ["..", "../server.py", "%2e%2e%2fserver.py", "..%2f..%2f..%2fetc%2fpasswd", "words.py", "page.css%00", "", "PAGE.CSS", "sub/page.css"],
)  # fmt: skip
async def test_nothing_else_is(name: str) -> None:
    async with site(ROUTES) as served:
        status, _, body = await served.call("GET", f"/static/{assets().version}/{name}")
    assert status == 404
    assert "root:" not in str(body)


async def test_a_page_of_an_older_version_gets_the_newest_file_and_may_not_keep_it() -> None:
    async with site(ROUTES) as served:
        status, headers, _ = await served.call("GET", "/static/000000000000/page.css")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")


async def test_what_the_browser_has_is_not_sent_again() -> None:
    async with site(ROUTES) as served:
        path = assets().address("page.css")
        _, headers, _ = await served.call("GET", path)
        status, _, body = await served.call("GET", path, headers={"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, "")


async def test_a_file_is_packed_for_whoever_can_unpack_it() -> None:
    async with site(ROUTES) as served:
        path = served.base + assets().address("page.css")
        async with served.http.get(path, headers={"Accept-Encoding": "gzip"}) as packed:
            assert packed.headers["Content-Encoding"] == "gzip"
            unpacked = await packed.read()
        async with served.http.get(path, headers={"Accept-Encoding": "identity"}) as plain:
            assert "Content-Encoding" not in plain.headers
            assert await plain.read() == unpacked
    found = assets().files["page.css"]
    assert found.packed is not None
    assert gzip.decompress(found.packed) == found.body


def test_all_scripts_that_are_imported_are_there() -> None:
    names = set(assets().files)
    for name, asset in assets().files.items():
        if name.endswith(".js"):
            for line in asset.body.decode().split("\n"):
                if line.startswith("import "):
                    assert line.split('"')[1].removeprefix("./") in names, name

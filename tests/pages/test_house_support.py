"""The support bundle: read before it is downloaded, and with nothing of anybody's in it."""

import io
import logging
from pathlib import Path
import zipfile

from hypothesis import given, strategies as st
import pytest

from ira_home.base.jsontext import parse
from ira_home.domain.people import Role
from ira_home.domain.support import PARTS, SET, TOLD, told_settings
from tests.pages.browser import browse
from tests.pages.test_looks import sign_in
from tests.support.home import PASSWORD, Home, hands_of_now, open_home
from tests.web.scripted import LAMP, Scripted

PATH = "/v1/admin/support-bundle"
# Whatever a person or a device can put in, each once; none may come out.
PLANTED = {
    "folder": "marigold0",
    "house name": "marigold1",
    "model key": "sk-marigold2marigold2",
    "search key": "marigold3marigold3",
    "model host": "marigold4.example",
    "search host": "marigold5.example",
    "feed": "https://marigold6.example/feed?token=marigold7",
    "feed of the settings": "https://marigold8.example/feed.xml",
    "host": "marigold9.example",
    "person": "Marigold Ten",
    "e-mail": "marigold11@example.com",
    "label": "Marigold Twelve",
    "label of a skill": "marigoldthirteen",
    "tool": "marigold_fourteen",
    "version": "marigold15",
    "answer": "marigold16",
    "words": "marigold17",
    "event": "marigold18",
    "path": "marigold19",
    "query": "marigold20",
    "error": "marigold21",
    "tool file": "marigold22",
    "fault of a tool file": "marigold23",
    "invited": "marigold24@example.com",
    "other program": "marigold25",
    "reminder": "marigold26",
}


@pytest.fixture(autouse=True)
def spoken(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


async def fill(home: Home) -> tuple[str, ...]:
    """Live in the house for a while, with PLANTED in everything; secrets that came of it."""
    owner = await home.owner()
    account = {
        "email": PLANTED["e-mail"], "name": PLANTED["person"], "role": "staff",
        "password": PASSWORD, "pin": owner.pin,
    }  # fmt: skip
    assert (await owner.call("POST", "/v1/admin/users", account)).status == 201
    wish = {"email": PLANTED["invited"], "role": "staff"}
    invited = (await owner.call("POST", "/v1/admin/invitations", wish)).body["token"]
    house = {
        "name": PLANTED["house name"], "search_url": f"https://{PLANTED['search host']}/v1",
        "search_key": PLANTED["search key"], "feeds": [PLANTED["feed"]],
        "model_url": f"https://{PLANTED['model host']}/v1", "model_key": PLANTED["model key"],
    }  # fmt: skip
    assert (await owner.call("PATCH", "/v1/admin/settings", house)).status == 200
    home.services.brain = Scripted()  # the settings chose another one
    staff = await home.person()
    pending = await staff.call(
        "POST", "/v1/me/pairings",
        {"kind": "mac", "label": PLANTED["label"], "skills": [], "pin": staff.pin},
    )  # fmt: skip
    tool = LAMP | {"name": PLANTED["tool"], "skill": PLANTED["label of a skill"]}
    device = await staff.online([tool], label=PLANTED["label"])
    device.answers = {PLANTED["tool"]: {"summary": PLANTED["answer"]}}
    await device.hello([tool], version=PLANTED["version"])
    await device.send(
        {"type": "event", "event": "task_done", "title": PLANTED["event"], "text": PLANTED["event"]}
    )
    said = await staff.ask(f"{PLANTED['tool']} {PLANTED['words']}")
    assert PLANTED["answer"] in said.text
    await home.caller().call("GET", f"/{PLANTED['path']}?token={PLANTED['query']}")
    wrong = {"email": PLANTED["e-mail"], "password": PLANTED["query"]}
    await home.caller().call("POST", "/v1/session", wrong)

    async def breaks(*_: object, **__: object) -> None:
        raise ValueError(PLANTED["error"])

    home.services.events.list = breaks  # type: ignore[method-assign,assignment]
    assert (await staff.call("GET", "/v1/me/events")).status == 500
    logging.getLogger(PLANTED["tool"] + "x").warning("%s", PLANTED["other program"])
    token = device.token
    code = pending.body["code"]
    await device.hang_up()
    return invited, token, code, code.replace("-", ""), owner.cookie, staff.cookie


async def test_nothing_that_was_planted_anywhere_comes_out(tmp_path: Path) -> None:
    data = tmp_path / PLANTED["folder"] / "data"
    tools = data / "tools"
    tools.mkdir(parents=True)
    (tools / f"{PLANTED['tool file']}.py").write_text(
        f"raise OSError({PLANTED['fault of a tool file']!r})\n", encoding="utf-8"
    )
    (data / "ira.yaml").write_text(
        f"feeds: [{PLANTED['feed of the settings']!r}]\nhosts: [{PLANTED['host']!r}]\n", "utf-8"
    )
    async with open_home(data, clock=hands_of_now()) as home:
        secrets = await fill(home)
        owner = await home.owner()
        reply = await owner.call("GET", "/house/support")
        async with owner.http.get(owner.base + PATH, headers=owner.headers()) as got:
            assert got.headers["Content-Type"] == "application/zip"
            assert got.headers["Content-Disposition"].startswith("attachment; filename=")
            packed = await got.read()
        people = [one.name for one in await home.services.accounts.list()]
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        assert file.testzip() is None
        parts = {one.partition("/")[2]: file.read(one).decode() for one in file.namelist()}
    assert tuple(parts) == PARTS
    told = "\n".join(parts.values()).casefold()
    page = reply.text.casefold()
    for where, planted in PLANTED.items():
        # The page itself stands under the name of the house.
        assert planted.casefold() not in told, where
        assert where == "house name" or planted.casefold() not in page, where
    assert "marigold" not in told
    for secret in (*secrets, PASSWORD, owner.pin):
        assert secret.casefold() not in told
    for name in people:
        assert name.casefold() not in told
    assert "@" not in told
    assert "127.0.0.1" not in told
    settings = {one["name"]: one for one in parse(parts["settings.json"])}
    assert settings["model_key"] == {"name": "model_key", "value": SET, "origin": "stored"}
    assert settings["hosts"]["value"] == SET
    assert settings["mdns"]["value"] is False or settings["mdns"]["value"] == "no"
    counts = parse(parts["counts.json"])
    assert (counts["roles"]["owner"], counts["devices"], counts["conversations"]) == (2, 1, 1)
    (device,) = parse(parts["devices.json"])
    assert (device["kind"], device["version"], device["skills_on"]) == ("mac", None, 1)
    assert parse(parts["health.json"])["broken_tool_files"] == 1
    assert parse(parts["migrations.json"])["database"] >= 6
    assert parse(parts["certificates.json"])["authorities"][0]["fingerprint"]
    assert "ValueError" in parts["log.txt"]


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "name": st.text(min_size=1).filter(lambda one: one not in TOLD),
                "value": st.text(alphabet="qxz0123456789", min_size=6),
                "origin": st.sampled_from(["flag", "file"]),
            }
        )
    )
)
def test_a_setting_that_nobody_named_is_not_told(rows: list[dict[str, str]]) -> None:
    assert all(one["value"] == SET for one in told_settings(rows))


async def test_what_is_in_it_is_read_before_it_is_downloaded(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        html = (await owner.call("GET", "/house/support")).text
        hindi = (await owner.call("GET", "/house/support", headers={"Accept-Language": "hi"})).text
    for name in PARTS:
        assert name in html
    assert html.index("about.txt") < html.index(f'href="{PATH}"')
    assert "इसमें नहीं हैं" in hindi


@pytest.mark.parametrize("path", ["/house/support", PATH])
async def test_only_owner_and_admins_get_it(tmp_path: Path, path: str) -> None:
    async with open_home(tmp_path / "data") as home:
        staff, admin = await home.person(), await home.person(Role.ADMIN)
        assert (await staff.call("GET", path)).status == 403
        assert (await home.caller().call("GET", path)).status in (303, 401)
        assert (await admin.call("GET", path)).status == 200


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("lang", "width"), [("en-IN", 390), ("hi-IN", 320), ("en-IN", 1280)])
async def test_in_a_browser_it_is_read_and_downloaded(
    tmp_path: Path, lang: str, width: int
) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        async with browse(home, lang=lang, width=width, accept_downloads=True) as browser:
            await sign_in(browser, owner)
            await browser.open("/house")
            await browser.press('main a[href="/house/support"]')
            await browser.page.wait_for_url("**/house/support")
            await browser.press("summary >> nth=1")
            await browser.see('"openssl"')
            await browser.check()
            async with browser.page.expect_download() as waiting:
                await browser.press(f'main a[href="{PATH}"]')
            got = await waiting.value
            assert got.suggested_filename.startswith("ira-support-")
            with zipfile.ZipFile(await got.path()) as file:
                assert len(file.namelist()) == len(PARTS)
            await browser.check()

"""The brain in the first run: one of this computer is offered, and a model is tried before it is kept."""

from pathlib import Path

from ira_home.domain.house import LocalBrain, ModelChoice
from tests.pages.newcomer import asks, at_the_door, begin, later
from tests.providers.model_server import model_server, refusing
from tests.support.home import open_home

KEY = "sk-quince-4711"


def model(url: str, **more: str) -> dict[str, str]:
    return {"choice": "openai", "model_url": url, "model_name": "tiny", "model_key": KEY} | more


READY = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "ready"}}]}


async def test_a_model_is_tried_and_kept_only_if_it_answers(tmp_path: Path) -> None:
    async with (
        open_home(tmp_path / "data") as home,
        at_the_door(home) as visitor,
        model_server(refusing(401)) as deaf,
        model_server(refusing(200, READY)) as good,
    ):
        await begin(visitor)
        await later(visitor, "home", "pin")
        refused = await visitor.post("/setup/brain", model(deaf.url))
        assert refused.status == 200
        assert "The model's server refused the key" in refused.text
        assert "Nothing was kept." in refused.text
        assert refused.page.inputs["model_url"] == deaf.url
        assert KEY not in refused.html
        assert (await home.services.house.model()).provider == "none"
        assert asks(await visitor.get("/setup")) == "brain"
        assert (await visitor.post("/setup/brain", model(good.url))).to == "/setup?answers=yes"
        assert await home.services.house.model() == ModelChoice("openai", good.url, "tiny", KEY)
        assert "tiny answers" in (await visitor.get("/setup?answers=yes")).text
        assert KEY not in (await visitor.get("/setup/brain")).html


async def test_a_key_goes_to_no_server_that_it_was_not_given_for(tmp_path: Path) -> None:
    async with (
        open_home(tmp_path / "data") as home,
        at_the_door(home) as visitor,
        model_server(refusing(200, READY)) as first,
        model_server(refusing(200, READY)) as second,
    ):
        await begin(visitor)
        await visitor.post("/setup/brain", model(first.url))
        await visitor.post("/setup/brain", model(first.url, model_key=""))
        assert (await home.services.house.model()).key == KEY
        await visitor.post("/setup/brain", model(second.url, model_key=""))
        assert second.headers
        assert KEY not in str(second.headers)
        assert await home.services.house.model() == ModelChoice("openai", second.url, "tiny", "")


class Found:
    """What answers on this computer, as a test says."""

    def __init__(self, *found: LocalBrain) -> None:
        self.found = found

    async def look(self) -> tuple[LocalBrain, ...]:
        return self.found


async def test_a_model_of_this_computer_is_offered_first_and_chosen_by_one_press(
    tmp_path: Path,
) -> None:
    async with (
        open_home(tmp_path / "data") as home,
        at_the_door(home) as visitor,
        model_server(refusing(200, READY)) as ollama,
    ):
        await begin(visitor)
        await later(visitor, "home", "pin")
        home.services.local_brains = Found(LocalBrain("Ollama", ollama.url, ("llama3.2:latest",)))
        shown = await visitor.get("/setup")
        value = f"{ollama.url} llama3.2:latest"
        assert f'value="{value}" checked' in shown.html
        assert "Ollama on this computer" in shown.text
        assert (await visitor.post("/setup/brain", {"choice": value})).to == "/setup?answers=yes"
        kept = await home.services.house.model()
        assert kept == ModelChoice("openai", ollama.url, "llama3.2:latest", "")


async def test_where_none_is_found_basic_mode_is_chosen_and_it_is_said(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home, at_the_door(home) as visitor:
        await begin(visitor)
        await later(visitor, "home", "pin")
        home.services.local_brains = Found()
        shown = await visitor.get("/setup")
        assert 'value="none" checked' in shown.html
        assert "None answered." in shown.text

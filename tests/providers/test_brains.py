"""The settings name a brain, and it is made."""

import pytest

from ira_home.base.errors import ConfigError
from ira_home.providers.brains import make_brain, providers
from ira_home.providers.llm.nokey import NoKeyBrain
from ira_home.providers.llm.openai import OpenAiBrain
from ira_home.providers.provider import Endpoint


def test_the_brains_there_are_are_found() -> None:
    assert set(providers()) == {"none", "openai"}


def test_a_fresh_machine_gets_the_brain_without_a_key() -> None:
    assert isinstance(make_brain("none", None, None, None), NoKeyBrain)


def test_making_a_brain_fails_for_nothing_but_its_name() -> None:
    brain = make_brain("openai", "nonsense", "", "")
    assert isinstance(brain, OpenAiBrain)
    with pytest.raises(ConfigError, match="none, openai"):
        make_brain("abacus", None, None, None)


def test_the_key_is_in_no_repr() -> None:
    assert "sk-1" not in repr(Endpoint("http://a", "m", "sk-1"))


async def test_the_brain_without_a_key_is_always_there() -> None:
    brain = make_brain("none", None, None, None)
    assert "no key" in await brain.check()
    await brain.close()

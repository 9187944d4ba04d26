"""What to say first: requests that work with the tools this person has at this moment.

Only the program's own sentences and those of the house's tools are shown: what is pressed becomes the
person's own words, so no device may write it.
"""

from dataclasses import dataclass

from ira_home.domain.devices import ToolState
from ira_home.domain.language.detect import language_of
from ira_home.domain.tools import Tier
from ira_home.tools.declare import DeclaredTool
from ira_home.web.call import Call
from ira_home.web.pages.words import Words

EXAMPLES = 3
# A skill of a device that only looks, its sentence and its picture.
_OF_SKILLS = {
    "files": ("chat.try_files", "file"),
    "calls": ("chat.try_calls", "call"),
    "calendar": ("chat.try_calendar", "clock"),
}
_OWN = "ira_home."


@dataclass(frozen=True, slots=True)
class Example:
    """A request, and the icon before it."""

    icon: str
    text: str


async def examples_of(call: Call, words: Words) -> list[Example]:
    """At most three: of connected devices first, then of this house's own tools, then of every house's."""
    found = [Example(icon, words.t(key)) for key, icon in await _of_devices(call)]
    tools = sorted(
        call.services.library.tools, key=lambda tool: tool.function.__module__.startswith(_OWN)
    )
    for tool in tools:
        text = _spoken(tool, words.lang)
        if text and tool.tier is Tier.LOOK and tool.skill is None:
            found.append(Example("clock" if tool.name == "house_time" else "chat", text))
    return found[:EXAMPLES]


async def _of_devices(call: Call) -> list[tuple[str, str]]:
    looked = {
        tool.skill
        for listed in await call.services.registry.list(call.person_id)
        if listed.online
        for tool, state in listed.tools
        if state is ToolState.ON and tool.tier is Tier.LOOK
    }
    return [said for skill, said in _OF_SKILLS.items() if skill in looked]


def _spoken(tool: DeclaredTool, lang: str) -> str:
    """The tool's first example in a language, or nothing."""
    return next((one for one in tool.examples if language_of(one) == lang), "")

"""The tiers of the product's own tools are those that the design asks for."""

from importlib import resources
from pathlib import Path
import re

from ira_home.domain.tools import Tier
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.library import load
from tests.support.requirements import requirement

# Money, deletion, sharing, push, merge, deploy, a new grant: Tier 3 (spec, tier.3.means).
SERIOUS = re.compile(
    r"pay|money|delete|remove|erase|share|push|merge|deploy|grant|pair|cancel|close"
)


def own_tools() -> tuple[DeclaredTool, ...]:
    """Ira's own tools and those of the demo's business."""
    with resources.as_file(
        resources.files("ira_home.household") / "demo_files" / "tools"
    ) as folder:
        library = load(Path(folder))
    assert not library.broken
    return library.tools


@requirement("tier.2.means")
def test_no_own_tool_that_lets_data_out_runs_without_a_yes() -> None:
    assert all(tool.tier >= Tier.YES for tool in own_tools() if tool.outward)


@requirement("tier.3.means")
def test_own_tools_with_serious_effects_need_the_pin() -> None:
    serious = [tool for tool in own_tools() if SERIOUS.search(tool.name)]
    assert serious
    assert all(tool.tier is Tier.PIN for tool in serious)


@requirement("review.demo_data")
def test_the_demo_brings_the_clinics_tools_and_files() -> None:
    names = {tool.name for tool in own_tools()}
    assert {"clinic_appointments", "clinic_price", "clinic_close_day"} <= names
    downloads = resources.files("ira_home.household") / "demo_files" / "Downloads"
    assert (downloads / "invoice.pdf").read_bytes().startswith(b"%PDF")

"""The tiers of the product's own tools are those that the design asks for."""

from importlib import resources
from pathlib import Path
import re

from ira_home.domain.house import HouseSkill
from ira_home.domain.language.detect import language_of
from ira_home.domain.tools import Tier
from ira_home.tools.declare import DeclaredTool
from ira_home.tools.library import load
from tests.support.requirements import requirement

# Money, deletion, sharing, push, merge, deploy, a new grant: Tier 3 (spec, tier.3.means).
# A cancelled appointment is none of these: it stays on record and can be booked again.
SERIOUS = re.compile(
    r"pay|(?<!un)paid|money|delete|remove|erase|share|push|merge|deploy|grant|pair|close"
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
def test_no_own_action_that_lets_data_out_runs_without_a_yes() -> None:
    without = [tool for tool in own_tools() if tool.outward and tool.tier < Tier.YES]
    # A search is no action, and nobody has it who did not switch it on with their PIN.
    assert [tool.name for tool in without] == ["web_search"]
    assert without[0].skill is HouseSkill.WEB_SEARCH


@requirement("tier.3.means")
def test_own_tools_with_serious_effects_need_the_pin() -> None:
    serious = [tool for tool in own_tools() if SERIOUS.search(tool.name)]
    assert serious
    assert all(tool.tier is Tier.PIN for tool in serious)


@requirement("review.demo_data")
def test_the_demo_brings_the_clinics_tools_and_files() -> None:
    tiers = {tool.name: tool.tier for tool in own_tools() if tool.name.startswith("clinic_")}
    assert tiers == {
        "clinic_appointments": Tier.LOOK,
        "clinic_book_appointment": Tier.YES,
        "clinic_cancel_appointment": Tier.YES,
        "clinic_find_patient": Tier.LOOK,
        "clinic_free_times": Tier.LOOK,
        "clinic_mark_paid": Tier.PIN,
        "clinic_price": Tier.LOOK,
        "clinic_stock": Tier.LOOK,
        "clinic_unpaid_invoices": Tier.LOOK,
    }
    downloads = resources.files("ira_home.household") / "demo_files" / "Downloads"
    assert (downloads / "invoice.pdf").read_bytes().startswith(b"%PDF")


def test_every_tool_of_the_demo_shows_by_examples_how_it_is_asked_for_in_each_language() -> None:
    for tool in own_tools():
        if tool.name.startswith("clinic_"):
            assert tool.title
            assert 3 <= len(tool.examples) <= 5
            assert {language_of(example) for example in tool.examples} == {"en", "hi", "hinglish"}

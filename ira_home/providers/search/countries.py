"""In which country a time zone lies, for results that are of use there."""

from functools import cache
from importlib import resources

# What the search service takes.
_TAKEN = frozenset(
    "AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA".split()
)
_OLD_NAMES = {"Asia/Calcutta": "Asia/Kolkata"}


def country_of(time_zone: str) -> str | None:
    """The two letters of the country, or None where the zone names none that is taken."""
    return _table().get(_OLD_NAMES.get(time_zone, time_zone))


@cache
def _table() -> dict[str, str]:
    """Time zones by name, from the table that comes with them."""
    try:
        text = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("ascii")
    except (OSError, ModuleNotFoundError):
        return {}
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {row[2]: row[0] for row in rows if len(row) > 2 and row[0] in _TAKEN}

"""The one rule for names that people choose: of a person, a device, the house, a token, Ira herself."""

from ira_home.base.errors import Invalid
from ira_home.base.limits import LABEL_CHARS
from ira_home.base.text import visible_line


def good_label(text: str, *, field: str = "label", chars: int = LABEL_CHARS) -> str:
    """The name on one line, without invisible, direction-changing and control characters.

    Raises Invalid, naming the field, when nothing to see is left or it has more than `chars`.
    """
    label = visible_line(text)
    if not 1 <= len(label) <= chars:
        message = f"A name has 1 to {chars} visible characters."
        raise Invalid(message, field=field)
    return label

"""What a person may ask for when pairing or changing a device: kinds and skills checked."""

from collections.abc import Iterable

from ira_home.base.errors import Invalid
from ira_home.base.limits import SKILLS_A_DEVICE
from ira_home.domain.devices import SKILL_NAME, DeviceKind


def good_kind(text: str) -> DeviceKind:
    """The kind of that name; Invalid when there is none."""
    try:
        return DeviceKind(text)
    except ValueError:
        message = f"A device is one of {', '.join(DeviceKind)}."
        raise Invalid(message, field="kind") from None


def good_skill(text: str) -> str:
    """A skill's name of the right form, known or not; Invalid otherwise."""
    if not SKILL_NAME.fullmatch(text):
        message = "A skill is a word of small letters, digits and underscores."
        raise Invalid(message, field="skill")
    return text


def good_skills(texts: Iterable[str]) -> tuple[str, ...]:
    """The skills, each once, in order; Invalid when one is misnamed or there are too many."""
    skills = tuple(dict.fromkeys(map(good_skill, texts)))
    if len(skills) > SKILLS_A_DEVICE:
        message = f"A device has {SKILLS_A_DEVICE} skills at most."
        raise Invalid(message, field="skills")
    return skills

"""Each person's own settings (spec: settings.*) and the house's."""

from dataclasses import dataclass

LANGUAGES = ("en", "hi", "hinglish")
REPLY_LANGUAGES = ("auto", *LANGUAGES)


@dataclass(frozen=True, slots=True)
class PersonSettings:
    """What a person chose; the defaults are those of a new account."""

    assistant_name: str = "Ira"
    wake_phrase: str = "Hey Ira"
    languages: tuple[str, ...] = LANGUAGES
    reply_language: str = "auto"  # one of REPLY_LANGUAGES
    web_search: bool = False

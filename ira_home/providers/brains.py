"""Making the brain that the settings name."""

from ira_home.base.discover import declared
from ira_home.base.errors import ConfigError
from ira_home.domain.ports import LanguageModel
from ira_home.providers.provider import Endpoint, Provider


def providers() -> dict[str, Provider]:
    """Every kind of brain there is, by the name that settings use."""
    found = (value for _module, value in declared("ira_home.providers.llm", "PROVIDER"))
    return {one.name: one for one in found}


def make_brain(provider: str, url: str | None, name: str | None, key: str | None) -> LanguageModel:
    """The brain of that provider; raises ConfigError for a provider that does not exist."""
    known = providers()
    if provider not in known:
        message = f"The model provider must be one of {', '.join(sorted(known))}."
        raise ConfigError(message)
    return known[provider].make(Endpoint(url or "", name or "", key or ""))

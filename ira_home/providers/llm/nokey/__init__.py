"""The no-key brain, the default on a fresh machine."""

from ira_home.providers.llm.nokey.brain import NoKeyBrain
from ira_home.providers.provider import Provider

__all__ = ["PROVIDER", "NoKeyBrain"]

PROVIDER = Provider("none", lambda _endpoint: NoKeyBrain())

"""What models cost, as their servers count it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What one model was used for in a month (UTC), spelled like 2026-07."""

    month: str
    model: str
    steps: int
    prompt_tokens: int
    completion_tokens: int

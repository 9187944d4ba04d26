"""Time and chance, given from outside so that tests hold both."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
import secrets

from ira_home.base.clock import Clock, SystemClock


@dataclass(frozen=True, slots=True)
class Pace:
    """The clock, how to wait, and a number from 0 up to 1 that nobody can foretell."""

    clock: Clock = field(default_factory=SystemClock)
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    chance: Callable[[], float] = secrets.SystemRandom().random

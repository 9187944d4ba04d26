"""Facts inside the process: published after commit, heard by whoever subscribed to their type."""

from collections import defaultdict
from collections.abc import Callable
import logging
from typing import Any, TypeVar

log = logging.getLogger(__name__)
Fact = TypeVar("Fact")


class Bus:
    """Synchronous publish and subscribe; a handler that has more to do starts a task of its own."""

    def __init__(self) -> None:
        """Nobody listens yet."""
        self._handlers: dict[type, list[Callable[[Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[Fact], handler: Callable[[Fact], None]) -> Callable[[], None]:
        """Call `handler` for every later fact of exactly this type; the returned function ends it."""
        self._handlers[kind].append(handler)

        def unsubscribe() -> None:
            if handler in self._handlers[kind]:
                self._handlers[kind].remove(handler)

        return unsubscribe

    def publish(self, fact: object) -> None:
        """Tell everyone, in order of subscription; one handler's error never keeps the others from hearing."""
        for handler in tuple(self._handlers[type(fact)]):
            try:
                handler(fact)
            except Exception:
                # A boundary: the fact is committed already, the publisher cannot be made to fail for it.
                log.exception("a handler of %s failed", type(fact).__name__)

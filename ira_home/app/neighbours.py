"""Which servers of Ira's are on the local network, without opening a house."""

import asyncio
from dataclasses import asdict
from typing import Any

from ira_home.protocol.mdns_look import look


def servers(seconds: float, *, wanted: str | None = None) -> list[dict[str, Any]]:
    """Whoever answers within these seconds; raises CommandFailed where nobody can be asked."""
    found = asyncio.run(look(seconds, wanted=wanted))
    return [asdict(one) | {"addresses": list(one.addresses)} for one in found]

"""Whether devices find this server by themselves: asked from outside its own process, as they would."""

from collections.abc import Collection
from typing import Any

from ira_home.base.addresses import in_url
from ira_home.base.errors import IraError
from ira_home.base.jsontext import parse
from ira_home.base.programs import own_program
from ira_home.domain.diagnosis import Finding, Said
from ira_home.domain.network import Announcement, AnnouncementFault, AnnouncementState
from ira_home.net.diagnosis.commands import Ask

LISTEN_S = "3"
_FAULTS = {
    AnnouncementFault.ONLY_THIS_COMPUTER: Said.UNANNOUNCED_ONLY_THIS_COMPUTER,
    AnnouncementFault.NO_NETWORK: Said.UNANNOUNCED_NO_NETWORK,
    AnnouncementFault.PORT_TAKEN: Said.UNANNOUNCED_PORT_TAKEN,
    AnnouncementFault.NOT_ALLOWED: Said.UNANNOUNCED_NOT_ALLOWED,
    AnnouncementFault.NAME_TAKEN: Said.UNANNOUNCED_NAME_TAKEN,
    AnnouncementFault.UNKNOWN: Said.UNANNOUNCED_UNKNOWN,
}


async def announced(
    state: Announcement, *, install_id: str, port: int, own: Collection[str], ask: Ask
) -> Finding:
    """What has become of the announcement, as told by whoever listens on this computer.

    `own` are the addresses of this computer. Everybody who answers is heard, not only the first:
    what says that it is this server and leads elsewhere may be a copy of it, or worse.
    """
    if state.state is AnnouncementState.FAILED:
        return Finding(_FAULTS[state.fault or AnnouncementFault.UNKNOWN])
    if state.state is not AnnouncementState.ANNOUNCED:
        is_off = state.state is AnnouncementState.OFF
        return Finding(Said.ANNOUNCED_OFF if is_off else Said.ANNOUNCED_SOON)
    words = ("find", "--seconds", LISTEN_S, "--json")
    said = await ask(*own_program("ira_home"), *words, own=True)
    found = None if said is None or said.status else _servers(said.text)
    if found is None:
        why = "no answer" if said is None else f"exit {said.status}"
        return Finding(Said.ANNOUNCED_UNASKED, {"why": why})
    return _judged(
        [one for one in found if one.get("id") == install_id], state.name or install_id, port, own
    )


def _judged(found: list[dict[str, Any]], name: str, port: int, own: Collection[str]) -> Finding:
    if not found:
        return Finding(Said.ANNOUNCED_UNHEARD, {"name": name})
    other = next((one for one in found if not _is_here(one, port, own)), None)
    if other is not None:
        return Finding(Said.ANNOUNCED_OTHERWISE, {"address": _where(other)})
    return Finding(Said.ANNOUNCED_GOOD, {"name": name})


def _is_here(server: dict[str, Any], port: int, own: Collection[str]) -> bool:
    told = _addresses(server)
    return server.get("port") == port and (not told or any(one in own for one in told))


def _servers(text: str) -> list[dict[str, Any]] | None:
    """What `ira find --json` has printed; None for anything else."""
    try:
        items = parse(text)["items"]
    except (IraError, KeyError, TypeError):
        return None
    return [one for one in items if isinstance(one, dict)] if isinstance(items, list) else None


def _addresses(server: dict[str, Any]) -> list[str]:
    told = server.get("addresses")
    return [one for one in told if isinstance(one, str)] if isinstance(told, list) else []


def _where(server: dict[str, Any]) -> str:
    host = next(iter(_addresses(server)), None) or str(server.get("host") or "?")
    return f"{in_url(host)}:{server.get('port')}"

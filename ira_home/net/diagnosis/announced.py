"""Whether devices find this server by themselves: asked from outside its own process, as they would."""

from typing import Any

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


async def announced(state: Announcement, *, install_id: str, port: int, ask: Ask) -> Finding:
    """What has become of the announcement, as told by whoever listens on this computer."""
    if state.state is AnnouncementState.FAILED:
        return Finding(_FAULTS[state.fault or AnnouncementFault.UNKNOWN])
    if state.state is not AnnouncementState.ANNOUNCED:
        is_off = state.state is AnnouncementState.OFF
        return Finding(Said.ANNOUNCED_OFF if is_off else Said.ANNOUNCED_SOON)
    words = ("find", "--id", install_id, "--seconds", LISTEN_S, "--json")
    said = await ask(*own_program("ira_home"), *words, own=True)
    found = None if said is None or said.status else _servers(said.text)
    if found is None:
        why = "no answer" if said is None else f"exit {said.status}"
        return Finding(Said.ANNOUNCED_UNASKED, {"why": why})
    return _judged(found, state.name or install_id, install_id, port)


def _judged(found: list[dict[str, Any]], name: str, install_id: str, port: int) -> Finding:
    own = [one for one in found if one.get("id") == install_id]
    if not own:
        return Finding(Said.ANNOUNCED_UNHEARD, {"name": name})
    wrong = next((one for one in own if one.get("port") != port), None)
    if wrong is not None:
        return Finding(Said.ANNOUNCED_OTHERWISE, {"address": _where(wrong)})
    return Finding(Said.ANNOUNCED_GOOD, {"name": name})


def _servers(text: str) -> list[dict[str, Any]] | None:
    """What `ira find --json` has printed; None for anything else."""
    try:
        items = parse(text)["items"]
    except (IraError, KeyError, TypeError):
        return None
    return [one for one in items if isinstance(one, dict)] if isinstance(items, list) else None


def _where(server: dict[str, Any]) -> str:
    addresses = server.get("addresses")
    first = next(iter(addresses), "") if isinstance(addresses, list) else ""
    return f"{first or server.get('host') or '?'}:{server.get('port')}"

"""What a brain is shown before a step: the person, the conversation, and the tools of this moment."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import tzinfo

from ira_home.assistant.prompt import system_prompt
from ira_home.assistant.window import READ_ENTRIES, Window, window_of
from ira_home.base.clock import Clock
from ira_home.base.limits import CALLS_A_TURN
from ira_home.domain.conversations import Entry
from ira_home.domain.house import HouseView
from ira_home.domain.people import Principal
from ira_home.domain.proposals import ProposalState
from ira_home.domain.taint import Taint, taint_of
from ira_home.domain.turn_view import DeviceAway, TurnView
from ira_home.domain.turns import Turn
from ira_home.storage.storage import Storage
from ira_home.tools.toolbox import Toolbox, Toolboxes
from ira_home.tools.wording import language_for

_OPEN = (ProposalState.WAITING, ProposalState.RUNNING)


@dataclass(frozen=True, slots=True)
class Sight:
    """A view with what the house knows of it: never shown to a brain."""

    view: TurnView
    toolbox: Toolbox
    language: str
    shown: tuple[Entry, ...]
    taint: Taint


class Views:
    """Makes views."""

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        *,
        toolboxes: Toolboxes,
        house: Callable[[], Awaitable[HouseView]],
    ) -> None:
        """`house` tells the house's name and time zone as they are now."""
        self._storage = storage
        self._clock = clock
        self._toolboxes = toolboxes
        self._house = house

    async def see(self, turn: Turn, principal: Principal) -> Sight:
        """What the brain is shown of the turn at this moment."""
        person = principal.person
        house = await self._house()
        settings = await self._storage.settings.get(person.id)
        toolbox = await self._toolboxes.of(person)
        window = await self._window(turn)
        zone = settings.zone(house.time_zone)
        away = tuple(_in_zone(one, zone) for one in toolbox.devices_away)
        view = TurnView(
            turn_id=turn.id,
            assistant_name=settings.assistant_name,
            person_name=person.name,
            role=person.role,
            languages=settings.languages,
            reply_language=settings.reply_language,
            system=system_prompt(
                person,
                settings,
                house_name=house.name,
                devices=toolbox.devices,
                skills_off=toolbox.skills_off,
                devices_away=away,
                house_off=toolbox.house_off,
            ),
            own_words=window.own_words,
            history=window.history,
            steps=window.steps,
            tools=tuple(toolbox.offered.values()),
            skills_off=toolbox.skills_off,
            devices_away=away,
            now=self._clock.now().astimezone(zone),
            may_call=turn.calls < CALLS_A_TURN,
            here=_label_of(toolbox, turn),
            house_off=toolbox.house_off,
        )
        return Sight(
            view=view,
            toolbox=toolbox,
            language=language_for(window.own_words, settings.reply_language),
            shown=window.shown,
            taint=taint_of(window.shown),
        )

    async def _window(self, turn: Turn) -> Window:
        recent = await self._storage.conversations.recent(turn.conversation_id, READ_ENTRIES)
        own = await self._storage.conversations.of_turn(turn.id)
        both = {entry.id: entry for entry in (*recent, *own)}
        latest = await self._storage.proposals.latest_in(turn.conversation_id)
        waits = latest is not None and latest.state in _OPEN
        waiting = frozenset({latest.call_id}) if latest is not None and waits else frozenset()
        return window_of(turn.id, (both[key] for key in sorted(both)), waiting=waiting)


def _in_zone(one: DeviceAway, zone: tzinfo) -> DeviceAway:
    return one if one.since is None else replace(one, since=one.since.astimezone(zone))


def _label_of(toolbox: Toolbox, turn: Turn) -> str | None:
    found = (one.label for one in toolbox.devices if one.id == turn.here_device_id)
    return next(found, None)

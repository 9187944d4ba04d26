"""How surely a request asks for each tool: matching words, filling arguments, and what is left over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ira_home.domain.language.detect import Language, language_of
from ira_home.domain.language.lexicon import ACTIONS
from ira_home.domain.language.places import Form, Piece, pieces_of
from ira_home.domain.language.words import split
from ira_home.domain.tools import OfferedTool, Tier
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm.nokey import devices
from ira_home.providers.llm.nokey.decisions import Weighed
from ira_home.providers.llm.nokey.matching import Match, Matcher, Term, marked, terms_of
from ira_home.providers.llm.nokey.naming import Named, labels_of, named_in, without
from ira_home.providers.llm.nokey.roles import slots_of
from ira_home.providers.llm.nokey.slots import fill
from ira_home.providers.llm.nokey.spoken import Spoken

_LEAST_SCORE = 1.0  # one generic word never suffices
_WITHOUT_NAME = 2  # telling words of a description that stand in for a word of the name
_CANDIDATES = 4
_GENERIC_SHARE = 0.3  # a generic word that is left over says less against a tool
_OTHER_ACTION = (
    2.5  # "delete the report" is nothing for a tool that reads, however it knows reports
)
_FILLED = 0.2  # a tool whose every required argument was said is the likelier one
_ACTION_ASKED = 0.5  # "is the gate open?" asks about an action, it does not ask for it
_FORM_MEANS = {Form.FILE: "file", Form.PATH: "file", Form.FOLDER: "folder", Form.URL: "web", Form.EMAIL: "email"}  # fmt: skip
_ASKS_ABOUT = frozenset("is are was were did does has have had why".split())
_ASKS_BEHIND = frozenset("kyun kyon क्यों".split())


@dataclass(frozen=True, slots=True)
class Request:
    """A request taken apart once: its language, the devices it names, its pieces and its words."""

    text: str  # as said
    plain: str  # with the named devices blanked out: they are no argument
    language: Language
    named: tuple[Named, ...]
    pieces: tuple[Piece, ...]
    terms: tuple[Term, ...]


class Weigher:
    """Weighs requests against the tools of one person in one turn."""

    def __init__(self, view: TurnView) -> None:
        """Everything is taken from the view."""
        self._view = view
        self._matcher = Matcher(view.tools)
        self._labels = labels_of(view)

    def request(self, text: str, language: Language | None = None) -> Request:
        """Take a request apart; the language is its own where none is given."""
        language = language or language_of(text)
        named = named_in(text, self._labels)
        plain = without(text, named)
        pieces = pieces_of(plain)
        terms = _terms(text, pieces, language)
        return Request(text, plain, language, tuple(named), tuple(pieces), tuple(terms))

    def weigh(self, request: Request) -> list[Weighed]:
        """The likeliest tools, best first."""
        matches = self._matcher.matches(request.terms)[:_CANDIDATES]
        return sorted((self._weighed(one, request) for one in matches), key=lambda one: -one.rank)

    def arguments(self, tool: OfferedTool, request: Request) -> dict[str, Any]:
        """What the request says for the arguments of a tool that is known to be meant."""
        found = Matcher([tool]).matches(request.terms)
        match = found[0] if found else Match(tool, 0.0, 0.0, frozenset())
        return self._fill(match, request)[0]

    def _weighed(self, match: Match, request: Request) -> Weighed:
        arguments, spoken = self._fill(match, request)
        missing = any(slot.required and slot.name not in arguments for slot in slots_of(match.tool))
        sure = _sureness(match, request, spoken)
        if match.tool.tier > Tier.LOOK and _asks_about(request.text):
            sure *= _ACTION_ASKED
        rank = match.score + (0.0 if missing else _FILLED)
        return Weighed(match.tool, arguments, sure, rank, match.score)

    def _fill(self, match: Match, request: Request) -> tuple[dict[str, Any], Spoken]:
        forms = {(piece.start, piece.end) for piece in request.pieces}
        claimed = match.claimed | _bare_verb(request)
        places = [(request.terms[one].start, request.terms[one].end) for one in claimed]
        spoken = Spoken(
            request.plain,
            request.language,
            request.pieces,
            [one for one in places if one not in forms],
        )
        arguments = fill(slots_of(match.tool), spoken)
        return devices.with_labels(match.tool, arguments, self._view, request.text), spoken


def _terms(text: str, pieces: Sequence[Piece], language: Language) -> list[Term]:
    """The words of the request, with files, folders and addresses as what they are."""
    blanked = text
    for piece in pieces:
        blanked = blanked[: piece.start] + " " * (piece.end - piece.start) + blanked[piece.end :]
    known = [
        marked(_FORM_MEANS[piece.form], piece.value, piece.start, piece.end)
        for piece in pieces
        if piece.form in _FORM_MEANS
    ]
    return terms_of(blanked, language) + known


def _sureness(match: Match, request: Request, spoken: Spoken) -> float:
    """Half how much of the tool's name was said, half how much of the request it explains."""
    telling = sum(not request.terms[place].generic for place in match.claimed)
    if match.score < _LEAST_SCORE or (not match.name_share and telling < _WITHOUT_NAME):
        return match.likeness
    explained = left_over = 0.0
    for place, term in enumerate(request.terms):
        weight = _GENERIC_SHARE if term.generic else 1.0
        if place in match.matched:
            explained += weight
        elif spoken.is_free(term.start, term.end) and not _is_label(term, request.named):
            left_over += weight * (_OTHER_ACTION if _is_action(term) else 1.0)
    share = explained / (explained + left_over) if explained else 0.0
    return max((match.name_share + share) / 2, match.likeness)


def _bare_verb(request: Request) -> frozenset[int]:
    """The place of a verb that nearly every request may have ("show", "batao"): no argument either."""
    if not request.terms:
        return frozenset()
    words = [
        place
        for place, term in enumerate(request.terms)
        if term.features.keys() - {"c:file", "c:folder"}
    ]
    place = (words or [0])[0 if request.language == "en" else -1]
    return frozenset({place}) if request.terms[place].generic else frozenset()


def _is_action(term: Term) -> bool:
    concepts = {one[2:] for one in term.features if one.startswith("c:")}
    return bool(concepts) and concepts <= ACTIONS


def _is_label(term: Term, named: Sequence[Named]) -> bool:
    return any(one.start <= term.start and term.end <= one.end for one in named)


def _asks_about(text: str) -> bool:
    words = [one.folded for one in split(text)]
    return bool(words) and (words[0] in _ASKS_ABOUT or bool(_ASKS_BEHIND & set(words)))

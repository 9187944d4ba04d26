"""A request taken apart once: what every tool that might be meant is weighed by."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ira_home.domain.language.dates import Moment, find_moments
from ira_home.domain.language.detect import language_of
from ira_home.domain.language.persons import NameSpan, names_of
from ira_home.domain.language.places import Form, Piece, pieces_of
from ira_home.domain.language.quantities import Quantity, quantities_of
from ira_home.domain.language.questions import is_question
from ira_home.domain.language.tense import Lean
from ira_home.domain.language.words import Language, Word, fold, split, stem
from ira_home.providers.llm.nokey.naming import Named, named_in, without
from ira_home.providers.llm.nokey.terms import Term, marked, terms_of

_FORM_MEANS = {Form.FILE: "file", Form.PATH: "file", Form.FOLDER: "folder", Form.URL: "web", Form.EMAIL: "email"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """A request with all that is found in it; words are spoken of by their place in `words`."""

    text: str  # as said
    plain: str  # with the named devices blanked out: they are no argument
    now: datetime  # aware, in the house's time zone
    language: Language
    named: tuple[Named, ...]
    words: tuple[Word, ...]
    pieces: tuple[Piece, ...]
    quantities: tuple[Quantity, ...]
    names: tuple[NameSpan, ...]
    terms: tuple[Term, ...]
    asks: bool  # whether it is a question
    formed: frozenset[int] = frozenset()  # places of words within a piece
    rupees: frozenset[int] = frozenset()  # places of the word for money beside an amount
    _moments: dict[Lean, tuple[Moment, ...]] = field(default_factory=dict, compare=False)

    def at(self, start: int, end: int) -> range:
        """The places of the words that this part of the text touches."""
        return places_at(self.words, start, end)

    def moments(self, lean: Lean) -> tuple[Moment, ...]:
        """The days and times; `lean` is which way a word goes that means both."""
        found = self._moments.get(lean)
        if found is None:
            found = tuple(find_moments(self.plain, self.now, lean=lean))
            self._moments[lean] = found
        return found

    def timed(self) -> frozenset[int]:
        """The places of words that say a day or a time."""
        return frozenset(
            place
            for one in self.moments("future")
            if one.kind != "duration"
            for start, end in one.spans
            for place in self.at(start, end)
        )

    def places_of(self, terms: Iterable[int]) -> frozenset[int]:
        """The places of these of its terms; whole forms are left out."""
        formed = {(piece.start, piece.end) for piece in self.pieces}
        spans = [(self.terms[one].start, self.terms[one].end) for one in terms]
        return frozenset(n for one in spans if one not in formed for n in self.at(*one))


def places_at(words: Sequence[Word], start: int, end: int) -> range:
    """The places of the words that this part of their text touches."""
    first = next((n for n, one in enumerate(words) if one.end > start), len(words))
    last = first
    while last < len(words) and words[last].start < end:
        last += 1
    return range(first, last)


def take_apart(
    text: str,
    language: Language | None,
    *,
    now: datetime,
    labels: Iterable[str],
    meant: Callable[[str], str | None],
) -> Request:
    """Take a request apart; the language is its own where none is given.

    `labels` are the devices it may name, `meant` gives the word that a mistyped one stands for.
    """
    language = language or language_of(text)
    named = named_in(text, labels)
    plain = without(text, named)
    words, pieces = split(plain), pieces_of(plain)
    amounts = _amounts(plain, words, language)
    return Request(
        text=text,
        plain=plain,
        now=now,
        language=language,
        named=tuple(named),
        words=tuple(words),
        pieces=tuple(pieces),
        quantities=tuple(amounts),
        names=tuple(names_of(words)),
        terms=tuple(_terms(text, pieces, language, meant)),
        asks=is_question(text, language),
        formed=frozenset(n for one in pieces for n in places_at(words, one.start, one.end)),
        rupees=frozenset(_rupees(words, amounts)),
    )


def _rupees(words: Sequence[Word], amounts: Sequence[Quantity]) -> Iterator[int]:
    for one in amounts:
        behind = places_at(words, one.start, one.end).stop
        if one.money and behind < len(words) and stem(words[behind].folded) == one.unit:
            yield behind


def _amounts(text: str, words: Sequence[Word], language: Language) -> list[Quantity]:
    """The amounts; in English "do" is a verb, where Hindi means two."""
    found = quantities_of(text, words)
    if language != "en":
        return found
    return [one for one in found if fold(text[one.start : one.end]) != "do"]


def _terms(
    text: str,
    pieces: Sequence[Piece],
    language: Language,
    meant: Callable[[str], str | None],
) -> list[Term]:
    """The words of the request, with files, folders and addresses as what they are."""
    blanked = text
    for piece in pieces:
        blanked = blanked[: piece.start] + " " * (piece.end - piece.start) + blanked[piece.end :]
    known = [
        marked(_FORM_MEANS[piece.form], piece.value, piece.start, piece.end)
        for piece in pieces
        if piece.form in _FORM_MEANS
    ]
    return terms_of(blanked, language, meant) + known

"""A request while its words are handed out to the arguments of a tool: each word is used once."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
import re

from ira_home.domain.language import markers
from ira_home.domain.language.lexicon import GENERIC, concepts_of, is_deed, is_english
from ira_home.domain.language.persons import NameSpan
from ira_home.domain.language.places import Form, Piece
from ira_home.domain.language.words import Language, Word, is_stop_word, stem
from ira_home.providers.llm.nokey.request import Request

_NAME_CUTS = ",:;!?\u0964"
_NAME_WORDS = 4  # a name after "to" or "named" has at most so many words
_NO_NAMES = markers.ENDS_NAME | markers.QUESTIONS | markers.DONE | markers.ANYBODY
_POSSESSIVE = re.compile(r"['\u2019]s$")
_COUNTED = 2  # words that a stretch behind an amount is worth more
_TELLING = frozenset({"write", "send", "tell"})
_ENDS = " \t\n.,;:!?\u0964\"'"


@dataclass(slots=True)
class Spoken:
    """A request while its words are handed out to arguments: a word is used once.

    All sets are places of words. `core` chose the tool; of these `kinds` did so only by their
    meaning and are no verb, and `own` are words that the tool itself has.
    """

    request: Request
    core: Set[int] = frozenset()
    kinds: Set[int] = frozenset()
    own: Set[int] = frozenset()
    used: set[int] = field(default_factory=set)
    chosen: set[int] = field(default_factory=set)  # words of a choice: a time may have them too
    said: set[int] = field(default_factory=set)  # words of what is to be said or written
    measured: set[int] = field(default_factory=set)  # words of an amount and its unit
    in_dozens: bool = False  # whether the unit that an argument takes is the dozen
    hours_left: int = 0  # hours beside days of which an argument took only the day
    marked: int = 0  # arguments found by the small word that marks their part
    text: str = ""
    language: Language = "en"
    words: Sequence[Word] = ()
    _timed: Set[int] = frozenset()

    def __post_init__(self) -> None:
        """Take over what is asked for most."""
        self.text, self.language = self.request.plain, self.request.language
        self.words, self._timed = self.request.words, self.request.timed()

    # --- places ---

    def at(self, start: int, end: int) -> range:
        """The places of the words that this part of the text touches."""
        return self.request.at(start, end)

    def is_free(self, places: Iterable[int]) -> bool:
        """Whether no argument has any of these words yet."""
        return not any(one in self.used for one in places)

    def is_open(self, place: int) -> bool:
        """Whether the word is neither used, nor one that chose the tool, nor part of a whole form."""
        return (
            place not in self.used and place not in self.core and place not in self.request.formed
        )

    def may_stand(self, place: int) -> bool:
        """Whether the word is open and says no time: part of a name or a topic."""
        return self.is_open(place) and place not in self._timed

    def _may_tell(self, place: int) -> bool:
        """Whether the word can be part of what is asked about: a word that asks cannot."""
        return self.may_stand(place) and self.words[place].folded not in markers.QUESTIONS

    def is_kind(self, place: int) -> bool:
        """Whether the word chose the tool only by what it means, and names a thing of that kind.

        "CBC" chooses a tool for tests, "meeting" one for events: it may be the very thing asked for.
        """
        return place in self.kinds and place not in self.used and place not in self._timed

    def take(self, first: int, last: int) -> str:
        """Use up the words [first, last) and give them as said."""
        said = self.take_part(self.words[first].start, self.words[last - 1].end)
        return _POSSESSIVE.sub("", said)

    def take_part(self, start: int, end: int) -> str:
        """Use up this part of the text and give it, with the signs inside it."""
        self.used.update(self.at(start, end))
        return self.text[start:end].strip(_ENDS)

    # --- forms ---

    def piece(self, *forms: Form) -> Piece | None:
        """The first unused piece of one of these forms, now used."""
        for form in forms:
            for piece in self.request.pieces:
                places = self.at(piece.start, piece.end)
                if piece.form is form and self.is_free(places):
                    self.used.update(places)
                    return piece
        return None

    def beside(self, stems: Set[str], start: int, end: int) -> tuple[bool, bool]:
        """Whether a word of these stems, or of their meaning, stands right before, and right behind."""
        places = self.at(start, end)
        meant = {one for each in stems for one in concepts_of(each, "en")} - GENERIC

        def says(place: int) -> bool:
            if not 0 <= place < len(self.words):
                return False
            folded = self.words[place].folded
            return stem(folded) in stems or bool(meant & concepts_of(folded, self.language).keys())

        first = places.start - 1
        numbered = first > 0 and self.words[first].folded in markers.NUMBERING
        return says(first) or (numbered and says(first - 1)), says(places.stop)

    # --- names ---

    def name_after(self, marks: frozenset[str]) -> str | None:
        """The name that stands behind one of the marks."""
        for place, word in enumerate(self.words[:-1]):
            if word.folded in marks and place not in self.used:
                span = self._span_from(place + 1)
                if span is not None:
                    self.marked += 1
                    return self.take(*span)
        return None

    def name_before(self, marks: frozenset[str]) -> str | None:
        """The name that stands right before one of the marks, as Hindi has it."""
        for place, word in enumerate(self.words):
            if word.folded in marks and place and place not in self.used:
                span = self._span_before(place)
                if span is not None:
                    self.marked += 1
                    return self.take(*span)
        return None

    def name_at(self, place: int, longest: int = _NAME_WORDS) -> str | None:
        """The name that begins at this word."""
        span = self._span_from(place, longest)
        return None if span is None else self.take(*span)

    def name_ending_at(self, place: int) -> str | None:
        """The name that ends right before this word."""
        span = self._span_before(place)
        return None if span is None else self.take(*span)

    def _span_from(self, place: int, longest: int = _NAME_WORDS) -> tuple[int, int] | None:
        while place < len(self.words) and self.words[place].folded in markers.ARTICLES:
            place += 1
        last = place
        while last < len(self.words) and last - place < longest and self.may_name(last):
            if last > place and (self._is_cut(last, _NAME_CUTS) or self._ends_before(place, last)):
                break
            last += 1
        return None if last == place else (place, self.with_ending(last))

    def _ends_before(self, first: int, place: int) -> bool:
        """In English a name with a capital ends before a small word, and every name before a verb."""
        word = self.words[place]
        if self.language == "en" and self.words[first].raw[:1].isupper():
            return not word.raw[:1].isupper()
        return is_deed(word.folded, self.language)

    def with_ending(self, last: int) -> int:
        """The end of a name with the noun that belongs to it: "drawing | room"."""
        possessive = last < len(self.words) and self.words[last].folded in ("ke", "के")
        at = last + possessive
        if (
            at < len(self.words)
            and self.words[at].folded in markers.NAME_ENDS
            and at not in self.used
        ):
            return at + 1
        return last

    def _span_before(self, place: int) -> tuple[int, int] | None:
        first = place
        while first and place - first < _NAME_WORDS and self.may_name(first - 1):
            if first < place and self._is_cut(first, _NAME_CUTS):
                break
            if self.words[first - 1].folded in markers.HELPERS:
                break
            first -= 1
        while first < place - 1 and is_deed(self.words[first].folded, self.language):
            first += 1
        return None if first == place else (first, self._with_ending_at(place))

    def _with_ending_at(self, place: int) -> int:
        """The end where the mark joins the name to the noun behind it: "दादी | के कमरे"."""
        if self.words[place].folded in ("ke", "के"):
            return self.with_ending(place)
        return place

    def may_name(self, place: int) -> bool:
        """Whether the word can be part of a name."""
        word = self.words[place]
        small = word.folded in _NO_NAMES or place in self._timed
        shy = is_stop_word(word.folded) and not word.raw[:1].isupper()
        return not small and not shy and self.is_open(place) and not word.folded.isdigit()

    def free_names(self) -> list[NameSpan]:
        """The names that show as such and that no argument has yet."""
        return [
            one
            for one in self.request.names
            if all(map(self.may_stand, range(one.first, one.last)))
        ]

    # --- the rest ---

    def runs(self, *, times: bool, kinds: Set[int]) -> list[tuple[int, int]]:
        """Stretches of words that nothing has claimed, as [first, last).

        Words that say a time stand in them only with `times`; `kinds` are words that chose the tool
        and may be part of them all the same.
        """

        def may(place: int) -> bool:
            open_ = self.is_open(place) if times else self._may_tell(place)
            return open_ or (place in kinds and self.is_kind(place))

        found: list[tuple[int, int]] = []
        first: int | None = None
        for place in range(len(self.words) + 1):
            if first is not None and place < len(self.words) and self._is_cut(place):
                found.append((first, place))
                first = None
            if place < len(self.words) and may(place):
                first = place if first is None else first
            elif first is not None:
                found.append((first, place))
                first = None
        return found

    def _is_cut(self, place: int, signs: str = ":;!?\u0964") -> bool:
        """Whether a sign that ends a part of a sentence stands before the word."""
        between = self.text[self.words[place - 1].end : self.words[place].start]
        return any(one in between for one in signs)

    def use_label(self, stems: Set[str], start: int, end: int) -> None:
        """Use up the argument's own word before its value: "umar 58", "page number 12"."""
        before, _behind = self.beside(stems, start, end)
        if before:
            first = self.at(start, end).start - 1
            numbered = self.words[first].folded in markers.NUMBERING
            self.used.update({first, first - 1} if numbered and first else {first})

    def telling(self, first: int, last: int) -> int:
        """How many words of a stretch carry a topic."""
        return sum(not is_stop_word(one.folded) for one in self.words[first:last])

    def topic(self, kinds: Set[int] = frozenset()) -> str | None:
        """The most telling stretch that nothing has claimed, without small words at its edges."""
        spans = [self._trim_topic(*one) for one in self.runs(times=False, kinds=kinds)]
        return self._best(self._with_kinds(*one) for one in spans)

    def _with_kinds(self, first: int, last: int) -> tuple[int, int]:
        """The stretch with the English words beside it that say of which kind it is: "cough | syrup"."""

        def joins(place: int) -> bool:
            inside = 0 <= place < len(self.words) and not self._is_cut(max(place, 1))
            if not inside or self.words[place].folded in markers.QUESTIONS | markers.HELPERS:
                return False
            return self.is_kind(place) and is_english(self.words[place].folded)

        if not self.telling(first, last):
            return first, last
        while joins(last):
            last += 1
        while joins(first - 1):
            first -= 1
        return first, last

    def sentence(self) -> str | None:
        """The same for words to be said or written: only what joins them to the rest is left out."""
        return self._best(
            self._trim_sentence(*one) for one in self.runs(times=True, kinds=self.kinds)
        )

    def _best(self, spans: Iterable[tuple[int, int]]) -> str | None:
        """The stretch with most to tell; what stands behind an amount is what was counted."""
        best = max(spans, key=self._worth, default=(0, 0))
        return self.take(*best) if self.telling(*best) else None

    def _worth(self, span: tuple[int, int]) -> float:
        telling = self.telling(*span) - 0.5 * len(self.kinds & set(range(*span)))
        return telling + (_COUNTED if telling and span[0] - 1 in self.measured else 0)

    def _trim_topic(self, first: int, last: int) -> tuple[int, int]:
        def is_edge(place: int) -> bool:
            folded = self.words[place].folded
            verb = folded in markers.DONE or is_deed(folded, self.language)
            return _is_small(folded) or (verb and last - first > 1)

        while last > first and is_edge(last - 1):
            last -= 1
        while first < last and is_edge(first):
            first += 1
        measured = [one.folded for one in self.words[first : first + 2]]
        if last - first > 2 and measured[0] in markers.MEASURES and measured[1] == "of":
            first += 2  # "strips of | paracetamol"
        return first, last

    def _trim_sentence(self, first: int, last: int) -> tuple[int, int]:
        hindi = self.language != "en"
        edges = markers.JOINING | (markers.INSIDE if hindi else frozenset())

        def is_edge(place: int) -> bool:
            return self.words[place].folded in edges or self.is_kind(place)

        last = self._without_order(first, last)
        goes_on = last < len(self.words) - 1
        while last > first and is_edge(last - 1) and not self._heads(first, last - 1):
            last -= 1
            while (
                hindi and goes_on and last > first + 1 and self.words[last - 1].folded in markers.IS
            ):
                last -= 1  # "kirtan hai mandir mein, likh lena"
        while first < last and (is_edge(first) or self._completes_verb(first)):
            first += 1
        return first, last

    def _heads(self, first: int, place: int) -> bool:
        """Whether an English noun that says of which kind it is ends what is said: "parent teacher | meeting"."""
        if place <= first or not self.is_kind(place) or self._is_cut(place):
            return False
        if place + 1 < len(self.words) and self.words[place + 1].folded in markers.INSIDE:
            return False  # "plumber visit | calendar mein"
        before = self.words[place - 1].folded
        joined = not is_stop_word(before) or before in markers.WITH_BEHIND
        return joined and is_english(self.words[place].folded) and not self.is_kind(place - 1)

    def _without_order(self, first: int, last: int) -> int:
        """The end without the order that closes a Hindi sentence: "satsang | mein daal do"."""
        if self.language == "en" or last - first < 2:
            return last
        folded, before = self.words[last - 1].folded, self.words[last - 2].folded
        if folded in markers.GIVING and (before in markers.STEMS or is_deed(before, self.language)):
            last -= 2
        elif folded in markers.ORDERS:
            last -= 1
        else:
            return last
        while last > first and self.words[last - 1].folded in markers.IN_BEHIND:
            last -= 1
        return last

    def _completes_verb(self, place: int) -> bool:
        """The rest of a Hindi verb, before what is to be said: "likh do | aaj nahi aaungi"."""
        folded = self.words[place].folded
        if self.language == "en" or self.words[place].raw[:1].isupper():
            return False
        meant = concepts_of(folded, self.language).keys()
        return folded in markers.HELPERS or bool(meant & _TELLING)


def _is_small(folded: str) -> bool:
    return (
        is_stop_word(folded)
        or folded in markers.ABOUT | markers.HELPERS | markers.QUESTIONS | markers.EACH
    )

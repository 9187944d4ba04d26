"""A request while its words are handed out to the arguments of a tool: each word is used once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ira_home.domain.language import markers
from ira_home.domain.language.detect import Language
from ira_home.domain.language.places import Form, Piece
from ira_home.domain.language.words import Word, is_stop_word, split, stem

_NAME_WORDS = 4  # a name after "to" or "named" has at most so many words


@dataclass(slots=True)
class Spoken:
    """A request while its words are handed out to arguments: a word is used once."""

    text: str
    language: Language
    pieces: Sequence[Piece]
    matched: Sequence[tuple[int, int]]  # places of the words that chose the tool
    words: list[Word] = field(default_factory=list)
    used: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Split the text once."""
        self.words = split(self.text)

    def take(self, start: int, end: int) -> str:
        """Use up this part of the text and give it."""
        self.used.append((start, end))
        return self.text[start:end].strip(" \t\n.,;:!?\u0964\"'")

    def piece(self, *forms: Form, beside: str | None = None) -> Piece | None:
        """The first unused piece of one of these forms, now used; `beside` is a word next to it."""
        for form in forms:
            for piece in self.pieces:
                if piece.form is not form or not self.is_free(piece.start, piece.end):
                    continue
                if beside is None or self._is_beside(piece, beside):
                    self.used.append((piece.start, piece.end))
                    return piece
        return None

    def _is_beside(self, piece: Piece, words: str) -> bool:
        wanted = {stem(one.folded) for one in split(words)}
        before = [one for one in self.words if one.end <= piece.start][-1:]
        after = [one for one in self.words if one.start >= piece.end][:1]
        return any(stem(one.folded) in wanted for one in before + after)

    def is_free(self, start: int, end: int) -> bool:
        """Whether no argument has this part yet."""
        return not any(start < used_end and used_start < end for used_start, used_end in self.used)

    def is_open(self, word: Word) -> bool:
        """Whether the word is neither used, nor part of a piece, nor one that chose the tool."""
        formed = [(one.start, one.end) for one in self.pieces if one.form is not Form.NUMBER]
        taken = [*formed, *self.matched]
        return self.is_free(word.start, word.end) and not any(
            word.start < end and start < word.end for start, end in taken
        )

    def after(self, marks: frozenset[str], *, to_end: bool = False) -> str | None:
        """What stands behind one of the marks: a name, or all to the end."""
        for place, word in enumerate(self.words[:-1]):
            if word.folded in marks and self.is_free(word.start, word.end):
                said = self._rest(place + 1) if to_end else self._name_from(place + 1)
                if said is not None:
                    return said
        return None

    def before(self, marks: frozenset[str]) -> str | None:
        """The name that stands right before one of the marks, as Hindi has it."""
        for place, word in enumerate(self.words):
            if word.folded in marks and place and self.is_free(word.start, word.end):
                first = place
                while (
                    first and place - first < _NAME_WORDS and self._may_name(self.words[first - 1])
                ):
                    first -= 1
                if first < place:
                    return self.take(self.words[first].start, self.words[place - 1].end)
        return None

    def _rest(self, place: int) -> str | None:
        start = self.words[place].start
        if any(start < used_end for _used_start, used_end in self.used):
            return None
        return self.take(start, len(self.text)) or None

    def _name_from(self, place: int) -> str | None:
        while place < len(self.words) and self.words[place].folded in markers.ARTICLES:
            place += 1
        last = place
        while (
            last < len(self.words)
            and last - place < _NAME_WORDS
            and self._may_name(self.words[last])
        ):
            last += 1
        return (
            None if last == place else self.take(self.words[place].start, self.words[last - 1].end)
        )

    def _may_name(self, word: Word) -> bool:
        small = word.folded in markers.ENDS_NAME or word.folded in markers.TIME_WORDS
        return (
            not small
            and self.is_open(word)
            and not (is_stop_word(word.folded) and word.raw.islower())
        )

    def remainder(self) -> str | None:
        """The longest run of words that nothing else has claimed, small words only inside it."""
        runs: list[list[Word]] = [[]]
        for word in self.words:
            if word.folded in markers.TIME_WORDS or not self.is_open(word):
                runs.append([])
            elif not is_stop_word(word.folded) or runs[-1]:
                runs[-1].append(word)
        trimmed = [_trim(run) for run in runs]
        best = max(trimmed, key=len)
        return self.take(best[0].start, best[-1].end) if best else None


def _trim(run: list[Word]) -> list[Word]:
    while run and (is_stop_word(run[-1].folded) or run[-1].folded in markers.ABOUT):
        run = run[:-1]
    while run and run[0].folded in markers.ABOUT:
        run = run[1:]
    return run

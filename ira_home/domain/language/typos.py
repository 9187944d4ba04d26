"""The word that was likely meant by one that nobody knows: a letter missing, added, changed or swapped."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from ira_home.domain.language.lexicon import concepts_of, is_known
from ira_home.domain.language.words import is_stop_word, stem

_ONE_FROM, _TWO_FROM = 5, 8  # letters of the typed word from which one slip and two are forgiven
_HEAD = 7  # letters that the index looks at; the comparison behind it looks at all
_HASH_BITS, _PLACE_BITS = 0xFFFF_FFFF, 20  # one entry of the index: a hash, and a word's place
_KEPT = 1_024  # answers kept: the same words are asked for at every step of a turn
_PLACE_MAX = (1 << _PLACE_BITS) - 1


class Vocabulary:
    """Words that a typed word may have been meant as."""

    def __init__(self, words: Iterable[str]) -> None:
        """Keep the folded words; the index is built when the first unknown word is asked for."""
        self._words = sorted({one for one in words if len(one) >= _ONE_FROM - 1 and _is_plain(one)})
        self._known = frozenset(self._words) | frozenset(map(stem, self._words))
        # Every word by each of its heads with a letter or two left out, sorted by hash: two words
        # within two slips of each other share one of those.
        self._index: array[int] | None = None
        self._kept = lru_cache(maxsize=_KEPT)(self._look_up)

    def nearest(self, folded: str) -> str | None:
        """The one word that was likely meant; None for a real word, for digits, and when words vie.

        One slip is forgiven in words of 5 to 7 letters and two in longer ones. The first letter
        stands fixed, unless it changed places with the second. Among words as near as each
        other, the meaning that most of them share wins.
        """
        return self._kept(folded)

    def _look_up(self, folded: str) -> str | None:
        most = 0 if len(folded) < _ONE_FROM else 1 if len(folded) < _TWO_FROM else 2
        if not most or not _is_plain(folded) or self._is_real(folded):
            return None
        swapped = folded[1] + folded[0] + folded[2:]
        for looked_up in dict.fromkeys([folded, swapped]):
            for slips in range(1, most + 1):
                if words := self._nearest(folded, slips, looked_up):
                    return _chosen(words)
        return None

    def _is_real(self, folded: str) -> bool:
        return (
            folded in self._known
            or stem(folded) in self._known
            or is_stop_word(folded)
            or is_known(folded)
        )

    def _nearest(self, folded: str, slips: int, looked_up: str) -> list[str]:
        """The words with so many slips among those that begin like what is looked up."""
        candidates = self._candidates(looked_up, slips)
        return [
            one
            for one in candidates
            if distance(folded, one, slips) == slips and _is_slip(folded, one)
        ]

    def _candidates(self, folded: str, most: int) -> Iterator[str]:
        if self._index is None:
            self._index = _index_of(self._words)
        index, places = self._index, set[int]()
        for one in _heads(folded[:_HEAD], most):
            low = (hash(one) & _HASH_BITS) << _PLACE_BITS
            at = bisect_left(index, low)
            while at < len(index) and index[at] - low <= _PLACE_MAX:
                places.add(index[at] - low)
                at += 1
        for place in sorted(places):
            word = self._words[place]
            if word[0] == folded[0] and abs(len(word) - len(folded)) <= most:
                yield word


# Letters that lie beside each other, or that people spell for one another.
_NEAR = frozenset(
    frozenset(pair)
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for pair in pairwise(row)
) | frozenset(map(frozenset, "ck sz vw gj fv bv iy dt pf kq td qa ws ed rf tg yh uj ik ol az sx dc fv gb hn jm".split()))  # fmt: skip
_VOWELS = frozenset("aeiouy")


def _is_slip(typed: str, word: str) -> bool:
    """Whether a single changed letter of a short word is one that fingers or ears take for the other."""
    if len(typed) != len(word) or len(typed) >= _TWO_FROM or not typed.isascii():
        return True
    changed = [{one, other} for one, other in zip(typed, word, strict=True) if one != other]
    return len(changed) != 1 or changed[0] <= _VOWELS or changed[0] in _NEAR


def _is_plain(folded: str) -> bool:
    """Whether it has letters and signs of a script and no digit."""
    return not any(sign.isdigit() or sign in "_'" for sign in folded)


def _index_of(words: list[str]) -> "array[int]":
    entries = {
        (hash(head) & _HASH_BITS) << _PLACE_BITS | place
        for place, word in enumerate(words)
        for head in _heads(word[:_HEAD], 1 if len(word) < _TWO_FROM - 2 else 2)
    }
    return array("Q", sorted(entries))


def _heads(head: str, most: int) -> set[str]:
    """The head with up to `most` letters left out behind the first."""
    found = {head}
    shorter = {head}
    for _ in range(most):
        shorter = {one[:at] + one[at + 1 :] for one in shorter for at in range(1, len(one))}
        found |= shorter
    return found


def distance(one: str, other: str, most: int) -> int:
    """Letters missing, added, changed or swapped with the next; `most` + 1 when there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return min(most + 1, _distance(one[start : len(one) - end], other[start : len(other) - end]))


def _distance(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, sign in enumerate(one):
        row_before, before, row = before, row, [at + 1]
        for place, wanted in enumerate(other):
            cost = min(before[place] + (sign != wanted), before[place + 1] + 1, row[place] + 1)
            if at and place and sign == other[place - 1] and one[at - 1] == wanted:
                cost = min(cost, row_before[place - 1] + 1)
            row.append(cost)
    return row[-1]


def _chosen(words: list[str]) -> str | None:
    """The only word, or the first of the meaning that most of the words share."""
    if len(words) == 1:
        return words[0]
    counts = Counter(concept for word in words for concept in concepts_of(word))
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < 2 or (len(ranked) > 1 and _vies(words, ranked)):
        return None
    return next(word for word in words if ranked[0][0] in concepts_of(word))


def _vies(words: list[str], ranked: list[tuple[str, int]]) -> bool:
    """Whether a second meaning has as many words, and other ones."""
    (first, most), (second, as_many) = ranked
    having = [{word for word in words if meaning in concepts_of(word)} for meaning in (first, second)]  # fmt: skip
    return most == as_many and having[0] != having[1]

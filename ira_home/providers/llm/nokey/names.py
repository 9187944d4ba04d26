"""Arguments that take the name of somebody, of a place or of a thing."""

from collections.abc import Sequence

from ira_home.domain.language import markers
from ira_home.domain.language.lexicon import GENERIC, concepts_of, is_deed, is_known
from ira_home.domain.language.persons import BEHIND_NAME, KIN, NameSpan
from ira_home.domain.language.places import Form
from ira_home.domain.language.words import fold, is_stop_word, split, stem
from ira_home.providers.llm.nokey.roles import Role, Slot
from ira_home.providers.llm.nokey.spoken import Spoken


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(one) for one in words.split())


_RECIPIENT = _stems("to recipient receiver contact payee whom person")
_GIVER = _stems("from sender caller supplier vendor")
_SOURCE = _stems("from source origin pickup start boarding")
_TARGET = _stems("to destination dest drop towards")
_DOCTOR = _stems("doctor dentist physician")
_PHONED = _stems("phone mobile contact telephone")
_UNTELLING = _stems("to from name number no id")
_TOPICS = frozenset({Role.TEXT, Role.NAME, Role.QUERY, Role.FILE, Role.NOTE})
_NO_KIND = GENERIC - {"person"} | {"name", "word"}
_NAME_LETTERS = 3
_SE = frozenset({"se", "से"})
_GOING = frozenset({"tak", "तक", "jana", "jaana", "jane", "jaane", "जाना", "जाने"})


def person(slot: Slot, words: Spoken, slots: Sequence[Slot]) -> str | None:
    """Somebody's name, address or number."""
    phoned_elsewhere = any(one.stems & _PHONED for one in slots if one is not slot)
    forms = (Form.EMAIL,) if phoned_elsewhere else (Form.EMAIL, Form.PHONE)
    piece = words.piece(*forms)
    if piece is not None:
        return piece.value
    if any(one.stems & _DOCTOR for one in slots if one is not slot) and not slot.stems & _DOCTOR:
        hidden = {
            n for one in words.request.names if one.doctor for n in range(one.first, one.last)
        }
        hidden -= words.used
        words.used |= hidden  # "with Dr Kapoor" is for the other argument
        said = _person(slot, words, slots)
        words.used -= hidden
        return said
    return _person(slot, words, slots)


def _person(slot: Slot, words: Spoken, slots: Sequence[Slot]) -> str | None:
    return (
        _name_of(words)
        or words.name_after(markers.NAMED)
        or _shown(slot, words, slots)
        or _beside_own_word(slot, words)
        or _somebody(_marked(slot, words), slot, words)
    )


def _somebody(said: str | None, slot: Slot, words: Spoken) -> str | None:
    """The name, unless it is only what somebody is ("मरीज़", "the customer")."""
    if said is None:
        return None
    kinds = {concept for one in slot.told_stems for concept in concepts_of(one, "en")} | {"person"}
    told = [one for one in split(said) if not is_stop_word(one.folded)]
    meant = (concepts_of(one.folded, words.language).keys() & kinds - _NO_KIND for one in told)
    return None if told and all(meant) and not said[:1].isupper() else said


def unknown(slot: Slot, words: Spoken, slots: Sequence[Slot]) -> str | None:
    """A word that no dictionary has, for the one person or place that is still open."""
    others = [
        one
        for one in slots
        if one is not slot
        and (one.role in (Role.PERSON, Role.PLACE) or (one.required and one.role in _TOPICS))
    ]
    return None if others and not slot.required else _unknown_word(words)


def _unknown_word(words: Spoken) -> str | None:
    """A word that no dictionary knows is likely a name, however it is written."""
    for place_ in range(len(words.words)):
        if _is_unknown(place_, words) and words.may_name(place_):
            return words.name_at(place_, longest=1 + _is_unknown(place_ + 1, words))
    return None


def _is_unknown(place_: int, words: Spoken) -> bool:
    """Whether the word is there and in no dictionary: a second name."""
    if place_ >= len(words.words):
        return False
    folded = words.words[place_].folded
    if folded.endswith("ly") and words.words[place_].raw.islower():
        return False  # "loudly"
    return len(folded) >= _NAME_LETTERS and not (is_known(folded) or concepts_of(folded, words.language))  # fmt: skip


def _shown(slot: Slot, words: Spoken, slots: Sequence[Slot]) -> str | None:
    """A name that shows as such, the one whose small words fit the argument best."""
    wants_doctor = bool(slot.stems & _DOCTOR)
    doctors_elsewhere = any(one.stems & _DOCTOR for one in slots if one is not slot)
    free = words.free_names()
    if wants_doctor:
        fitting = [one for one in free if one.doctor]
    else:
        fitting = [one for one in free if not (one.doctor and doctors_elsewhere)]
    if not fitting:
        return None
    best = max(fitting, key=lambda one: (_part(slot, one, words), -one.first))
    words.marked += _part(slot, best, words) > 1
    owned = words.words[best.last - 1].raw.endswith(("'s", "\u2019s"))
    return words.take(best.first, best.last if owned else words.with_ending(best.last))


def _part(slot: Slot, name: NameSpan, words: Spoken) -> float:
    """How well the small words around a name fit what the argument is."""
    before = words.words[name.first - 1].folded if name.first else ""
    after = words.words[name.last].folded if name.last < len(words.words) else ""
    stems = slot.stems - _UNTELLING
    if stem(before) in stems or stem(after) in stems:
        return 3.0
    if slot.stems & _RECIPIENT:
        good = before in markers.TO or after in markers.WHOM_BEHIND
        whose = before in markers.FOR or after in markers.WHOSE_BEHIND
        kin = words.words[name.first].folded in KIN
        return 2.0 if good else 1.0 if whose else 0.6 if kin else 0.5 * (name.first == 1)
    if slot.stems & _GIVER:
        good = before in markers.FROM or after in markers.FROM_BEHIND | markers.WHOSE_BEHIND
        return 2.0 * good
    return 1.0 * (before in markers.FOR or after in markers.WHOSE_BEHIND | markers.WHOM_BEHIND)


def _beside_own_word(slot: Slot, words: Spoken) -> str | None:
    """The name behind the argument's own word: "customer ramesh", "patient meena"."""
    own = slot.stems - _UNTELLING
    for place_, word in enumerate(words.words[:-1]):
        if stem(word.folded) in own and words.may_name(place_ + 1):
            return words.name_at(place_ + 1, longest=3)
    return None


def _marked(slot: Slot, words: Spoken) -> str | None:
    if slot.stems & _GIVER:
        behind = markers.FROM_BEHIND | markers.WHOSE_BEHIND
        return words.name_after(markers.FROM) or words.name_before(behind)
    return (
        words.name_before(markers.WHOM_BEHIND)
        or words.name_after(markers.TO)
        or words.name_after(markers.FOR | markers.WITH)
        or words.name_before(markers.WHOSE_BEHIND | markers.WHO_BEHIND | markers.FOR_BEHIND)
    )


def place(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    """A city, a room, an address; of two places each by its own small word."""
    hindi = words.language != "en"
    if slot.stems & _SOURCE:
        said = words.name_after(markers.FROM)
        return said or (words.name_before(_SE) if hindi else None)
    if slot.stems & _TARGET:
        said = words.name_after(markers.TO | frozenset({"for"}))
        if said is None and hindi:
            going = _GOING | markers.WHOSE_BEHIND | markers.IN_BEHIND
            said = _behind(_SE, words) or words.name_before(going)
        return said or _first_name(words)
    said = words.name_after(markers.IN)
    if said is None and hindi:
        said = words.name_before(markers.IN_BEHIND)
    if said is not None or slot.required:
        return said or _first_name(words)
    return _lone_place(words)


def _lone_place(words: Spoken) -> str | None:
    """A name with a capital that nobody owns, or a word that no dictionary has: "goa pics"."""
    for one in words.free_names():
        owned = words.words[one.last - 1].raw.endswith(("'s", "\u2019s"))
        kin = words.words[one.first].folded in KIN
        if not owned and not kin and words.words[one.first].raw[:1].isupper():
            return words.take(one.first, one.last)
    return None


def _behind(marks: frozenset[str], words: Spoken) -> str | None:
    """Where to, right behind where from: "delhi se jaipur ki bus"."""
    for place_, word in enumerate(words.words[:-1]):
        if place_ and word.folded in marks and words.may_name(place_ + 1):
            return words.name_at(place_ + 1, longest=2)
    return None


def _first_name(words: Spoken, *, kin: bool = False) -> str | None:
    """The first name that nothing has; somebody of the family is no place."""
    free = [one for one in words.free_names() if kin or words.words[one.first].folded not in KIN]
    return words.take(free[0].first, free[0].last) if free else None


def code(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    """A registration or reference: by its form, or the figure beside the argument's own word."""
    phoned = bool(slot.told_stems & _PHONED)
    piece = words.piece(*((Form.PHONE, Form.CODE) if phoned else (Form.CODE, Form.PHONE)))
    if piece is not None:
        return piece.value
    for said in words.request.quantities:
        places = words.at(said.start, said.end)
        near = any(words.beside(slot.stems - _UNTELLING, said.start, said.end))
        if words.is_free(places) and (near or (slot.required and not said.unit)):
            return words.take_part(said.start, said.end)
    return None


def thing(slot: Slot, words: Spoken, _slots: Sequence[Slot]) -> str | None:
    """A name of something: in quotes, behind "named", beside the argument's own word."""
    piece = words.piece(Form.QUOTE)
    if piece is not None:
        return piece.value
    named = (
        _name_of(words) or words.name_after(markers.NAMED) or words.name_before(markers.NAME_BEHIND)
    )
    if named is None and slot.stems & {"nam", "name"}:
        named = _first_name(words, kin=True)
    return named


def _name_of(words: Spoken) -> str | None:
    """Whose name something is in: "in the name of X", "X ke naam se"."""
    for place_, word in enumerate(words.words):
        following = words.words[place_ + 1].folded if place_ + 1 < len(words.words) else ""
        if word.folded == "name" and following == "of":
            return words.name_at(place_ + 2)
        before = words.words[place_ - 1].folded if place_ else ""
        if word.folded in markers.NAME_BEHIND and before in markers.WHOSE_BEHIND:
            return words.name_ending_at(place_ - 1)
    return None


def rest(slot: Slot, words: Spoken) -> str | None:
    """What nothing else has claimed, without a measure before it: "packets of parle g"."""
    _skip_measures(words)
    if slot.role in (Role.TEXT, Role.NOTE):
        before = set(words.used)
        said = words.sentence()
        taken = words.used - before
        telling = sum(not is_stop_word(words.words[n].folded) for n in taken)
        if slot.role is Role.TEXT and telling > 1:
            words.said |= taken
        return said
    told = (one for one in slot.told_stems if not is_stop_word(one))
    own = {concept for one in told for concept in concepts_of(one, "en")} - GENERIC
    kinds = {n for n in words.kinds if own & concepts_of(words.words[n].folded, words.language).keys()}  # fmt: skip
    said = words.topic(kinds)
    # What the tool is about is nobody: in "cancel her appointment" the person is still to be said.
    if said is not None and slot.role is Role.PERSON and is_deed(fold(said), words.language):
        return None
    if slot.role is Role.PERSON:
        said = None if said is not None and _is_thing(said) else _somebody(said, slot, words)
    may_be_kind = said is None and slot.required and slot.role is not Role.PERSON
    return words.topic(words.kinds) if may_be_kind else said


def _is_thing(said: str) -> bool:
    """Whether every word is one of the dictionary, and none is of the family or shows as a name."""
    told = [one for one in split(said) if not is_stop_word(one.folded)]
    return bool(told) and all(
        is_known(one.folded) and one.folded not in KIN | BEHIND_NAME and not one.raw[:1].isupper()
        for one in told
    )


def _skip_measures(words: Spoken) -> None:
    for said in words.request.quantities:
        behind = words.at(said.start, said.end).stop
        if behind >= len(words.words) or words.words[behind].folded not in markers.MEASURES:
            continue
        further = behind + 1
        if further < len(words.words) and words.words[further].folded == "of":
            further += 1
        left = (one for one in range(further, len(words.words)) if words.is_open(one))
        if any(not is_stop_word(words.words[one].folded) for one in left):
            words.used.update(range(behind, further))

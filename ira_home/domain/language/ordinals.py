"""Which one of a list: "the second one", "doosra wala", "तीसरा", "last", "number 4"."""

import re

from ira_home.domain.language.words import fold

LAST = -1
_WORDS = {
    fold(word): number
    for number, words in {
        1: "first 1st pehla pehli pehle pahla pahli pahle पहला पहली पहले",
        2: "second 2nd doosra doosri doosre dusra dusri dusre दूसरा दूसरी दूसरे",
        3: "third 3rd teesra teesri teesre tisra tisri तीसरा तीसरी तीसरे",
        4: "fourth 4th chautha chauthi chauthe चौथा चौथी चौथे",
        5: "fifth 5th paanchva paanchvi paanchwa paanchwi panchva panchwa पांचवा पांचवां पांचवी पांचवीं",
        6: "sixth 6th chhatha chhathi chatha छठा छठी",
        7: "seventh 7th saatva saatvi saatwa satwa सातवां सातवीं सातवा",
        8: "eighth 8th aathva aathvi aathwa आठवां आठवीं आठवा",
        9: "ninth 9th nauva nauvi nauwa नौवां नौवीं नौवा",
        10: "tenth 10th dasva dasvi daswa दसवां दसवीं दसवा",
        LAST: "last aakhri akhri aakhiri antim आखिरी आखरी अंतिम",
    }.items()
    for word in words.split()
}
_BESIDE = "one|ones|wala|wali|wale|वाला|वाली|वाले"
_NUMBERED = re.compile(
    rf"\b(?:number|no|num|item|option|नंबर)\.? ?(\d{{1,2}})\b"
    rf"|\b(\d{{1,2}}) ?(?:{_BESIDE}|number|nambar|नंबर)(?!\w)"
)
# Beside these an ordinal counts days or floors, not the lines of an answer.
_COUNTS_OTHERS = re.compile(
    r"\b(?:first|last) (?:time|name|week|month|year|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)


def ordinal_of(text: str) -> int | None:
    """The place that the text speaks of, from 1, or LAST; None when it speaks of none or of two."""
    folded = fold(text)
    if _COUNTS_OTHERS.search(folded):
        return None
    found = {int(one[1] or one[2]) for one in _NUMBERED.finditer(folded)}
    found |= {_WORDS[word] for word in re.findall(r"[\w\u0900-\u097f]+", folded) if word in _WORDS}
    return found.pop() if len(found) == 1 else None


def ordinal_word(folded: str) -> int | None:
    """The place that a single word says, LAST for the last one; None for any other word."""
    return _WORDS.get(folded)

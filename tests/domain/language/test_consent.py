"""Yes and no are read by code, strictly, in three languages."""

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.language.consent import Consent, read_consent
from tests.support.requirements import requirement

YES = (
    "yes", "Yes.", "YES!!", "Yes, please.", "yeah", "yep", "sure", "ok", "Okay", "ok, do it", "go ahead", "Of course",
    "do it", "please do it", "please do", "yes send it", "Yes, send it now", "send it", "confirm", "yes go ahead", "alright",
    "haan", "Haan.", "han ji", "ji haan", "haanji", "haan bhej do", "haan, bhej do please", "bhej do", "bhejo", "kar do",
    "kardo", "haan kar do", "kar dijiye", "theek hai", "thik hai, kar do", "haan theek hai", "bilkul", "zaroor",
    "sahi hai bhejo", "ok bhej do", "haan usko bhej do", "haan ji kar dijiye", "kar do na", "send kar do", "haan book kar do",
    "haan delete kar do", "ho jaye",
    "हाँ", "हां", "जी", "जी हाँ", "हाँ भेज दो", "हाँ, कर दो।", "भेज दो", "कर दीजिए", "ठीक है", "ठीक है, भेजो", "बिल्कुल",
    "हाँ कृपया", "ज़रूर", "कर दो ना",
)  # fmt: skip
NO = (
    "no", "No.", "nope", "no thanks", "No, thank you", "don't", "don\u2019t send it", "do not send it", "no, don't", "not now",
    "cancel", "Cancel it", "please cancel", "stop", "never mind", "forget it", "ok cancel", "leave it", "no no",
    "nahi", "nahin", "nahi nahi", "ji nahi", "na", "mat karo", "mat bhejo", "nahi bhejna", "nahi, mat bhejo", "rehne do",
    "rahne do", "theek hai, rehne do", "chhodo", "jaane do", "cancel karo", "cancel kar do", "na karo", "bilkul nahi",
    "nahi, rehne do", "abhi nahi", "rehne do mat bhejo",
    "नहीं", "नही", "जी नहीं", "मत करो", "मत भेजो", "रहने दो", "नहीं, रहने दो", "छोड़ो", "रद्द करो", "कैंसल कर दो", "न करो",
)  # fmt: skip
NEITHER = (
    "", " ", "hello", "yes?", "haan?", "is that a yes?", "yes if it is free", "yes, but not today", "haan lekin kal",
    "agar sahi hai to haan", "yes and also send it to Ravi", "haan ya nahi", "हाँ या नहीं", "yes or no", "yes no", "no, yes",
    "haan nahi", "no, send it", "nahi, bhej do", "नहीं, भेज दो", "he said yes", "she said \"yes\"", "'yes'", '"haan"', "\u201cyes\u201d",
    "say yes", "why not", "not sure", "maybe", "yes I think so", "yes, when I am home", "shayad", "kya haan", "kya bhej doon",
    "yes, my PIN is 739164", "739164", "yes 739164", "no problem", "no worries", "don't cancel", "cancel mat karo", "don't stop",
    "ha ha", "ha ha ha", "haha", "ok thanks", "thanks", "thank you", "please", "do", "de", "kar", "accha", "it", "👍",
    "yes yes yes yes yes yes yes yes yes", "send the parcel to Marigold, yes", "Yes, read invoice.pdf in Downloads",
    "yesterday", "okra", "nahi to baad mein bhej do", "yes unless it rains", "sure about that", "what is yes in Hindi",
    "the answer was no", "haan, magar Amit ko", "हाँ, लेकिन कल", "अगर ठीक है तो हाँ", "क्या हाँ", "yes: not", "y/n", "yes & no", "1",
)  # fmt: skip


@requirement("tier.2.yes")
@pytest.mark.parametrize("text", YES)
def test_a_plain_yes_is_a_yes(text: str) -> None:
    assert read_consent(text) is Consent.YES


@requirement("tier.2.yes")
@pytest.mark.parametrize("text", NO)
def test_a_plain_no_is_a_no(text: str) -> None:
    assert read_consent(text) is Consent.NO


@requirement("tier.2.yes")
@pytest.mark.parametrize("text", NEITHER)
def test_what_is_not_plain_is_neither(text: str) -> None:
    assert read_consent(text) is Consent.NEITHER


def test_words_of_the_action_may_stand_beside_a_yes_but_are_none_alone() -> None:
    action = ("Raise", "drawbridge")
    assert read_consent("yes, raise the drawbridge", action) is Consent.YES
    assert read_consent("haan drawbridge raise karo", action) is Consent.YES
    assert read_consent("raise the drawbridge", action) is Consent.NEITHER
    assert read_consent("don't raise the drawbridge", action) is Consent.NO
    assert read_consent("yes, raise the bridge", action) is Consent.NEITHER


def test_cancelling_alone_stays_a_no_even_when_the_action_is_to_cancel() -> None:
    action = ("cancel", "appointment")
    assert read_consent("cancel", action) is Consent.NO
    assert read_consent("yes, cancel it", action) is Consent.YES
    assert read_consent("yes, cancel it") is Consent.NEITHER


@given(st.text(max_size=40))
def test_a_yes_with_any_foreign_word_is_none(text: str) -> None:
    assert read_consent(f"yes qzx {text}") is Consent.NEITHER


@given(st.text(max_size=120))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert read_consent(text) in Consent


@given(st.sampled_from(YES), st.sampled_from([one for one in NO if one != "na"]))
def test_both_at_once_is_never_a_yes(yes: str, no: str) -> None:
    assert read_consent(f"{yes} {no}") is not Consent.YES
    assert read_consent(f"{no} {yes}") is not Consent.YES

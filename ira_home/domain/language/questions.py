"""Whether a request is a question: it asks for an answer, where an order asks for a deed."""

from ira_home.domain.language.words import Language, fold, split


def _set(words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split())


_FIRST = _set(
    "what whats which who whos whom whose when where why how hows any is are was were did does do has have had will am "
    "should whats show list tell check"
)
_ANYWHERE = _set(
    "kya kitna kitni kitne kaun kaunsa kaunsi kaunse kab kahan kidhar kaisa kaisi kaise kiska kiski kiske kisne kyun "
    "batao bata batana btao dikhao dikha dikhana sunao suna "
    "क्या कितना कितनी कितने कौन कौनसा कौनसी कब कहां किधर कैसा कैसी कैसे किसका किसकी किसके किसने क्यों "
    "बताओ बता बताइए बताना दिखाओ दिखा दिखाइए सुनाओ सुना"
)
_ORDERS = _set("yaad याद")  # "kya tum yaad dila doge" asks for a deed


def is_question(text: str, language: Language) -> bool:
    """Whether the text asks to be told or shown something, in any of the three languages."""
    words = [one.folded for one in split(text)]
    if not words or set(words) & _ORDERS:
        return False
    first = language == "en" and words[0] in _FIRST
    return first or bool(set(words) & _ANYWHERE) or text.rstrip().endswith("?")

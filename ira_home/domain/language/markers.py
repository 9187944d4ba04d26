"""Small words that say what the words beside them are: a name, a recipient, a topic, what to say."""

from ira_home.domain.language.words import fold


def _set(words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split())


# The words after these are a name: "the file named X", "X naam ka" has it before.
NAMED = _set("named called titled labelled labeled naam नाम")
NAME_BEHIND = _set("naam नाम naamak")
# The words after these are whom or what it is for; Hindi puts the mark behind.
TO = _set("to")
FOR = _set("for with of")
WHOM_BEHIND = _set("ko को")
WHOSE_BEHIND = _set("ka ki ke का की के")
# The words after these are what it is about.
ABOUT = _set("about for regarding containing matching like")
# The words after these are what to say or write, to the end.
SAYING = _set("that saying says ki kih कि")
IN = _set("in at near from of")
IN_BEHIND = _set("me mein mai में ka ki ke का की के")
# A name ends before any of these.
ENDS_NAME = (
    _set("that saying and or about on in at by from with for to when if then as is are please today tomorrow tonight")
    | _set("ko se me mein mai par pe ka ki ke kal aaj parso aur phir fir hai ho")
    | _set("को से में पर का की के कल आज परसों और फिर है हो कि")
)  # fmt: skip
ARTICLES = _set(
    "the a an my our his her their this that mera meri mere apne apni apna मेरा मेरी मेरे अपने अपनी अपना"
)
# Times and days are no part of a name or a topic.
TIME_WORDS = _set(
    "today tomorrow tonight yesterday now am pm morning evening afternoon night noon o'clock oclock "
    "aaj kal parso parson abhi subah shaam sham dopahar raat baje आज कल परसों अभी सुबह शाम दोपहर रात बजे"
)
NO_WORDS = _set("no off without false not nahi नहीं बंद")

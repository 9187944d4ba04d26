"""Whether a bare number names or counts something: "room 302", "12 patients", "5000 rupees" are no times."""

from collections.abc import Sequence

from ira_home.domain.language.time_doubts import Token

_LABELS = frozenset(
    "page room invoice bill number no nambar ward bed patient flat floor gate platform channel version chapter item order "
    "ticket seat block sector phase line row step part size code pin otp id level train bus flight class question q password "
    "bulb fan camera light kamra panna pej rs inr rupees extension locker slot token table top score marks bp "
    "ऑर्डर आर्डर इनवॉइस इनवॉयस रसीद टिकट सीट फ्लैट प्लेटफॉर्म गेट बस ट्रेन फ्लाइट चैनल वार्ड बेड टोकन स्लॉट मंजिल गली वर्जन पिन कोड खाता अकाउंट मरीज पेशेंट "
    "नंबर कमरा कमरे पेज पन्ना बिल".split()
)
_THINGS = frozenset(
    "rupees rupaye rupay rupee rs inr percent s ms kb mb gb tb mib gib kilo kg gram litre liter ml km meter degree people person persons log logo "
    "logon aadmi patient mareez goli goliyan tablet spoon chammach roti chai cup glass plate packet box bottle times baar bar hazaar lakh "
    "street road nagar lane marg gali guna point star number ghar kamre bande bacche bachche saal floor page row photo class time "
    "birthday anniversary standard grade attempt one "
    "रुपये रुपए प्रतिशत किलो लीटर गोली गोलियां लोग आदमी मरीज बार रोटी कप गिलास डिग्री चाय".split()
)
_NO_THINGS = frozenset({"thanks", "always", "please", "across"})
_COUNTED = "UVMtNnFOBAHQ"  # behind a number these are what it counts, or its own clock words


def is_label(tokens: Sequence[Token], first: int, reach: int = 1) -> bool:
    """Whether one of the `reach` words before the place makes the number there a name."""
    return any(one.folded in _LABELS for one in tokens[max(0, first - reach) : first])


def is_amount(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether the bare number at these places names or counts something, by the words beside it."""
    if is_label(tokens, first):
        return True
    if last >= len(tokens):
        return False
    after = tokens[last]
    if after.sort in _COUNTED or after.folded in _THINGS:
        return True
    plural = after.sort == "o" and after.folded.isascii() and after.folded.endswith("s")
    return plural and len(after.folded) > 3 and after.folded not in _NO_THINGS

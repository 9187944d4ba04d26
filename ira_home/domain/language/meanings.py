"""What is said of concepts: which pairs mean something else, which tell little, which act, which are opposites."""

from collections.abc import Mapping

# A verb and a noun whose verb then means something else: a lost phone is found by ringing it, gas
# that is finished is booked. Both must be said; the order does not matter.
PAIRS: Mapping[tuple[str, str], str] = {
    ("find", "phone"): "ring",
    ("lost", "phone"): "ring",
    ("play", "phone"): "ring",
    ("lost", "tablet"): "ring",
    ("finished", "gas"): "book",
    ("finished", "recharge"): "recharge",
    ("finished", "battery"): "charge",
    ("broken", "society"): "complain",
    ("take", "umbrella"): "weather",
    ("bring", "umbrella"): "weather",
    ("keep", "umbrella"): "weather",
    ("fill", "tank"): "pump",
    ("fill", "fuel"): "fuel",
    ("forget", "remind"): "remind",
    ("late", "train"): "status",
    ("late", "bus"): "status",
    ("late", "flight"): "status",
    ("lost", "card"): "block",
    ("next", "patient"): "appointment",
    ("write", "message"): "send",
    ("withdraw", "photo"): "find",
    ("withdraw", "file"): "find",
    ("withdraw", "report"): "find",
    ("pending", "money"): "due",
}
# Concepts that nearly every request has: they tell tools apart only when nothing else does.
GENERIC = frozenset(
    "show make on off name device today tomorrow yesterday tell which all give take set details now day "
    "come go good new person work".split()
)
# Concepts of doing something to things: a tool that lacks the one that was said does something else.
ACTIONS = frozenset(
    "send write delete remove cancel change move copy book buy sell pay print share upload download translate "
    "raise lower lock unlock backup restore postpone renew approve reject block unblock return refund mute repair".split()
)
_OPPOSITES = (
    "on off, open close, raise lower, add remove, make delete, book cancel, order cancel, start stop, play pause, lock unlock, "
    "approve reject, block unblock, connect disconnect, upload download, send receive, buy sell, deposit withdraw, "
    "borrow return, lend receive_money, enter exit, join leave_group, remind forget, present absent, fill empty, "
    "backup restore, hot cold, heat cool, income expense, profit loss, pickup drop, early late, free busy, "
    "open_adj closed, wet dry, big small, fast_adj slow, cheap expensive, upstairs downstairs, inside outside, front behind, "
    "left_side right_side, old new, next previous, right wrong, good bad, missed incoming"
)


def _both_ways() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for pair in _OPPOSITES.split(","):
        one, other = pair.split()
        found[one] = found.get(one, frozenset()) | {other}
        found[other] = found.get(other, frozenset()) | {one}
    return found


# What undoes or contradicts a concept: a tool that has only an opposite of what was said is the wrong one.
OPPOSITES: Mapping[str, frozenset[str]] = _both_ways()

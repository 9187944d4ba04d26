"""What is asked about and what is asked for: questions, debts, telephone numbers, words that are no names."""

import pytest

from ira_home.domain.language.typos import Vocabulary
from tests.providers.nokey.talk import step
from tests.support.views import arguments, device_tool, house_tool, view

DAY = {"type": "string", "format": "date"}
PAID = device_tool(
    "bill_paid", "Mark a bill of a customer as paid",
    arguments("customer", customer="name of the customer", bill={"type": "integer", "description": "number of the bill"}), tier=3,
)  # fmt: skip
OWED = device_tool("bills_unpaid", "Show the unpaid bills: which customer owes how much")
CARD = device_tool(
    "customer_find",
    "Find a customer by name: phone number",
    arguments("name", name="name of the customer"),
)
STOCK = device_tool("stock_show", "Show what is left in stock", arguments(item="item in stock"))
VISITS = device_tool("visits_show", "Show the visits of a day, today's when no day is said", arguments(day=DAY))  # fmt: skip
VISIT = device_tool(
    "visit_book", "Book a visit for a customer at a free time",
    arguments("customer", "when", customer="name of the customer", when={"type": "string", "format": "date-time"}), tier=2,
)  # fmt: skip
FREE = device_tool("free_times", "Show the free times of a day", arguments(day=DAY))
CLOCK = house_tool("house_time", "Tell the time, the day of the week and the date of today")
TOOLS = (PAID, OWED, CARD, STOCK, VISITS, VISIT, FREE, CLOCK)


@pytest.mark.parametrize(
    "said",
    [
        "who hasn't paid?",
        "which customers have not paid yet",
        "kaunse bill abhi nahi bhare",
        "kis kis ne bill nahi chukaya",
        "किसने बिल नहीं चुकाया?",
    ],
)
async def test_what_is_not_paid_is_owed(said: str) -> None:
    assert (await step(view(said, *TOOLS))).tool == "bills_unpaid"


@pytest.mark.parametrize("said", ["Ravi has paid his bill", "mark Ravi's bill as paid"])
async def test_what_is_paid_is_not(said: str) -> None:
    assert (await step(view(said, *TOOLS))).tool == "bill_paid"


@pytest.mark.parametrize(
    "said",
    ["Do we have anyone booked for Thursday?", "who is booked for a visit on Thursday", "guruvar ko kis kis ka visit hai"],
)  # fmt: skip
async def test_a_question_is_never_an_order(said: str) -> None:
    answer = await step(view(said, *TOOLS))
    assert (answer.tool, answer.arguments) == ("visits_show", {"day": "2026-12-03"})


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("give me the number of Ishita Banerjee", "Ishita Banerjee"),
        ("what is Imran's number", "Imran"),
        ("Imran ka number do", "Imran"),
        ("ईशिता का नंबर दो", "ईशिता"),
    ],
)
async def test_somebody_s_number_is_the_one_to_ring(said: str, name: str) -> None:
    answer = await step(view(said, *TOOLS))
    assert (answer.tool, answer.arguments) == ("customer_find", {"name": name})


@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("gloves kitne bache hain", "gloves"),
        ("दस्ताने कितने बचे हैं?", "दस्ताने"),
        ("mask kitne pade hain", "mask"),
        ("how many face masks do we have left", "face masks"),
    ],
)
async def test_how_many_is_no_part_of_a_name(said: str, item: str) -> None:
    answer = await step(view(said, *TOOLS))
    assert (answer.tool, answer.arguments) == ("stock_show", {"item": item})


async def test_an_hour_is_for_the_tool_that_takes_it() -> None:
    said = "इमरान को गुरुवार शाम छह बजे का समय दे दो"
    answer = await step(view(said, *TOOLS))
    assert answer.tool == "visit_book"
    assert answer.arguments == {"customer": "इमरान", "when": "2026-12-03T18:00:00+05:30"}
    assert (await step(view("is 4 pm free on Thursday?", *TOOLS))).tool == "free_times"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("masks", None), ("marls", "marks"), ("remeve", "remove"), ("mraks", "marks"), ("remoe", "remove")],
)  # fmt: skip
def test_one_wrong_letter_is_a_slip_where_a_finger_or_an_ear_could_make_it(
    typed: str, meant: str | None
) -> None:
    assert Vocabulary(["marks", "remove"]).nearest(typed) == meant

"""Tools of Sunrise Dental Clinic, a fictional business: patients, appointments, invoices and stock.

Copy this file, change it, and restart Ira: each function with @tool or @action becomes something
she can do for everybody of the house. `docs/tools.md` of the project tells more.

What the clinic keeps lies in tables of its own. None has a column `user_id`: the rows are the
clinic's and stay when one of its people leaves. An answer is made of what these tables hold and
repeats no argument, so that nothing a stranger wrote comes back as the clinic's own words.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal, TypeAlias, get_args

from ira_home.base.errors import ToolFailed
from ira_home.base.text import one_line
from ira_home.domain.language.names import meant, near
from ira_home.domain.language.writing import count, day_words, rupees
from ira_home.storage.database import Row, Transaction
from ira_home.storage.tables import TableStore
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import action, tool

Answer: TypeAlias = dict[str, Any]
Treatment: TypeAlias = Literal["check-up", "cleaning", "filling", "root canal", "crown", "x-ray"]
PatientName: TypeAlias = Annotated[str, "name of the patient"]

TREATMENTS = get_args(Treatment)
PRICES = dict(zip(TREATMENTS, (300, 900, 1500, 6500, 8000, 250), strict=True))  # rupees
MINUTES = dict(zip(TREATMENTS, (30, 30, 45, 60, 60, 15), strict=True))
# Opening hours as minutes from midnight, Monday first.
_WEEKDAY = ((9 * 60 + 30, 13 * 60 + 30), (16 * 60, 20 * 60))
HOURS = (*[_WEEKDAY] * 5, ((9 * 60 + 30, 14 * 60),), ((10 * 60, 13 * 60),))
_STEP = 30  # minutes between the times that are offered
_AHEAD = timedelta(days=365)  # a booking beyond it is a slip of the year

# Each statement runs once in a house, so new ones only ever go to the end. A day is written like
# 2026-11-30; `start` counts minutes from its midnight.
_NOUNS = ("patients", "appointments", "invoices", "stock")
_SCHEMA = """
CREATE TABLE {patients} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone TEXT NOT NULL) STRICT;
CREATE TABLE {appointments} (
    id INTEGER PRIMARY KEY,
    patient_id INTEGER NOT NULL REFERENCES {patients} (id) ON DELETE CASCADE,
    day TEXT NOT NULL, start INTEGER NOT NULL, minutes INTEGER NOT NULL, treatment TEXT NOT NULL,
    cancelled INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE {invoices} (
    id INTEGER PRIMARY KEY,
    patient_id INTEGER NOT NULL REFERENCES {patients} (id) ON DELETE CASCADE,
    treatment TEXT NOT NULL, rupees INTEGER NOT NULL, issued TEXT NOT NULL, paid TEXT) STRICT;
CREATE TABLE {stock} (
    item TEXT PRIMARY KEY, unit TEXT NOT NULL, number INTEGER NOT NULL, least INTEGER NOT NULL) STRICT
""".split(";")
_PATIENTS = "SELECT * FROM {patients} ORDER BY name"
_BOOKED = (
    "SELECT a.*, p.name FROM {appointments} a JOIN {patients} p ON p.id = a.patient_id"
    " WHERE NOT a.cancelled"
)
_OF_DAY = f"{_BOOKED} AND a.day = ? ORDER BY a.start"
_COMING = f"{_BOOKED} AND (a.day, a.start) > (?, ?) ORDER BY a.day, a.start"
_UNPAID = (
    "SELECT i.*, p.name FROM {invoices} i JOIN {patients} p ON p.id = i.patient_id"
    " WHERE i.paid IS NULL ORDER BY i.issued, i.id"
)


@tool(
    title="Show the clinic's appointments",
    examples=(
        "Who is coming today?",
        "Show tomorrow's appointments",
        "aaj ke appointments",
        "आज कौन कौन आ रहा है?",
    ),
)
async def clinic_appointments(context: ToolContext, day: date | None = None) -> Answer:
    """Show the clinic's appointments of a day, today's when no day is said: who comes, when, for what."""
    tables, now = await opened(context), _now(context)
    day = day or now.date()
    rows = await tables.all(sql(tables, _OF_DAY), (day.isoformat(),))
    summary = f"{count(len(rows), 'appointment')} {day_words(day, now.date())}."
    later = [row for row in rows if (row["day"], row["start"]) > _since(now)]
    if later and day == now.date():
        summary += f" Next: {_line(later[0])}."
    return {"summary": summary, "appointments": [_line(row) for row in rows]}


@tool(
    title="Show the clinic's free times",
    examples=(
        "Which times are free tomorrow?",
        "Is there a free slot at the clinic on Friday?",
        "kal koi slot khaali hai kya",
        "कल कौन सा समय खाली है?",
    ),
)
async def clinic_free_times(
    context: ToolContext, day: date | None = None, treatment: Treatment = "check-up"
) -> Answer:
    """Show the times at which the clinic can still take a patient on a day, today when no day is said."""
    tables, now = await opened(context), _now(context)
    day = day or now.date()
    rows = await tables.all(sql(tables, _OF_DAY), (day.isoformat(),))
    free = [_clock(start) for start in _free(rows, day, MINUTES[treatment], now)]
    summary = f"{count(len(free), 'free time')} {day_words(day, now.date())}, for: {treatment}."
    return {"summary": summary, "free": free}


@tool(
    title="Find a patient of the clinic",
    examples=(
        "Find the patient Meera Joshi",
        "What is Arjun's phone number?",
        "patient Sunita ka number batao",
        "मरीज़ मीरा का नंबर बताओ",
    ),
)
async def clinic_find_patient(context: ToolContext, name: PatientName) -> Answer:
    """Find a patient of the clinic by name: phone number, next appointment and what is unpaid."""
    tables, now = await opened(context), _now(context)
    patients = await tables.all(sql(tables, _PATIENTS))
    names = [row["name"] for row in patients]
    wanted = meant(name, names) or near(name, names)
    found = [row for row in patients if row["name"] in wanted]
    coming = await tables.all(sql(tables, _COMING), _since(now))
    unpaid = await tables.all(sql(tables, _UNPAID))
    cards = [_card(row, coming, unpaid, now.date()) for row in found]
    return {"summary": f"{count(len(found), 'patient')} found.", "patients": cards}


@action(
    tier=2,
    title="Book an appointment at the clinic",
    examples=(
        "Book Asha tomorrow at 11",
        "Book an appointment for Meera Joshi on Friday at 5 pm for a cleaning",
        "Sunita ka kal 11 baje appointment book karo",
        "कल 11 बजे आशा का अपॉइंटमेंट बुक करो",
    ),
)
async def clinic_book_appointment(
    context: ToolContext, patient: PatientName, when: datetime, treatment: Treatment = "check-up"
) -> Answer:
    """Book an appointment at the clinic for a patient, at a free time within the opening hours."""
    tables, now = await opened(context), _now(context)
    moment = (when.astimezone(context.time_zone) if when.tzinfo else when).replace(tzinfo=None)
    day, start, minutes = moment.date(), moment.hour * 60 + moment.minute, MINUTES[treatment]
    insert = "INSERT INTO {appointments} (patient_id, day, start, minutes, treatment) VALUES (?, ?, ?, ?, ?)"

    def work(tx: Transaction) -> str:
        one = _only(tx.all(sql(tables, _PATIENTS)), patient)
        rows = tx.all(sql(tables, _OF_DAY), (day.isoformat(),))
        message = _against(rows, moment, minutes, now)
        for row in (row for row in rows if row["patient_id"] == one["id"]):
            message = f"{_name(one)} has an appointment that day already: {_line(row)}."
        if message:
            raise ToolFailed(message)
        tx.insert(sql(tables, insert), (one["id"], day.isoformat(), start, minutes, treatment))
        return _name(one)

    name = await tables.write(work)
    told = f"{name}, {treatment}, {day_words(day, now.date())} at {_clock(start)}"
    return {"summary": f"Booked: {told}."}


@action(
    tier=2,
    title="Cancel an appointment at the clinic",
    examples=(
        "Cancel Asha's appointment",
        "Cancel the appointment of Meera Joshi tomorrow",
        "Asha ka appointment cancel karo",
        "आशा का कल का अपॉइंटमेंट रद्द करो",
    ),
)
async def clinic_cancel_appointment(
    context: ToolContext, patient: PatientName, day: date | None = None
) -> Answer:
    """Cancel a coming appointment of a patient; the day is needed only when there are several."""
    tables, now = await opened(context), _now(context)
    cancel = sql(tables, "UPDATE {appointments} SET cancelled = 1 WHERE id = ?")

    def work(tx: Transaction) -> str:
        one = _only(tx.all(sql(tables, _PATIENTS)), patient)
        coming = tx.all(sql(tables, _COMING), _since(now))
        own = [row for row in coming if row["patient_id"] == one["id"]]
        wanted = [row for row in own if day is None or row["day"] == day.isoformat()]
        told = {row["id"]: _at(row, now.date()) for row in own}
        gone = _single(wanted, f"{_name(one)} has", "coming appointment", list(told.values()))
        tx.run(cancel, (gone["id"],))
        return f"{_name(one)}, {gone['treatment']}, {told[gone['id']]}"

    return {"summary": f"Cancelled: {await tables.write(work)}."}


@tool(
    title="Show the clinic's unpaid invoices",
    examples=(
        "Which invoices are unpaid?",
        "Which patients owe us money?",
        "kiska payment baaki hai",
        "किसका पैसा बाकी है?",
    ),
)
async def clinic_unpaid_invoices(context: ToolContext) -> Answer:
    """Show the clinic's unpaid invoices, the oldest first: which patient owes how much since when."""
    tables, now = await opened(context), _now(context)
    rows = await tables.all(sql(tables, _UNPAID))
    total = rupees(sum(row["rupees"] for row in rows))
    summary = f"{count(len(rows), 'unpaid invoice')}, {total} in all."
    return {"summary": summary, "invoices": [_bill(row, now.date()) for row in rows]}


@action(
    title="Mark an invoice of the clinic as paid",
    examples=(
        "Mark the invoice of Arjun as paid",
        "Meera Joshi has paid her invoice",
        "Meera ka bill paid mark karo",
        "मीरा का बिल चुकाया हुआ लिखो",
    ),
)
async def clinic_mark_paid(
    context: ToolContext,
    patient: PatientName,
    invoice: Annotated[int, "number of the invoice"] | None = None,
) -> Answer:
    """Mark an unpaid invoice of a patient as paid; its number is needed only when there are several."""
    tables, today = await opened(context), _now(context).date()
    update = sql(tables, "UPDATE {invoices} SET paid = ? WHERE id = ?")

    def work(tx: Transaction) -> str:
        one = _only(tx.all(sql(tables, _PATIENTS)), patient)
        own = [row for row in tx.all(sql(tables, _UNPAID)) if row["patient_id"] == one["id"]]
        wanted = [row for row in own if invoice is None or row["id"] == invoice]
        told = [f"invoice {row['id']} of {rupees(row['rupees'])}" for row in own]
        paid = _single(wanted, f"{_name(one)} has", "unpaid invoice", told)
        tx.run(update, (today.isoformat(), paid["id"]))
        return _bill(paid, today)

    return {"summary": f"Paid: {await tables.write(work)}."}


@tool(
    title="Show the clinic's stock",
    examples=(
        "What is low in stock?",
        "How many gloves are left?",
        "kaun sa saamaan khatam ho raha hai",
        "gloves kitne bache hain",
        "कौन सा सामान कम है?",
    ),
)
async def clinic_stock(
    context: ToolContext, item: Annotated[str, "item in stock, like gloves"] | None = None
) -> Answer:
    """Show what the clinic has in stock, what runs low first, or how much is left of one item."""
    tables = await opened(context)
    rows = await tables.all(sql(tables, "SELECT * FROM {stock} ORDER BY number >= least, item"))
    names = [row["item"] for row in rows]
    wanted = [] if item is None else meant(item, names) or near(item, names)
    shown = [row for row in rows if row["item"] in wanted] or rows
    low = sum(row["number"] < row["least"] for row in shown)
    summary = f"{count(low, 'item')} of {len(shown)} running low."
    if item is not None and not wanted:
        summary = f"Nothing of that name is in stock. {summary}"
    return {"summary": summary, "stock": [_shelf(row) for row in shown]}


@tool(
    title="Tell the price of a treatment",
    examples=(
        "How much is a root canal?",
        "What does a cleaning cost?",
        "filling ka price kya hai",
        "एक्स-रे कितने का है?",
    ),
)
def clinic_price(treatment: Treatment | None = None) -> Answer:
    """Tell what a dental treatment costs at the clinic, or the whole price list."""
    named = TREATMENTS if treatment is None else (treatment,)
    lines = [f"{one}: {rupees(PRICES[one])}, {MINUTES[one]} minutes" for one in named]
    if treatment is None:
        return {"summary": f"Prices of {len(lines)} treatments.", "prices": lines}
    return {"summary": f"{lines[0].capitalize()}."}


def schema(tables: TableStore) -> tuple[str, ...]:
    """The statements that make the clinic's tables, for `TableStore.migrate`."""
    return tuple(sql(tables, step) for step in _SCHEMA)


def sql(tables: TableStore, statement: str) -> str:
    """The statement with the full names of the tables that stand in braces."""
    return statement.format_map({noun: tables.table(noun) for noun in _NOUNS})


async def opened(context: ToolContext) -> TableStore:
    """The clinic's tables, made at their first use; they are named like this file."""
    tables = context.table_store("clinic")
    await tables.migrate(*schema(tables))
    return tables


def _now(context: ToolContext) -> datetime:
    """The clinic's wall clock: days and times are kept as it shows them."""
    return context.now().replace(tzinfo=None)


def _since(now: datetime) -> tuple[str, int]:
    return now.date().isoformat(), now.hour * 60 + now.minute


def _only(patients: Sequence[Row], said: str) -> Row:
    """The one patient who is meant; raises ToolFailed, naming those who may be, unless it is one."""
    names = [row["name"] for row in patients]
    wanted = meant(said, names)
    found = [row for row in patients if row["name"] in wanted]
    if not found:
        maybe = "".join(f" There is {one_line(name)}." for name in near(said, names))
        message = f"No patient of the clinic has that name.{maybe}"
        raise ToolFailed(message)
    return _single(found, "There are", "such patient", [_name(row) for row in found])


def _single(rows: Sequence[Row], who: str, noun: str, told: Sequence[str]) -> Row:
    """The only row; raises ToolFailed, telling what there is to choose from, unless there is one."""
    if len(rows) != 1:
        which = f" Which one? {'; '.join(told)}." if told else ""
        message = f"{who} {count(len(told), noun)}.{which}"
        raise ToolFailed(message)
    return rows[0]


def _against(rows: Sequence[Row], moment: datetime, minutes: int, now: datetime) -> str:
    """Why nobody can be booked then, beside the day's appointments; "" when nothing is against it."""
    start, hours = moment.hour * 60 + moment.minute, HOURS[moment.weekday()]
    if moment <= now:
        return "That time is over."
    if moment > now + _AHEAD:
        return "That is more than a year away."
    if not any(opens <= start and start + minutes <= closes for opens, closes in hours):
        spans = " and ".join(f"{_clock(opens)} to {_clock(closes)}" for opens, closes in hours)
        return f"The clinic is open {spans} on a {moment:%A}, and this takes {minutes} minutes."
    if _is_taken(rows, start, minutes):
        free = [_clock(one) for one in _free(rows, moment.date(), minutes, now)]
        return f"That time is taken. Free that day: {', '.join(free) or 'nothing'}."
    return ""


def _is_taken(rows: Sequence[Row], start: int, minutes: int) -> bool:
    return any(
        row["start"] < start + minutes and start < row["start"] + row["minutes"] for row in rows
    )


def _free(rows: Sequence[Row], day: date, minutes: int, now: datetime) -> Iterator[int]:
    """The starts at which so many minutes are left between the day's appointments."""
    earliest = _since(now)
    for opens, closes in HOURS[day.weekday()]:
        for start in range(opens, closes - minutes + 1, _STEP):
            if (day.isoformat(), start) > earliest and not _is_taken(rows, start, minutes):
                yield start


def _name(row: Row) -> str:
    return one_line(row["name"])


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _at(row: Row, today: date) -> str:
    return f"{day_words(date.fromisoformat(row['day']), today)} at {_clock(row['start'])}"


def _line(row: Row) -> str:
    return f"{_clock(row['start'])} {_name(row)}, {one_line(row['treatment'])}"


def _bill(row: Row, today: date) -> str:
    old = count((today - date.fromisoformat(row["issued"])).days, "day")
    what = f"{one_line(row['treatment'])}, {rupees(row['rupees'])}"
    return f"{_name(row)}, {what}, invoice {row['id']}, {old} old"


def _shelf(row: Row) -> str:
    low = f", low: at least {row['least']} wanted" if row["number"] < row["least"] else ""
    return f"{one_line(row['item'])}: {count(row['number'], one_line(row['unit']))}{low}"


def _card(row: Row, coming: Sequence[Row], unpaid: Sequence[Row], today: date) -> str:
    visit = next((one for one in coming if one["patient_id"] == row["id"]), None)
    owed = sum(one["rupees"] for one in unpaid if one["patient_id"] == row["id"])
    next_visit = "none" if visit is None else _at(visit, today)
    return f"{_name(row)}, phone {one_line(row['phone'])}, next appointment: {next_visit}, unpaid: {rupees(owed)}"

"""The fictional data of the demo's clinic: made once, with appointments for the days to come at every start."""

from collections.abc import Iterator
from datetime import date, timedelta
import logging

from ira_home.household.demo_files.tools.clinic import MINUTES, PRICES, schema, sql
from ira_home.storage.database import SqlError, Transaction
from ira_home.storage.storage import Storage
from ira_home.storage.tables import TableStore

log = logging.getLogger(__name__)
DAYS = 14  # today and those after it have appointments
_FIRST_INVOICE = 101
PATIENTS = (
    "Aarav Sharma", "Ananya Iyer", "Arjun Patil", "Asha Deshpande", "Deepak Verma", "Farhan Khan",
    "Fatima Sheikh", "Gurpreet Singh", "Harpreet Kaur", "Imran Qureshi", "Ishita Banerjee",
    "Karthik Subramaniam", "Kavita Joshi", "Lakshmi Nair", "Manoj Yadav", "Meera Joshi", "Neha Gupta",
    "Pooja Reddy", "Rahul Mehta", "Ravi Kulkarni", "Ravi Menon", "Sana Sheikh", "Sunita Pawar",
    "Thomas Fernandes", "Vikram Rathore",
)  # fmt: skip
# Nobody of these is booked by the demo, so that what it proposes to ask always works.
_FREE_PATIENTS = ("Asha Deshpande",)
# Minutes from midnight, and for what; 11 to 12 o'clock stays free on every day.
_WEEK = (
    (9 * 60 + 30, "cleaning"), (10 * 60, "root canal"), (12 * 60, "check-up"), (12 * 60 + 30, "filling"),
    (16 * 60, "crown"), (17 * 60 + 30, "x-ray"), (18 * 60, "check-up"),
)  # fmt: skip
_SATURDAY = (*_WEEK[:4], (13 * 60 + 30, "x-ray"))
_SUNDAY = ((10 * 60, "check-up"), (10 * 60 + 30, "cleaning"), (12 * 60, "filling"))
# Patient, treatment, how many days ago, and whether it is paid.
_INVOICES = (
    ("Lakshmi Nair", "crown", 48, False), ("Thomas Fernandes", "root canal", 41, True),
    ("Manoj Yadav", "filling", 33, False), ("Neha Gupta", "cleaning", 30, True),
    ("Arjun Patil", "root canal", 26, False), ("Ishita Banerjee", "check-up", 21, True),
    ("Vikram Rathore", "crown", 16, True), ("Meera Joshi", "filling", 12, False),
    ("Farhan Khan", "cleaning", 9, True), ("Ravi Menon", "x-ray", 6, False),
    ("Pooja Reddy", "check-up", 4, True), ("Arjun Patil", "crown", 2, False),
)  # fmt: skip
# Item, unit (of one), how many there are, and how many there should be at least.
_STOCK = (
    ("Nitrile gloves", "pack", 3, 6), ("Face masks", "pack", 9, 4), ("Composite resin", "syringe", 2, 5),
    ("Anaesthetic cartridges", "piece", 64, 40), ("Sterilisation pouches", "pack", 7, 5),
    ("Dental mirrors", "piece", 18, 10), ("Cotton rolls", "pack", 1, 4), ("Dental floss", "roll", 15, 6),
    ("X-ray film", "pack", 4, 3), ("Impression powder", "bag", 2, 2), ("Suction tips", "pack", 3, 5),
    ("Paper cups", "pack", 12, 5),
)  # fmt: skip


async def fill(storage: Storage, today: date) -> None:
    """Make the clinic's data, and the appointments of every day to come that has had none yet.

    `today` is the house's. What people booked, cancelled or marked as paid stays as it is. Where a
    tool file of somebody's own keeps other tables under the clinic's name, they are left alone.
    """
    try:
        await _fill(storage, today)
    except SqlError as error:
        log.warning("the clinic's tables are not the demo's own and get no demo data: %s", error)


async def _fill(storage: Storage, today: date) -> None:
    tables = TableStore(storage.database, "clinic")
    await tables.migrate(*schema(tables))
    filled = TableStore(storage.database, "demo")
    days = filled.table("days")
    await filled.migrate(f"CREATE TABLE {days} (day TEXT PRIMARY KEY) STRICT")

    def work(tx: Transaction) -> None:
        if tx.one(sql(tables, "SELECT 1 FROM {patients}")) is None:
            _begin(tx, tables, today)
        for day in (today + timedelta(days=ahead) for ahead in range(DAYS)):
            new = f"INSERT OR IGNORE INTO {days} VALUES (?)"  # noqa: S608 - a checked name
            if tx.run(new, (day.isoformat(),)):
                _fill_day(tx, tables, day)

    await storage.write(work)


def _begin(tx: Transaction, tables: TableStore, today: date) -> None:
    for number, name in enumerate(PATIENTS, 1):
        # No Indian number begins with 0 behind the country's code: nobody can be rung by it.
        row = (number, name, f"+91 00000 {number:05}")
        tx.run(sql(tables, "INSERT INTO {patients} VALUES (?, ?, ?)"), row)
    for number, (name, treatment, ago, paid) in enumerate(_INVOICES, _FIRST_INVOICE):
        issued = today - timedelta(days=ago)
        paid_on = (issued + timedelta(days=2)).isoformat() if paid else None
        bill = (number, _id(name), treatment, PRICES[treatment], issued.isoformat(), paid_on)
        tx.run(sql(tables, "INSERT INTO {invoices} VALUES (?, ?, ?, ?, ?, ?)"), bill)
    for line in _STOCK:
        tx.run(sql(tables, "INSERT INTO {stock} VALUES (?, ?, ?, ?)"), line)


def _fill_day(tx: Transaction, tables: TableStore, day: date) -> None:
    """The day's fictional appointments, but none where somebody was booked before."""
    taken = sql(
        tables,
        "SELECT 1 FROM {appointments} WHERE NOT cancelled AND day = ?"
        " AND (patient_id = ? OR (start < ? AND ? < start + minutes))",
    )
    new = sql(
        tables,
        "INSERT INTO {appointments} (patient_id, day, start, minutes, treatment) VALUES (?, ?, ?, ?, ?)",
    )
    for patient, start, treatment in _visits(day):
        minutes = MINUTES[treatment]
        if tx.one(taken, (day.isoformat(), patient, start + minutes, start)) is None:
            tx.run(new, (patient, day.isoformat(), start, minutes, treatment))


def _visits(day: date) -> Iterator[tuple[int, int, str]]:
    """Who comes when for what: always the same on one day, and other patients on the next."""
    shape = {5: _SATURDAY, 6: _SUNDAY}.get(day.weekday(), _WEEK)
    patients = [_id(name) for name in PATIENTS if name not in _FREE_PATIENTS]
    first = day.toordinal() * len(_WEEK)
    for place, (start, treatment) in enumerate(shape):
        if shape is not _WEEK or (day.toordinal() + place) % len(_WEEK) > 1:
            yield patients[(first + place) % len(patients)], start, treatment


def _id(name: str) -> int:
    return PATIENTS.index(name) + 1

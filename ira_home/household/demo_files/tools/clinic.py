"""Tools of Sunrise Dental Clinic, a fictional business: what Ira can do besides the devices.

Copy this file, change it, and restart Ira: each function with @tool or @action becomes something
she can do for everybody of the house. `docs/tools.md` of the project tells more.
"""

from typing import Literal

from ira_home.tools.context import ToolContext
from ira_home.tools.declare import action, tool

Treatment = Literal["check-up", "cleaning", "filling", "root canal", "crown", "x-ray"]
PRICES = {
    "check-up": 300,
    "cleaning": 900,
    "filling": 1500,
    "root canal": 6500,
    "crown": 8000,
    "x-ray": 250,
}
VISITS = (
    ("09:30", "Meera Joshi", "cleaning"),
    ("10:15", "Ravi Kulkarni", "root canal"),
    ("11:30", "Sana Sheikh", "check-up"),
    ("16:30", "Arjun Patil", "crown"),
)


@tool(title="Clinic appointments", examples=("Who is coming today?", "aaj kaun aa raha hai"))
def clinic_appointments(context: ToolContext) -> dict[str, object]:
    """List the patients who have an appointment at the clinic today."""
    day = context.now()
    lines = [f"{time} {patient}, {treatment}" for time, patient, treatment in VISITS]
    return {
        "summary": f"{len(VISITS)} appointments on {day:%A}, the first at {VISITS[0][0]}.",
        "appointments": lines,
    }


@tool(title="Price of a treatment", examples=("How much is a root canal?", "filling ka price"))
def clinic_price(treatment: Treatment) -> str:
    """Tell the price of a dental treatment at the clinic."""
    return f"{treatment.capitalize()} costs {PRICES[treatment]} rupees."


@action(title="Close the clinic for a day")
def clinic_close_day(day: str) -> str:
    """Close the clinic on the given day, so that nobody can book it."""
    return f"The clinic is closed on {day}. (This is a demo: nothing real was changed.)"

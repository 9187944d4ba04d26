"""What time and what day it is, in the house's zone."""

from ira_home.tools.context import ToolContext
from ira_home.tools.declare import tool


@tool(
    title="Tell the time and the date",
    examples=(
        "What time is it?",
        "What day is it today?",
        "kitne baje hain",
        "aaj kaun sa din hai",
        "आज कौन सी तारीख है?",
        "आज कौन सा दिन है?",
    ),
)
def house_time(context: ToolContext) -> str:
    """Tell the time, the day of the week and the date of today, here in this house."""
    return f"{context.person_now():%H:%M, %A, %d %B %Y}"

"""Notes and a diary of a small business, and its way to the web, as such a house writes them for itself."""

import os
from urllib.parse import quote
from urllib.request import urlopen

from ira_home.domain.trust import TrustLabel
from ira_home.storage.tables import TableStore
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import action, tool

SEARCH = os.environ.get("GUARD_SEARCH_URL", "")


async def _opened(context: ToolContext, noun: str) -> tuple[TableStore, str]:
    store = context.table_store("office")
    await store.migrate(
        *(
            f"CREATE TABLE {store.table(one)} (subject TEXT, text TEXT, author TEXT)"
            for one in ("notes", "diary")
        )
    )
    return store, store.table(noun)


async def _write(context: ToolContext, noun: str, subject: str, text: str) -> str:
    store, table = await _opened(context, noun)
    row = (subject, text, context.person.name)
    await store.write(lambda tx: tx.run(f"INSERT INTO {table} VALUES (?, ?, ?)", row))  # noqa: S608
    return "Written down."


async def _read(context: ToolContext, noun: str, subject: str) -> list[str]:
    store, table = await _opened(context, noun)
    rows = await store.all(f"SELECT text FROM {table} WHERE subject = ?", (subject,))  # noqa: S608
    return [row["text"] for row in rows]


@action(tier=1, title="Write a note")
async def office_note_add(context: ToolContext, subject: str, text: str) -> str:
    """Write a note of the business."""
    return await _write(context, "notes", subject, text)


@tool(title="Show the notes")
async def office_note_show(context: ToolContext, subject: str) -> list[str]:
    """Show the notes of the business on a subject."""
    return await _read(context, "notes", subject)


@action(tier=1, title="Put an appointment into the diary")
async def office_diary_add(context: ToolContext, day: str, text: str) -> str:
    """Put an appointment into the diary of the business."""
    return await _write(context, "diary", day, text)


@tool(title="Show the diary")
async def office_diary_show(context: ToolContext, day: str) -> list[str]:
    """Show the appointments of a day in the diary of the business."""
    return await _read(context, "diary", day)


@tool(outward=True, output=TrustLabel.WEB, title="Fetch a web page")
def office_page_fetch(url: str) -> str:
    """Fetch the text of a web page."""
    with urlopen(url, timeout=5) as reply:  # noqa: S310 - the canary's address
        return str(reply.read(10_000).decode(errors="replace"))


@tool(outward=True, output=TrustLabel.WEB, title="Search the web")
def office_web_search(query: str) -> str:
    """Search the web."""
    with urlopen(f"{SEARCH}/search?q={quote(query)}", timeout=5) as reply:  # noqa: S310
        return str(reply.read(10_000).decode(errors="replace"))

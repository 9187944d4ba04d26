"""A notebook of a small business, as such a house writes one for itself."""

from ira_home.storage.tables import TableStore
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import action, tool


async def _opened(context: ToolContext) -> tuple[TableStore, str]:
    store = context.table_store("notebook")
    table = store.table("lines")
    await store.migrate(f"CREATE TABLE {table} (subject TEXT, text TEXT, author TEXT)")
    return store, table


@action(tier=1, title="Write into the notebook")
async def notebook_add(context: ToolContext, subject: str, text: str) -> str:
    """Write a line into the notebook of the business."""
    store, table = await _opened(context)
    row = (subject, text, context.person.name)
    await store.write(lambda tx: tx.run(f"INSERT INTO {table} VALUES (?, ?, ?)", row))  # noqa: S608
    return "Written down."


@tool(title="Show the notebook")
async def notebook_show(context: ToolContext, subject: str) -> list[str]:
    """Show what the notebook of the business has on a subject."""
    store, table = await _opened(context)
    rows = await store.all(f"SELECT text FROM {table} WHERE subject = ?", (subject,))  # noqa: S608
    return [row["text"] for row in rows]

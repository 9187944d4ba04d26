"""What a small business keeps for itself: each of these says back what it was given, as careless code does."""

from ira_home.base.errors import ToolFailed
from ira_home.storage.tables import TableStore
from ira_home.tools.context import ToolContext
from ira_home.tools.declare import action, tool


async def _opened(context: ToolContext) -> tuple[TableStore, str]:
    store = context.table_store("board")
    table = store.table("cards")
    await store.migrate(
        f"CREATE TABLE {table} (user_id INTEGER REFERENCES users (id) ON DELETE CASCADE, text TEXT)"
    )
    return store, table


@action(tier=1, title="Pin a card to the board")
async def board_pin(context: ToolContext, text: str) -> str:
    """Pin a card with a text to the board."""
    store, table = await _opened(context)
    row = (context.person.id, text)
    await store.write(lambda tx: tx.run(f"INSERT INTO {table} VALUES (?, ?)", row))  # noqa: S608
    return f"Pinned: {text}"


@tool(title="Show the board")
async def board_show(context: ToolContext) -> list[str]:
    """Show the cards on the board."""
    store, table = await _opened(context)
    own = (context.person.id,)
    return [row["text"] for row in await store.all(f"SELECT text FROM {table} WHERE user_id = ?", own)]  # noqa: S608  # fmt: skip


@action(tier=2, title="Print a poster")
def board_poster(text: str) -> str:
    """Print a poster with a text."""
    return f"Printed: {text}"


@action(tier=1, title="Frame a card")
def board_frame(text: str) -> str:
    """Frame a card with a text."""
    raise ToolFailed(f"there is no frame for {text}")  # noqa: EM102


@action(tier=1, title="Fold a card")
def board_fold(text: str) -> str:
    """Fold a card with a text."""
    raise ValueError(f"a card that cannot be folded: {text}")  # noqa: EM102

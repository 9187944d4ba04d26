"""Table model_usage: what the models' servers said that their answers took."""

from ira_home.domain.usage import ModelUsage
from ira_home.storage.database import Database, Transaction


class UsageStore:
    """One row a month and model."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    def add(self, tx: Transaction, used: ModelUsage) -> None:
        """Add to what is kept of that month and model."""
        tx.run(
            "INSERT INTO model_usage (month, model, steps, prompt_tokens, completion_tokens) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (month, model) DO UPDATE SET "
            "steps = steps + excluded.steps, "
            "prompt_tokens = prompt_tokens + excluded.prompt_tokens, "
            "completion_tokens = completion_tokens + excluded.completion_tokens",
            (used.month, used.model, used.steps, used.prompt_tokens, used.completion_tokens),
        )

    async def list(self, limit: int) -> list[ModelUsage]:
        """At most `limit` rows, the latest month first."""
        rows = await self._database.all(
            "SELECT month, model, steps, prompt_tokens, completion_tokens FROM model_usage "
            "ORDER BY month DESC, model LIMIT ?",
            (limit,),
        )
        return [ModelUsage(*row) for row in rows]

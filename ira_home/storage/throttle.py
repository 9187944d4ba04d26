"""Tables throttle and holds: tries that are counted, and who is held off until when."""

from datetime import datetime

from ira_home.base.clock import from_ms, to_ms
from ira_home.base.ids import PersonId
from ira_home.storage.database import Database, Row, Transaction

_HOLD = "SELECT until FROM holds WHERE bucket = ? AND subject = ?"


def _until_of(row: Row | None) -> datetime | None:
    return None if row is None else from_ms(row["until"])


class ThrottleStore:
    """Tries and holds by bucket (what is tried) and subject (who tries); subjects come hashed."""

    def __init__(self, database: Database) -> None:
        """Read and write in `database`."""
        self._database = database

    async def held_until(self, bucket: str, subject: str) -> datetime | None:
        """When the last hold ends or ended, or None without one."""
        return _until_of(await self._database.one(_HOLD, (bucket, subject)))

    def held_until_in(self, tx: Transaction, bucket: str, subject: str) -> datetime | None:
        """When the last hold ends or ended, as this transaction sees it."""
        return _until_of(tx.one(_HOLD, (bucket, subject)))

    def hold(
        self,
        tx: Transaction,
        bucket: str,
        *,
        subject: str,
        until: datetime,
        person_id: PersonId | None,
    ) -> None:
        """Hold the subject off; its tries are forgotten, so that the count begins anew after it."""
        tx.run(
            "INSERT OR REPLACE INTO holds (bucket, subject, user_id, until) VALUES (?, ?, ?, ?)",
            (bucket, subject, person_id, to_ms(until)),
        )
        tx.run("DELETE FROM throttle WHERE bucket = ? AND subject = ?", (bucket, subject))

    def align(self, tx: Transaction, *, now: datetime, longest: datetime) -> None:
        """Make good for a clock that was turned back: no try after `now`, no hold after `longest`."""
        tx.run("UPDATE throttle SET at = ? WHERE at > ?", (to_ms(now), to_ms(now)))
        tx.run("UPDATE holds SET until = ? WHERE until > ?", (to_ms(longest), to_ms(longest)))

    def add(
        self,
        tx: Transaction,
        bucket: str,
        *,
        subject: str,
        at: datetime,
        person_id: PersonId | None,
    ) -> int:
        """Count a try; its id."""
        return tx.insert(
            "INSERT INTO throttle (bucket, subject, user_id, at) VALUES (?, ?, ?, ?)",
            (bucket, subject, person_id, to_ms(at)),
        )

    def drop(self, tx: Transaction, try_id: int) -> bool:
        """Take one try back; False when it is gone already."""
        return tx.run("DELETE FROM throttle WHERE id = ?", (try_id,)) == 1

    def count(self, tx: Transaction, bucket: str, *, subject: str, since: datetime) -> int:
        """How many tries stand since a moment; older ones of the bucket are forgotten on the way."""
        tx.run("DELETE FROM throttle WHERE bucket = ? AND at <= ?", (bucket, to_ms(since)))
        row = tx.one(
            "SELECT count(*) AS tries FROM throttle WHERE bucket = ? AND subject = ?",
            (bucket, subject),
        )
        return 0 if row is None else int(row["tries"])

    def forget_holds(self, tx: Transaction, before: datetime) -> None:
        """Drop holds that ended before a moment."""
        tx.run("DELETE FROM holds WHERE until < ?", (to_ms(before),))

"""Pictures that devices returned (table `pictures`)."""

from datetime import datetime

from ira_home.base.clock import to_ms
from ira_home.base.ids import MessageId, PersonId, PictureId
from ira_home.domain.pictures import Picture, PictureHead
from ira_home.storage.database import Database, Transaction


class PictureStore:
    """At most one row for a result; every read names the person whose rows it may see."""

    def __init__(self, database: Database) -> None:
        """Use this database."""
        self._database = database

    def add(
        self,
        tx: Transaction,
        person_id: PersonId,
        message_id: MessageId,
        picture: Picture,
        at: datetime,
    ) -> PictureId:
        """Keep the picture that came with this result."""
        made = tx.insert(
            "INSERT INTO pictures (user_id, message_id, media_type, width, height, data, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (person_id, message_id, picture.media_type, picture.width, picture.height,
             picture.data, to_ms(at)),
        )  # fmt: skip
        return PictureId(made)

    async def get(self, person_id: PersonId, picture_id: PictureId) -> Picture | None:
        """The person's picture, whole."""
        row = await self._database.one(
            "SELECT media_type, width, height, data FROM pictures WHERE id = ? AND user_id = ?",
            (picture_id, person_id),
        )
        if row is None:
            return None
        return Picture(row["media_type"], row["width"], row["height"], row["data"])

    async def between(
        self, person_id: PersonId, first: MessageId, last: MessageId
    ) -> list[PictureHead]:
        """The person's pictures that came with results from one to another, both included."""
        rows = await self._database.all(
            "SELECT id, message_id, media_type, width, height FROM pictures"
            " WHERE message_id BETWEEN ? AND ? AND user_id = ?",
            (first, last, person_id),
        )
        return [
            PictureHead(
                id=PictureId(row["id"]),
                message_id=MessageId(row["message_id"]),
                media_type=row["media_type"],
                width=row["width"],
                height=row["height"],
            )
            for row in rows
        ]

"""Database.scrub: what was deleted cannot be read in any file."""

import asyncio
from pathlib import Path

from ira_home.storage.database import Transaction
from tests.support.database import open_database
from tests.support.requirements import requirement

WORDS = ("marmalade", "zeppelin", "कबूतरखाना")


def move_in(tx: Transaction) -> None:
    """Two people; what the first one writes is full of telling words."""
    for person in (1, 2):
        tx.run(
            "INSERT INTO users (id, email, name, role, password_hash, created_at)"
            " VALUES (?, ?, 'n', 'staff', 'h', 1)",
            (person, f"p{person}@example.org"),
        )
        tx.run(
            "INSERT INTO conversations (id, user_id, title, created_at, updated_at)"
            " VALUES (?, ?, ?, 1, 1)",
            (person, person, f"about {WORDS[0]}" if person == 1 else "plain"),
        )


def write_messages(tx: Transaction) -> None:
    for number in range(600):
        person = number % 2 + 1
        telling = " ".join(WORDS) if person == 1 else "ordinary"
        tx.run(
            "INSERT INTO messages (conversation_id, user_id, turn_id, kind, text, label, created_at)"
            " VALUES (?, ?, 't', 'person', ?, 'own', 1)",
            (person, person, f"{number} {telling} " + "filler " * (number * 7919 % 900)),
        )


def churn(tx: Transaction) -> None:
    """Rows of an indexed text that come, grow and go, so that copies of them move between pages."""
    for number in range(400):
        person, dice = number * number * 7 // 3 % 2 + 1, number * 7919 % 1009
        word = WORDS[1] if person == 1 else "ordinary"
        tx.run(
            "INSERT INTO throttle (bucket, subject, user_id, at) VALUES ('b', ?, ?, 1)",
            (f"{word} {dice} " * (dice % 90 + 1), person),
        )
        if dice % 3 == 0:
            tx.run(
                "UPDATE throttle SET subject = subject || subject WHERE id = ?",
                (dice % (number + 1),),
            )
        if dice % 5 == 0:
            tx.run("DELETE FROM throttle WHERE user_id = 2 AND id = ?", (dice * 31 % (number + 1),))


def traces(folder: Path) -> list[tuple[str, str]]:
    return [
        (file.name, word)
        for file in folder.iterdir()
        for word in WORDS
        if word.encode() in file.read_bytes()
    ]


@requirement("privacy.delete")
async def test_nothing_deleted_is_left_in_any_file(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        for work in (move_in, churn, write_messages):
            await database.write(work)
        assert traces(tmp_path)
        await database.write(lambda tx: tx.run("DELETE FROM messages WHERE user_id = 1"))
        await database.write(lambda tx: tx.run("DELETE FROM throttle WHERE user_id = 1"))
        await database.write(lambda tx: tx.run("DELETE FROM conversations WHERE user_id = 1"))
        await database.scrub()
        assert traces(tmp_path) == []
        hits = "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH ?"
        gone, left = await database.one(hits, (WORDS[0],)), await database.one(hits, ("ordinary",))
        assert gone is not None
        assert left is not None
        assert (gone[0], left[0]) == (0, 300)
        assert (tmp_path / "ira.sqlite-wal").stat().st_size == 0


async def test_scrubbing_waits_for_readers_and_others_go_on_after_it(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        await database.write(move_in)
        await database.write(write_messages)
        async with database.snapshot() as moment:
            scrubs = asyncio.gather(database.scrub(), database.scrub())
            row = await moment.one("SELECT count(*) FROM messages")
            assert row is not None
            assert row[0] == 600
            assert not scrubs.done()
        await scrubs
        await database.write(lambda tx: tx.run("DELETE FROM messages"))
        assert await database.all("SELECT * FROM messages") == []

"""Delete my data: no row and no text of it is left, whatever was running meanwhile."""

import asyncio
from pathlib import Path

import pytest

from ira_home.base.errors import Forbidden, PasswordWrong, Unauthenticated, Unavailable
from ira_home.base.ids import PersonId
from ira_home.domain.facts import DataDeleted, DeviceRevoked
from ira_home.domain.people import Credential, Principal
from ira_home.domain.settings import PersonSettings
from ira_home.domain.trust import TrustLabel
from ira_home.household.backups import Backups
from ira_home.household.deletion import Deletion
from tests.support.people import DATA_FOLDER, PASSWORD, PIN, People
from tests.support.things import bytes_in, live, pair

# tool_authors holds no word: only that what a tool keeps is somebody else's.
KEPT = {"sessions", "api_tokens", "throttle", "holds", "users", "tool_authors"}
LOG = "INSERT INTO tool_log (user_id, channel, tool, tier, confirmed, outcome, created_at) VALUES (?, 'web', 'late', 0, 'none', 'done', 0)"


@pytest.fixture
def deletion(people: People, tmp_path: Path) -> Deletion:
    return Deletion(
        people.storage,
        people.accounts,
        clock=people.clock,
        bus=people.bus,
        changes=people.changes,
        backups=Backups(tmp_path / DATA_FOLDER / "backups"),
    )


async def rows_of(people: People, person_id: PersonId) -> dict[str, int]:
    """Rows with the person's id, by table."""
    tables = await people.storage.database.all(
        "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' AND c.name = 'user_id'"
    )
    found: dict[str, int] = {}
    for table in tables:
        sql = f'SELECT count(*) AS n FROM "{table["name"]}" WHERE user_id = ?'  # noqa: S608 - of the schema
        row = await people.storage.database.one(sql, (person_id,))
        assert row is not None
        found[table["name"]] = row["n"]
    return found


async def test_nothing_but_the_account_and_its_sign_in_is_left(
    people: People, deletion: Deletion, tmp_path: Path
) -> None:
    owner = await people.owner()
    await live(people.storage, owner.person, "zebracanary", people.clock.now())
    await people.settings.change(owner, assistant_name="Zebracanary", web_search=True, pin=PIN)
    await people.idempotency.begin(owner, "/v1/ask", "k", b"")
    await deletion.delete_data(owner, PASSWORD)
    left = await rows_of(people, owner.person.id)
    assert {table for table, rows in left.items() if rows} == {"sessions"}
    definitions = await people.storage.database.one("SELECT count(*) AS n FROM tool_definitions")
    assert definitions is not None
    assert definitions["n"] == 0
    assert await people.settings.get(owner.person.id) == PersonSettings()
    content = bytes_in(tmp_path)
    for word in (b"zebracanary", b"Zebracanary", "zebracanary".encode("utf-16-le")):
        assert word not in content
    await people.sign_in("owner@example.com")
    await people.accounts.check_pin(owner.person.id, PIN)


async def test_every_table_with_a_persons_rows_is_deleted_or_named_as_kept(
    people: People, deletion: Deletion
) -> None:
    owner = await people.owner()
    await live(people.storage, owner.person, "canary", people.clock.now())
    await people.settings.change(owner, assistant_name="Asha")
    await people.idempotency.begin(owner, "/v1/ask", "k", b"")
    await people.storage.write(
        lambda tx: tx.run(
            "CREATE TABLE own_notes_notes (user_id INTEGER REFERENCES users (id), text TEXT)"
        )
    )
    await people.storage.write(
        lambda tx: tx.run("INSERT INTO own_notes_notes VALUES (?, 'x')", (owner.person.id,))
    )
    before = await rows_of(people, owner.person.id)
    assert {table for table, rows in before.items() if not rows} <= KEPT
    await deletion.delete_data(owner, PASSWORD)
    after = await rows_of(people, owner.person.id)
    assert {table for table, rows in after.items() if rows} <= KEPT


async def test_a_removed_account_leaves_no_word_of_its_person(
    people: People, tmp_path: Path
) -> None:
    owner, staff = await people.owner(), await people.added("staff@x.org")
    await live(people.storage, staff.person, "zebracanary", people.clock.now())
    await people.settings.change(staff, assistant_name="Zebracanary")
    assert b"zebracanary" in bytes_in(tmp_path)
    await people.accounts.remove(owner, staff.person.id)
    left = await rows_of(people, staff.person.id)
    assert {table for table, rows in left.items() if rows} == {"tool_authors"}
    assert b"zebracanary" not in bytes_in(tmp_path).lower()


async def test_words_in_tools_for_everybody_stay_somebodys_but_no_longer_whose(
    people: People, deletion: Deletion
) -> None:
    owner, staff = await people.owner(), await people.add("staff@x.org")
    await live(people.storage, owner.person, "canary", people.clock.now())
    knows = people.storage.tool_authors.label_of
    assert await knows("board", owner.person.id) is None
    await deletion.delete_data(owner, PASSWORD)
    for person_id in (staff.id, owner.person.id):
        assert await knows("board", person_id) is TrustLabel.DEVICE


async def test_the_devices_tokens_die_and_it_is_told_before_and_after(
    people: People, deletion: Deletion
) -> None:
    owner = await people.owner()
    token, device = await pair(people.storage, owner.person, "Mac", people.clock.now())
    await deletion.delete_data(owner, PASSWORD)
    with pytest.raises(Unauthenticated):
        await people.credentials.bearer(token)
    deleted = DataDeleted(owner.person.id)
    assert people.facts == [deleted, DeviceRevoked(owner.person.id, device.id), deleted]


async def test_the_receipt_counts_what_went(people: People, deletion: Deletion) -> None:
    owner = await people.owner()
    await live(people.storage, owner.person, "canary", people.clock.now())
    receipt = await deletion.delete_data(owner, PASSWORD)
    assert receipt["at"] == "2026-12-01T09:30:00.000Z"
    assert receipt["backups"] == []
    assert receipt["deleted"] == {
        "pictures": 1, "messages": 4, "actions": 1, "turns": 1, "conversations": 1, "events": 1, "pairings": 1,
        "devices": 1, "tool_log": 1, "settings": 0, "requests": 0, "kept_by_tools": 0,
    }  # fmt: skip


async def test_a_backup_that_still_holds_a_copy_is_named_in_the_receipt(
    people: People, deletion: Deletion, tmp_path: Path
) -> None:
    owner = await people.owner()
    folder = tmp_path / DATA_FOLDER / "backups"
    folder.mkdir(exist_ok=True)
    (folder / "before-2.sqlite").write_bytes(b"")
    receipt = await deletion.delete_data(owner, PASSWORD)
    assert [backup["name"] for backup in receipt["backups"]] == ["before-2.sqlite"]


async def test_without_the_right_password_nothing_happens(
    people: People, deletion: Deletion
) -> None:
    owner = await people.owner()
    await live(people.storage, owner.person, "canary", people.clock.now())
    before = await rows_of(people, owner.person.id)
    for wrong in ("", "wrong-password-1", PASSWORD + " "):
        with pytest.raises(PasswordWrong):
            await deletion.delete_data(owner, wrong)
    after = await rows_of(people, owner.person.id)
    assert {**after, "throttle": 0} == {**before, "throttle": 0}
    assert people.facts == []


async def test_only_a_session_deletes(people: People, deletion: Deletion) -> None:
    owner = await people.owner()
    weak = Principal(owner.person, Credential.DEVICE_TOKEN, 1, owner.permissions)
    with pytest.raises(Forbidden):
        await deletion.delete_data(weak, PASSWORD)


async def test_everyone_elses_data_stays(people: People, deletion: Deletion) -> None:
    owner, staff = await people.owner(), await people.added("staff@x.org")
    await live(people.storage, owner.person, "mine", people.clock.now())
    await live(people.storage, staff.person, "theirs", people.clock.now())
    before = await rows_of(people, staff.person.id)
    await deletion.delete_data(owner, PASSWORD)
    assert await rows_of(people, staff.person.id) == before
    found = await people.storage.database.all(
        "SELECT text FROM messages_fts WHERE messages_fts MATCH 'theirs'"
    )
    assert len(found) == 2  # what they said, and what Ira answered


async def test_late_rows_of_a_running_turn_are_caught_before_the_receipt(
    people: People, deletion: Deletion
) -> None:
    owner = await people.owner()
    await live(people.storage, owner.person, "canary", people.clock.now())
    late: list[asyncio.Task[int]] = []

    def told(_fact: DataDeleted) -> None:
        work = people.storage.write(lambda tx: tx.insert(LOG, (owner.person.id,)))
        if len(late) < 2:
            late.append(asyncio.ensure_future(work))
        else:
            work.close()

    people.bus.subscribe(DataDeleted, told)
    receipt = await deletion.delete_data(owner, PASSWORD)
    await asyncio.gather(*late)
    assert receipt["deleted"]["tool_log"] == 3
    assert (await rows_of(people, owner.person.id))["tool_log"] == 0


async def test_what_keeps_on_writing_gets_no_receipt(people: People, deletion: Deletion) -> None:
    owner = await people.owner()
    writing: list[asyncio.Task[int]] = []

    def told(_fact: DataDeleted) -> None:
        work = people.storage.write(lambda tx: tx.insert(LOG, (owner.person.id,)))
        writing.append(asyncio.ensure_future(work))

    people.bus.subscribe(DataDeleted, told)
    with pytest.raises(Unavailable):
        await deletion.delete_data(owner, PASSWORD)
    await asyncio.gather(*writing)


async def test_deleting_twice_at_once_is_harmless(people: People, deletion: Deletion) -> None:
    owner = await people.owner()
    await live(people.storage, owner.person, "canary", people.clock.now())
    receipts = await asyncio.gather(
        deletion.delete_data(owner, PASSWORD), deletion.delete_data(owner, PASSWORD)
    )
    assert sum(one["deleted"]["messages"] for one in receipts) == 4


async def test_an_account_removed_meanwhile_ends_it(people: People, deletion: Deletion) -> None:
    await people.owner()
    staff = await people.added("staff@x.org")
    await people.accounts.remove(None, staff.person.id)
    with pytest.raises(Unauthenticated):
        await deletion.delete_data(staff, PASSWORD)

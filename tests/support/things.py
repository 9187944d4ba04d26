"""Rows of a person's own things, put straight into the stores."""

from datetime import datetime, timedelta
from pathlib import Path

from ira_home.base.clock import to_ms
from ira_home.base.ids import DeviceId, PairingId, PersonId
from ira_home.base.tokens import DEVICE, mint_token, token_hash
from ira_home.domain.devices import Device, DeviceKind, Pairing
from ira_home.domain.people import Person
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage


async def pair(storage: Storage, person: Person, label: str, at: datetime) -> tuple[str, Device]:
    """A device of the person and its token."""
    token = mint_token(DEVICE)
    pairing = Pairing(
        id=PairingId(1),
        person_id=person.id,
        kind=DeviceKind.LINUX,
        label=label,
        skills=("files",),
        expires_at=at + timedelta(minutes=10),
        uses_left=1,
    )
    device = await storage.write(
        lambda tx: storage.devices.add(
            tx, pairing, token_hash=token_hash(token), address="192.168.1.34", at=at
        )
    )
    return token, device


def bytes_in(folder: Path) -> bytes:
    """Whatever stands in any file of the folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def live(storage: Storage, person: Person, word: str, at: datetime) -> Device:
    """A life in rows: a device, a conversation with its entries, an event, logs and what waits."""
    _, device = await pair(storage, person, f"Label {word}", at)
    await storage.write(lambda tx: _rows(tx, person.id, device.id, word=word, at=to_ms(at)))
    await storage.write(lambda tx: storage.tool_authors.add(tx, "board", person.id, at))
    return device


def _rows(tx: Transaction, person_id: PersonId, device_id: DeviceId, *, word: str, at: int) -> None:
    conversation = tx.insert(
        "INSERT INTO conversations (user_id, title, created_at, updated_at) VALUES (?, ?, ?, ?)",
        (person_id, f"Title {word}", at, at),
    )
    message = 0
    for kind, private in (("person", 0), ("call", 1), ("result", 1), ("ira", 1)):
        message = tx.insert(
            "INSERT INTO messages (conversation_id, user_id, turn_id, kind, text, label, private, "
            "tool, device_id, created_at) VALUES (?, ?, 't', ?, ?, 'device', ?, 'files_read', ?, ?)",
            (conversation, person_id, kind, f"{kind} {word}", private, device_id, at),
        )
    tx.insert(
        "INSERT INTO pictures (user_id, message_id, media_type, width, height, data, created_at)"
        " VALUES (?, ?, 'image/png', 1, 1, ?, ?)",
        (person_id, message, f"Pixels {word}".encode(), at),
    )
    tx.run(
        "INSERT INTO turns (id, conversation_id, user_id, channel, state, created_at) "
        "VALUES (?, ?, ?, 'web', 'waiting', ?)",
        (f"turn {word}", conversation, person_id, at),
    )
    tx.run(
        "INSERT INTO message_drafts (turn_id, user_id, text, label, source, private)"
        " VALUES (?, ?, ?, 'device', 'D', 1)",
        (f"turn {word}", person_id, f"Half {word}"),
    )
    tx.insert(
        "INSERT INTO pending_actions (user_id, conversation_id, turn_id, call_id, tool, device_id, "
        "device, skills, tier, payload, digest, text, from_untrusted, created_at, expires_at, state) "
        "VALUES (?, ?, 't', 'c', 'files_move', ?, 'D', '[]', 2, ?, 'x', ?, '[]', ?, ?, 'waiting')",
        (person_id, conversation, device_id, word.encode(), f"Move {word}", at, at),
    )
    tx.insert(
        "INSERT INTO device_events (user_id, device_id, device, event, title, text, created_at) "
        "VALUES (?, ?, 'D', 'task_done', ?, 'Text', ?)",
        (person_id, device_id, f"Event {word}", at),
    )
    tx.insert(
        "INSERT INTO tool_log (user_id, channel, tool, device_id, tier, confirmed, outcome, "
        "created_at) VALUES (?, 'web', 'files_read', ?, 0, 'none', 'done', ?)",
        (person_id, device_id, at),
    )
    tx.insert(
        "INSERT INTO device_pairings (user_id, code_hash, kind, label, skills, uses_left, "
        "created_at, expires_at) VALUES (?, ?, 'mac', ?, '[]', 1, ?, ?)",
        (person_id, word.encode(), f"Pairing {word}", at, at),
    )
    tx.run(
        "INSERT INTO tool_definitions (device_id, name, definition, agreed_at) VALUES (?, 'a', ?, ?)",
        (device_id, f'"{word}"', at),
    )

"""Everything that is kept: the opened data folder with one store per noun."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime
import hmac
import logging
import os
from pathlib import Path
import secrets
from typing import TypeVar

from ira_home.base.clock import Clock, from_ms, rfc3339, to_ms
from ira_home.base.errors import Unavailable
from ira_home.base.files import sync_folder
from ira_home.base.folder_errors import BrokenDatabase, DataFolderError
from ira_home.storage import folder as places
from ira_home.storage.api_tokens import ApiTokenStore
from ira_home.storage.changes import ChangeStore
from ira_home.storage.conversations import ConversationStore
from ira_home.storage.database import Database, Transaction
from ira_home.storage.definitions import DefinitionStore
from ira_home.storage.devices import DeviceStore
from ira_home.storage.drafts import DraftStore
from ira_home.storage.events import EventStore
from ira_home.storage.extent import Extent
from ira_home.storage.idempotency import IdempotencyStore
from ira_home.storage.invitations import InvitationStore
from ira_home.storage.lock import DataLock
from ira_home.storage.migrate import bring_up, create, shipped
from ira_home.storage.mine import MineStore
from ira_home.storage.pairings import PairingStore
from ira_home.storage.people import PeopleStore
from ira_home.storage.pictures import PictureStore
from ira_home.storage.proposals import ProposalStore
from ira_home.storage.sessions import SessionStore
from ira_home.storage.settings import SettingsStore
from ira_home.storage.throttle import ThrottleStore
from ira_home.storage.tool_authors import ToolAuthorStore
from ira_home.storage.tool_log import ToolLogStore
from ira_home.storage.turns import TurnStore
from ira_home.storage.usage import UsageStore
from ira_home.storage.vault import SecretFile, Vault

log = logging.getLogger(__name__)
T = TypeVar("T")

UMASK = 0o077
_INSTALL_ID = "install_id"
_SECRET_CHECK = "secret_check"  # noqa: S105 - the name of a row


class Storage:
    """The stores of one data folder. A store's methods that take a Transaction write, the others read."""

    def __init__(self, database: Database, secret: SecretFile, folder: Path, clock: Clock) -> None:
        """Use `open`."""
        self._clock = clock
        self._written_ms: int | None = None
        self.extent = Extent(database, folder)
        self.database = database
        self.secret = secret
        self.vault = Vault(secret, database)
        self.install_id = ""
        self.failures = 0  # writes that a full or failing disk kept from being done
        self._closing = AsyncExitStack()
        self.people = PeopleStore(database)
        self.sessions = SessionStore(database)
        self.api_tokens = ApiTokenStore(database)
        self.invitations = InvitationStore(database)
        self.throttle = ThrottleStore(database)
        self.settings = SettingsStore(database)
        self.changes = ChangeStore(database)
        self.idempotency = IdempotencyStore(database)
        self.mine = MineStore(database)
        self.devices = DeviceStore(database)
        self.pairings = PairingStore(database)
        self.events = EventStore(database)
        self.definitions = DefinitionStore(database)
        self.conversations = ConversationStore(database)
        self.pictures = PictureStore(database)
        self.turns = TurnStore(database)
        self.drafts = DraftStore()
        self.proposals = ProposalStore(database)
        self.tool_log = ToolLogStore(database)
        self.usage = UsageStore(database)
        self.tool_authors = ToolAuthorStore(database)

    @classmethod
    async def open(cls, folder: Path, clock: Clock, *, make: bool = True) -> "Storage":
        """Lock the folder, bring its database up to date and open it, or make a new house in it.

        From here to `close` the process makes files for its own user only (umask 077). Raises
        NoHouse where none may be made, AlreadyRunning, NewerDatabase, BrokenDatabase, StorageFull,
        or DataFolderError with what to do; what was in the folder is then as it was.
        """
        async with AsyncExitStack() as stack:
            stack.callback(os.umask, os.umask(UMASK))
            await asyncio.to_thread(places.prepare, folder, make=make)
            stack.callback(_take_lock(folder).release)
            secret = await asyncio.to_thread(_open_files, folder)
            database = await Database.open(folder / places.DATABASE)
            stack.push_async_callback(database.close)
            storage = cls(database, secret, folder, clock)
            await storage._identify(clock)
            storage._closing = stack.pop_all()
        return storage

    async def write(self, work: Callable[[Transaction], T], *, durable: bool = True) -> T:
        """One transaction over any of the stores; the contract is `Database.write`."""
        try:
            done = await self.database.write(work, durable=durable)
        except (Unavailable, BrokenDatabase):
            self.failures += 1
            raise
        self._written_ms = to_ms(self._clock.now())
        return done

    @property
    def written_at(self) -> datetime | None:
        """The last write since the start."""
        return None if self._written_ms is None else from_ms(self._written_ms)

    async def close(self) -> None:
        """Finish the writes, close the database and let the next one in."""
        await self._closing.aclose()

    async def _identify(self, clock: Clock) -> None:
        """Give a new house its identity; refuse a secret file that belongs to another one."""
        mark = self.secret.derive("check").hex()
        kept = await self.settings.house(_SECRET_CHECK)
        if kept is not None and not hmac.compare_digest(kept, mark):
            message = (
                f"The secret file {places.SECRET} belongs to another database than the one beside it. "
                "Put back the one that was backed up with it."
            )
            raise DataFolderError(message)
        self.install_id = await self.settings.house(_INSTALL_ID) or secrets.token_hex(3)
        if kept is None:
            await self.write(lambda tx: self._christen(tx, mark, rfc3339(clock.now())))

    def _christen(self, tx: Transaction, mark: str, now: str) -> None:
        self.settings.set_house(tx, _INSTALL_ID, self.install_id)
        self.settings.set_house(tx, _SECRET_CHECK, mark)
        self.settings.set_house(tx, "made_at", now)


def _take_lock(folder: Path) -> DataLock:
    try:
        return DataLock.take(folder / places.LOCK)
    except OSError as error:
        raise places.refusal(folder, error) from error


def _open_files(folder: Path) -> SecretFile:
    try:
        return _open_house(folder) if _has_house(folder) else _make_house(folder)
    except OSError as error:
        raise places.refusal(folder, error) from error


def _has_house(folder: Path) -> bool:
    """Whether there is a database; raises BrokenDatabase where there was one."""
    if os.path.lexists(folder / places.DATABASE):
        return True
    traces = [folder / places.SECRET, folder / f"{places.DATABASE}-wal"]
    if any(os.path.lexists(trace) for trace in traces):
        message = (
            f"{places.DATABASE} is missing in {folder}, where a house was before. Put it back from a "
            "backup, or choose an empty folder for a new house."
        )
        raise BrokenDatabase(message)
    return False


def _open_house(folder: Path) -> SecretFile:
    path, unfinished = folder / places.SECRET, _unfinished(folder)
    if unfinished.exists() and not path.exists():
        # The first start was interrupted between its last two steps.
        unfinished.replace(path)
        sync_folder(folder)
    secret = SecretFile.open(path)
    done = bring_up(folder / places.DATABASE, shipped(), backups=folder / places.BACKUPS)
    if done:
        log.info("the database was brought up to date by %d steps, after a backup", done)
    return secret


def _make_house(folder: Path) -> SecretFile:
    """The secret gets its name last, so that an interrupted start is told from a lost secret file."""
    secret = SecretFile.make(_unfinished(folder))
    create(folder / places.DATABASE, shipped())
    _unfinished(folder).replace(folder / places.SECRET)
    sync_folder(folder)
    return secret


def _unfinished(folder: Path) -> Path:
    return folder / f"{places.SECRET}.new"

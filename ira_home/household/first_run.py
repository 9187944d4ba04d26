"""First run: the owner is made on this machine, or with the code printed on its console, and asked six things."""

from collections import deque
import hmac
from typing import Final

from ira_home.access.accounts import Accounts
from ira_home.access.permissions import require
from ira_home.access.throttle import Limit, Throttle, source
from ira_home.base.errors import Forbidden, SetUpAlready
from ira_home.base.limits import SETUP_PASSES, WRONG_CODES_S, WRONG_SETUP_CODES
from ira_home.base.tokens import SETUP, mint_code, mint_token, read_code, shown_code, token_hash
from ira_home.domain.first_run import Progress, Step
from ira_home.domain.people import Permission, Person, Principal
from ira_home.household.house import time_zone as known_time_zone
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

CODES: Final = Limit("setup", WRONG_SETUP_CODES, WRONG_CODES_S, WRONG_CODES_S)
# In the table of the house; a house that was made without the pages has none, and is asked nothing.
_KEPT = "first_run"


class FirstRun:
    """Makes the first owner, once, and knows how far the first run is.

    The code and the passes that were given for it live in memory only and die with the process.
    """

    def __init__(self, storage: Storage, accounts: Accounts, throttle: Throttle) -> None:
        """Mint the code of this start."""
        self._storage = storage
        self._accounts = accounts
        self._throttle = throttle
        self._code = mint_code()
        self._passes: deque[bytes] = deque(maxlen=SETUP_PASSES)

    @property
    def setup_code(self) -> str:
        """The code as it is printed on the console: ABCD-EFGH."""
        return shown_code(self._code)

    async def let_in(self, setup_code: str | None, address: str) -> str:
        """A pass for whoever knows the code; raises Forbidden for a missing or wrong one, TooMany."""
        await self._check(setup_code, address)
        made = mint_token(SETUP)
        self._passes.append(token_hash(made))
        return made

    def is_let_in(self, given: str | None) -> bool:
        """Whether it is one of the passes of this start."""
        hashed = token_hash(given or "")
        return any([hmac.compare_digest(hashed, one) for one in self._passes])  # noqa: C419 - looks at all

    async def progress(self) -> Progress | None:
        """How far a first run is that has begun on the pages; None before, and where none was."""
        kept = await self._storage.settings.house(_KEPT)
        return None if kept is None else Progress.read(kept)

    async def step(self, person: Person | None) -> Step | None:
        """Where it goes on for this person, or for whoever has no account yet; None when it is over."""
        has_owner = await self._accounts.is_set_up()
        progress = await self.progress()
        if progress is None:
            return None if has_owner else Step.LANGUAGE
        has_pin = person is not None and person.has_pin
        return progress.next(has_owner=has_owner, has_pin=has_pin)

    async def choose_language(self, language: str) -> None:
        """Begin the first run with its language; raises SetUpAlready once there is an owner."""

        def work(tx: Transaction) -> None:
            if not self._storage.people.is_empty_in(tx):
                raise SetUpAlready
            kept = Progress.read(self._storage.settings.house_in(tx, _KEPT) or "")
            begun = Progress(kept.answered | {Step.LANGUAGE}, language)
            self._storage.settings.set_house(tx, _KEPT, str(begun))

        await self._storage.write(work)

    async def answer(self, actor: Principal, step: Step) -> None:
        """The step was answered, or left for later; nothing where no first run is under way.

        Raises Forbidden without the console permission.
        """
        require(actor, Permission.CONSOLE)

        def work(tx: Transaction) -> None:
            kept = self._storage.settings.house_in(tx, _KEPT)
            if kept is not None:
                after = Progress.read(kept).with_answer(step)
                self._storage.settings.set_house(tx, _KEPT, str(after))

        await self._storage.write(work)

    async def set_up(  # noqa: PLR0913 - one field of the form each
        self,
        *,
        setup_code: str | None,
        from_loopback: bool,
        email: str,
        name: str,
        password: str,
        pin: str | None,
        time_zone: str | None = None,
        address: str = "",
        language: str = "",
    ) -> Person:
        """Make the owner and keep the house's time zone.

        Without the code only from this machine itself, or for who was let in. With a language the
        first run goes on with its next question. Raises SetUpAlready, Forbidden for a missing
        or wrong code, TooMany after five wrong ones from one address, Invalid.
        """
        if await self._accounts.is_set_up():
            raise SetUpAlready
        if not from_loopback:
            await self._check(setup_code, address)
        keep = {}
        if time_zone:
            keep["time_zone"] = known_time_zone(time_zone)
        if language:
            keep[_KEPT] = str(Progress(frozenset({Step.LANGUAGE, Step.OWNER}), language))
        return await self._accounts.create_owner(
            email=email, name=name, password=password, pin=pin, keep=keep
        )

    async def _check(self, setup_code: str | None, address: str) -> None:
        if not setup_code:
            message = "Enter the set-up code that the server printed on its own console."
            raise Forbidden(message)

        async def right() -> bool:
            typed = read_code(setup_code) or ""
            return hmac.compare_digest(typed, self._code)

        if not await self._throttle.guess([(CODES, source(address))], right):
            message = "That is not the set-up code that the server printed on its own console."
            raise Forbidden(message)

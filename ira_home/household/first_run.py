"""First run: the owner is made on this machine, or with the code printed on its console."""

import hmac
from typing import Final

from ira_home.access.accounts import Accounts
from ira_home.access.throttle import Limit, Throttle, source
from ira_home.base.errors import Forbidden, SetUpAlready
from ira_home.base.limits import WRONG_CODES_S, WRONG_SETUP_CODES
from ira_home.base.tokens import mint_code, read_code, shown_code
from ira_home.domain.people import Person
from ira_home.household.house import time_zone as known_time_zone

CODES: Final = Limit("setup", WRONG_SETUP_CODES, WRONG_CODES_S, WRONG_CODES_S)


class FirstRun:
    """Makes the first owner, once. The code lives in memory only and dies with the process."""

    def __init__(self, accounts: Accounts, throttle: Throttle) -> None:
        """Mint the code of this start."""
        self._accounts = accounts
        self._throttle = throttle
        self._code = mint_code()

    @property
    def setup_code(self) -> str:
        """The code as it is printed on the console: ABCD-EFGH."""
        return shown_code(self._code)

    async def set_up(  # noqa: PLR0913 - one field of the form each
        self,
        *,
        setup_code: str | None,
        from_loopback: bool,
        email: str,
        name: str,
        password: str,
        pin: str,
        time_zone: str | None = None,
        address: str = "",
    ) -> Person:
        """Make the owner and keep the house's time zone.

        Without the code only from this machine itself. Raises SetUpAlready, Forbidden for a missing
        or wrong code, TooMany after five wrong ones from one address, Invalid.
        """
        if await self._accounts.is_set_up():
            raise SetUpAlready
        if not from_loopback:
            await self._check(setup_code, address)
        zone = known_time_zone(time_zone) if time_zone else None
        return await self._accounts.create_owner(
            email=email, name=name, password=password, pin=pin, time_zone=zone
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

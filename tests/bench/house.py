"""The real server, as `ira serve` builds it, with a driver of calls and of log rows inside its process."""

import asyncio
import gc
import os
from pathlib import Path
import signal
import sys
from typing import Any

from ira_home.access.hashing import Hasher
from ira_home.app import server as app
from ira_home.base import log
from ira_home.base.ids import DeviceId, PersonId
from ira_home.base.tokens import mint_token, token_hash
from ira_home.cli.serve import run
from ira_home.config.load import load
from ira_home.domain.devices import DeviceKind
from ira_home.domain.people import Person, Role
from ira_home.storage.database import Transaction
from ira_home.storage.pairings import PairingTerms
from ira_home.storage.people import Hashes
from tests.bench.child import cpu, obey
from tests.bench.driver import Driver
from tests.bench.logbook import Logbook
from tests.bench.wire import SKILLS
from tests.support.home import HOST, PASSWORD, PIN


class House:
    """What the bench asks of a running server."""

    def __init__(self, server: app.Server) -> None:
        """`server` answers already."""
        self._services = server.services
        self._storage = server.services.accounts._storage
        self._driver = Driver(server.services, self._storage)
        self._logbook = Logbook(self._storage, server.services.clock)

    async def obey(self) -> None:
        """Do what is asked until nothing more comes, then stop as by SIGTERM."""
        try:
            await obey(
                {
                    "cpu": cpu,
                    "settle": self.settle,
                    "people": self.people,
                    "sign_in": self.sign_in,
                    "one_at_a_time": self._driver.one_at_a_time,
                    "many": self._driver.many,
                    "rows": self._logbook.rows,
                }
            )
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    async def settle(self) -> None:
        """Take away what is only garbage, before memory is read."""
        gc.collect()

    async def people(self, count: int, devices: int) -> list[dict[str, Any]]:
        """New people with so many devices each: `person`, and `devices` with `id` and `token`.

        Their devices are paired past the code, which the bench does not measure.
        """
        hasher = Hasher(self._storage.secret)
        hashes = Hashes(await hasher.hash_password(PASSWORD), await hasher.hash_pin(PIN))
        hasher.close()
        people = await self._storage.write(lambda tx: self._add_people(tx, count, hashes))
        return [
            {
                "person": person.id,
                "email": person.email,
                "devices": await self._storage.write(
                    lambda tx, number=person.id: self._add_devices(tx, number, devices)  # type: ignore[misc]
                ),
            }
            for person in people
        ]

    def _add_people(self, tx: Transaction, count: int, hashes: Hashes) -> list[Person]:
        now = self._services.clock.now()
        names = [f"person-{mint_token('')[:8].lower()}" for _ in range(count)]
        return [
            self._storage.people.add(
                tx,
                email=f"{name}@example.com",
                name=name,
                role=Role.STAFF,
                hashes=hashes,
                at=now,
            )
            for name in names
        ]

    def _add_devices(self, tx: Transaction, person: PersonId, count: int) -> list[dict[str, Any]]:
        return [self._add_device(tx, person, number) for number in range(count)]

    def _add_device(self, tx: Transaction, person: PersonId, number: int) -> dict[str, Any]:
        clock, token = self._services.clock, mint_token("irad_")
        terms = PairingTerms(
            person, DeviceKind.LINUX, f"Computer {number}", tuple(SKILLS), uses=1,
            expires_at=clock.steady(),
        )  # fmt: skip
        code = mint_token("").encode()
        pairing = self._storage.pairings.add(tx, terms, code_hash=code, now=clock.now())
        self._storage.pairings.use(tx, pairing)
        device = self._storage.devices.add(
            tx, pairing, token_hash=token_hash(token), address=HOST, at=clock.now()
        )
        return {"id": DeviceId(device.id), "token": token}

    async def sign_in(self, email: str) -> str:
        """The session cookie's value of a person."""
        cookie, _principal = await self._services.sessions.sign_in(
            email=email, password=PASSWORD, address=HOST, agent="bench"
        )
        return cookie


def main(folder: Path, port: int, http_port: int) -> None:
    """Serve until the input ends."""
    flags = {
        "data_dir": str(folder),
        "bind": HOST,
        "port": str(port),
        "http_port": str(http_port),
        "mdns": "false",
    }
    loaded = load(flags, {})
    log.set_up(level=loaded.settings.log_level)
    obeying = set()

    async def ready(server: app.Server) -> None:
        obeying.add(asyncio.create_task(House(server).obey()))

    run(app.serve(loaded, ready))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

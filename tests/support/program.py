"""The `ira` program as a person starts it: real processes on a fresh data folder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
import http.client
import os
from pathlib import Path
import signal
import ssl
import subprocess
import sys
from typing import Any

from ira_home.base.jsontext import dump, parse
from tests.support.ports import free_port

OWNER = "owner@example.com"
PASSWORD = "correct-horse-battery-9"
PIN = "482915"
WAIT_S = 60


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


class Program:
    """One data folder, its commands and its server."""

    def __init__(
        self, folder: Path, started_as: Sequence[str] = (sys.executable, "-m", "ira_home")
    ) -> None:
        """Nothing is made yet. `started_as` is the command `ira`, here that of the source tree."""
        self.started_as = started_as
        self.folder, self.data = folder, folder / "data"
        self.port, self.http_port = free_port(), free_port()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("IRA_")} | {
            "HOME": str(folder), "IRA_DATA_DIR": str(self.data), "IRA_PORT": str(self.port),
            "IRA_HTTP_PORT": str(self.http_port), "IRA_BIND": "127.0.0.1",
        }  # fmt: skip

    @property
    def base(self) -> str:
        """Where the server answers."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def stable(self) -> str:
        """The same: nothing here asks for it by its name."""
        return self.base

    def ira(self, *words: str, stdin: str = "", **variables: str) -> Said:
        """Run one command to its end."""
        done = subprocess.run(
            [*self.started_as, *words],
            input=stdin, capture_output=True, text=True, errors="surrogateescape", timeout=WAIT_S, check=False,
            env=self.environment | variables, cwd=self.folder,
        )  # fmt: skip
        return Said(done.returncode, done.stdout, done.stderr)

    def must(self, *words: str, stdin: str = "") -> str:
        """Run a command that has to succeed; gives what it printed."""
        said = self.ira(*words, stdin=stdin)
        assert said.status == 0, said
        return said.out

    def init(self) -> None:
        """Make the owner."""
        self.must(
            "init", "--email", OWNER, "--name", "Olive", "--password-stdin", "--pin-stdin",
            stdin=f"{PASSWORD}\n{PIN}\n",
        )  # fmt: skip

    @contextmanager
    def serving(self, *, mdns: bool = False) -> Iterator["subprocess.Popen[str]"]:
        """A running server, announced on the network where it is told to; stopped with SIGTERM afterwards unless it was killed."""
        log = (self.folder / "server.log").open("a")
        with log, subprocess.Popen(
            [*self.started_as, "serve", *([] if mdns else ["--no-mdns"])],
            stdout=subprocess.PIPE, stderr=log, text=True,
            env=self.environment, cwd=self.folder,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("ready "):
                    break
            else:
                raise AssertionError((self.folder / "server.log").read_text())
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
                process.wait(WAIT_S)

    def call(
        self, method: str, path: str, body: Any = None, *, cookie: str = "", bearer: str = ""
    ) -> tuple[int, Any, str]:
        """One request over TLS that the house's CA vouches for: status, JSON, Set-Cookie."""
        trust = ssl.create_default_context(cafile=str(self.data / "pki" / "ca.crt.pem"))
        line = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=WAIT_S, context=trust)
        headers = {"Content-Type": "application/json", "Origin": f"https://127.0.0.1:{self.port}"}
        if cookie:
            headers["Cookie"] = cookie
        if bearer:
            headers |= {"Authorization": f"Bearer {bearer}"}
        line.request(method, path, None if body is None else dump(body).encode(), headers)
        reply = line.getresponse()
        text = reply.read()
        line.close()
        return reply.status, parse(text) if text else None, reply.headers.get("Set-Cookie", "")

    def sign_in(self, email: str = OWNER, password: str = PASSWORD) -> str:
        """The session cookie of a person."""
        status, _, cookie = self.call("POST", "/v1/session", {"email": email, "password": password})
        assert status == 200
        return cookie.partition(";")[0]

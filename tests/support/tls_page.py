"""One page over TLS on both loopbacks, and browsers and programs that know one authority."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
import shutil
import socket
import ssl
import subprocess

import pytest

from tests.support.streams import listening

PAGE = b"<!doctype html><title>Ira</title><p>hello"
_HEAD = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(PAGE)}\r\nConnection: close\r\n\r\n"


@asynccontextmanager
async def page_on(context: ssl.SSLContext) -> AsyncIterator[int]:
    """Serve the page on 127.0.0.1 and, where there is one, on ::1; gives the port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_HEAD.encode() + PAGE)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass

    async with listening(answer, ssl=context) as port:
        if not has_ipv6():
            yield port
            return
        async with listening(answer, host="::1", port=port, ssl=context):
            yield port


def has_ipv6() -> bool:
    """Whether there is a loopback of IPv6."""
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            return False
    return True


def know(home: Path, ca_pem: bytes) -> dict[str, str]:
    """The environment of a browser of whom `home` is all it has, and which trusts this authority."""
    certutil = shutil.which("certutil")
    if certutil is None:
        pytest.skip("certutil of NSS is not installed (Debian: libnss3-tools)")
    store, file = home / ".pki" / "nssdb", home / "ca.pem"
    store.mkdir(parents=True)
    file.write_bytes(ca_pem)
    database = ["-d", f"sql:{store}"]
    run = [certutil, *database, "-N", "--empty-password"]
    subprocess.run(run, check=True, capture_output=True)
    add = [certutil, *database, "-A", "-t", "C,,", "-n", "ira", "-i", str(file)]
    subprocess.run(add, check=True, capture_output=True)
    return {"HOME": str(home)}

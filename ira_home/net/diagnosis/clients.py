"""What a device sees that dials an address of this server: whether it is answered, and by whom."""

import asyncio
from collections.abc import Sequence
import contextlib
import ssl

from ira_home.base.addresses import in_url
from ira_home.base.limits import CLIENT_LOOK_BYTES, CLIENT_LOOK_S
from ira_home.domain.diagnosis import Finding, Said

_OK, _WRONG_HOST = 200, 421
# OpenSSL's words for a chain that does not end at our authority, by number: it is somebody else's.
_NOT_OURS = frozenset({18, 19, 20, 21})


async def over_https(
    addresses: Sequence[str], port: int, *, ca_der: bytes, identity: str
) -> list[Finding]:
    """Dial each as a device does that was paired: by the identity name, trusting this house's authority."""
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.load_verify_locations(cadata=ca_der)
    trust.verify_flags |= ssl.VERIFY_X509_STRICT
    looks = [_device(one, port, trust, identity) for one in addresses]
    found = await asyncio.gather(*looks)
    good = [_where(one, port) for one, said in zip(addresses, found, strict=True) if said is None]
    first = [Finding(Said.REACH_GOOD, {"addresses": ", ".join(good)})] if good else []
    return first + [one for one in found if one is not None]


async def _device(address: str, port: int, trust: ssl.SSLContext, identity: str) -> Finding | None:
    """What is wrong at this address."""
    where = _where(address, port)
    try:
        answer = await _ask(address, port, "/healthz", trust, identity)
    except ssl.SSLCertVerificationError as error:
        if error.verify_code in _NOT_OURS:
            return Finding(Said.REACH_STRANGER, {"address": where})
        return Finding(Said.REACH_DISTRUSTED, {"address": where, "why": error.verify_message})
    except (ssl.SSLError, ValueError):
        return Finding(Said.REACH_STRANGER, {"address": where})
    except (OSError, TimeoutError):
        return Finding(Said.REACH_NOTHING, {"address": where})
    status, _ = answer
    if status == _OK:
        return None
    said = Said.REACH_TURNED_AWAY if status == _WRONG_HOST else Said.REACH_STRANGER
    return Finding(said, {"address": where})


async def over_http(address: str, port: int, *, ca_der: bytes) -> Finding:
    """Ask for the authority's certificate as a phone does that is new here."""
    where = _where(address, port)
    try:
        status, body = await _ask(address, port, "/ca.crt")
    except ValueError:
        return Finding(Said.PLAIN_STRANGER, {"address": where})
    except (OSError, TimeoutError):
        return Finding(Said.PLAIN_NOTHING, {"address": where})
    is_ours = status == _OK and body == ca_der
    return Finding(Said.PLAIN_GOOD if is_ours else Said.PLAIN_STRANGER, {"address": where})


async def _ask(
    address: str, port: int, path: str, trust: ssl.SSLContext | None = None, name: str | None = None
) -> tuple[int, bytes]:
    """Status and body; raises OSError, TimeoutError, or ValueError for what is no HTTP."""
    async with asyncio.timeout(CLIENT_LOOK_S):
        reader, writer = await asyncio.open_connection(
            address, port, ssl=trust, server_hostname=name if trust else None
        )
        try:
            head = (
                f"GET {path} HTTP/1.1\r\nHost: {_where(address, port)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode("ascii"))
            said = bytearray()
            while len(said) <= CLIENT_LOOK_BYTES and (
                piece := await reader.read(CLIENT_LOOK_BYTES)
            ):
                said += piece
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
    start, _, body = bytes(said).partition(b"\r\n\r\n")
    version, _, rest = start.partition(b" ")
    if not version.startswith(b"HTTP/1."):
        message = "not HTTP"
        raise ValueError(message)
    return int(rest[:3]), body


def _where(address: str, port: int) -> str:
    return f"{in_url(address)}:{port}"

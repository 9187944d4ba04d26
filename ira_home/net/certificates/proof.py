"""A certificate is put into service only after a strict client has taken it, in a handshake in memory."""

from pathlib import Path
import ssl

from ira_home.base.folder_errors import DataFolderError

# OpenSSL judges dates by the machine's clock, which may be lost; they are checked by the house's own.
_NO_CHECK_TIME = 0x200000
_ROUNDS = 8
# For TLS 1.2; every one of TLS 1.3 is good. Without forward secrecy or with CBC it is called weak.
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"


def server_side() -> ssl.SSLContext:
    """A context for the server: TLS 1.2 and up, strong ciphers only, HTTP/1.1, nothing loaded yet."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(CIPHERS)
    context.set_alpn_protocols(["http/1.1"])
    return context


def serving(file: Path) -> ssl.SSLContext:
    """A context that serves the file of key, leaf and CA; raises OSError (SSLError among them)."""
    context = server_side()
    context.load_cert_chain(file)
    return context


def prove(context: ssl.SSLContext, *, ca_pem: bytes, name: str) -> None:
    """Raise DataFolderError unless a strict client that knows this CA alone takes the server for `name`."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(cadata=ca_pem.decode())
    client.verify_flags |= ssl.VerifyFlags.VERIFY_X509_STRICT
    client.verify_flags |= ssl.VerifyFlags(_NO_CHECK_TIME)
    try:
        shake_hands(context, client, name)
    except ssl.SSLError as error:
        message = f"The new server certificate is not good ({error.reason}); the old one stays."
        raise DataFolderError(message) from None


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, name: str | None) -> bytes:
    """A whole handshake without a network; gives the server's certificate as DER, or raises SSLError."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    here = server.wrap_bio(up, down, server_side=True)
    there = client.wrap_bio(down, up, server_hostname=name)
    waiting = [there, here]
    for _ in range(_ROUNDS):
        for side in tuple(waiting):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            waiting.remove(side)
        if not waiting:
            return there.getpeercert(binary_form=True) or b""
    message = "the handshake does not end"
    raise ssl.SSLError(message)

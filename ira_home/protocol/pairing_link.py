"""The pairing link: read from a link, from a QR code's text or as a typed code, and written."""

from dataclasses import dataclass
import re
from urllib.parse import SplitResult, urlsplit

from ira_home.base.errors import BadLink
from ira_home.base.text import clean
from ira_home.base.tokens import read_code

PATH = "/pair"
DEFAULT_PORT = 443
_LINK_CHARS = 2_000
_FINGERPRINT = re.compile(r"[A-Za-z0-9_-]{43}")  # base64url of 32 bytes
_INSTALL_ID = re.compile(r"[0-9a-f]{6,12}")
# The last character is one of a link, and not of the sentence around it.
_AMONG_WORDS = re.compile(r"https://\S+/pair#\S*[A-Za-z0-9_-]", re.IGNORECASE)
_HOST = re.compile(r"[A-Za-z0-9.:-]{1,253}(%25[A-Za-z0-9._-]{1,20})?")


@dataclass(frozen=True, slots=True)
class PairingLinkText:
    """What a pairing link says.

    `host` is None when only a code was typed: the program must ask for the address. Without
    `fingerprint` the server's certificate must be one that the system trusts already.
    """

    host: str | None
    port: int
    code: str
    fingerprint: str | None = None
    install_id: str | None = None

    def url(self) -> str:
        """The link, `code` first; raises BadLink without a host."""
        if self.host is None:
            message = "A link needs the server's address."
            raise BadLink(message)
        host = f"[{self.host}]" if ":" in self.host else self.host
        more = f"&fp={self.fingerprint}" if self.fingerprint else ""
        more += f"&id={self.install_id}" if self.install_id else ""
        return f"https://{host}:{self.port}{PATH}#code={self.code}{more}"

    def origin(self) -> str:
        """`https://host:port`; raises BadLink without a host."""
        return self.url().partition(PATH)[0]


def parse(text: str) -> PairingLinkText:
    """Read what a person pasted, scanned or typed; raises BadLink with the reason.

    A link may be broken over several lines, or stand in a message with other words around it.
    """
    text = clean(text).strip()
    if len(text) > _LINK_CHARS:
        message = "That is far too long for a pairing link."
        raise BadLink(message)
    if "//" not in text and "#" not in text:
        return PairingLinkText(host=None, port=DEFAULT_PORT, code=_code(text))
    try:
        return _link("".join(text.splitlines()))
    except BadLink:
        if (among := _AMONG_WORDS.search(text)) is None:
            raise
        return _link(among[0])


def _link(text: str) -> PairingLinkText:
    split = _split(text)
    values = _fragment(split.fragment)
    if "code" not in values:
        message = "There is no code in this link."
        raise BadLink(message)
    host, port = _address(split)
    return PairingLinkText(
        host=host,
        port=port,
        code=_code(values["code"]),
        fingerprint=_matching(values.get("fp"), _FINGERPRINT, "fingerprint (fp)"),
        install_id=_matching(values.get("id"), _INSTALL_ID, "install id (id)"),
    )


def _split(text: str) -> SplitResult:
    try:
        split = urlsplit(text)
    except ValueError:
        message = "This is not a link."
        raise BadLink(message) from None
    if split.scheme.lower() != "https":
        message = "A pairing link begins with https://."
        raise BadLink(message)
    if split.path != PATH or split.query:
        message = "This is not a pairing link, or one of a newer Ira."
        raise BadLink(message)
    return split


def _address(split: SplitResult) -> tuple[str, int]:
    try:
        host, port = split.hostname, split.port
    except ValueError:
        message = "The port of this link is no port."
        raise BadLink(message) from None
    if not host or port == 0 or "@" in split.netloc or not _HOST.fullmatch(host):
        message = "The server's address in this link cannot be used."
        raise BadLink(message)
    return host, DEFAULT_PORT if port is None else port


def _fragment(fragment: str) -> dict[str, str]:
    """The keys of the fragment, each as it stands first; unknown ones are for newer programs."""
    values: dict[str, str] = {}
    for part in fragment.split("&"):
        key, _, value = part.partition("=")
        values.setdefault(key, value)
    return values


def _code(text: str) -> str:
    code = read_code(text)
    if code is None:
        message = "A pairing code has eight letters and digits, like ABCD-EFGH, without I, L, O, U, 0 and 1."
        raise BadLink(message)
    return code


def _matching(value: str | None, pattern: re.Pattern[str], name: str) -> str | None:
    if value is None or pattern.fullmatch(value):
        return value
    message = f"The {name} in this link is damaged. Copy the whole link."
    raise BadLink(message)

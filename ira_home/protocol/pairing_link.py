"""The pairing link: read from a link, from a QR code's text or as a typed code, and written."""

from dataclasses import dataclass
import ipaddress
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
_NAME = re.compile(
    r"(?=.{1,253}\Z)(?:(?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)*(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
)
# What ends so is an address to some programs: 127.1, 2130706433 and 0x7f.1 all lead to this computer.
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)", re.IGNORECASE)
_EVERYBODY = "255.255.255.255"
_KNOWN = ("code", "fp", "id")


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

    A link may be broken over several lines, or stand in a message with other words around it. What two
    programs could read in two ways is refused.
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
        among = {_link(one) for one in _AMONG_WORDS.findall(text)}
        if not among:
            raise
    if len(among) > 1:
        message = "These are several links. Give the one that is meant."
        raise BadLink(message)
    return among.pop()


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
    is_six = host is not None and ":" in host
    if (
        not host
        or port == 0
        or "@" in split.netloc
        or ("[" in split.netloc) != is_six
        or not _is_host(host)
    ):
        message = "The server's address in this link cannot be used."
        raise BadLink(message)
    return host, DEFAULT_PORT if port is None else port


def _is_host(text: str) -> bool:
    """Whether it is an address of one machine, in its one spelling, or a host name."""
    if ":" not in text and not _NUMBER.fullmatch(text):
        return _NAME.fullmatch(text) is not None
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    is_many = address.is_multicast or address.is_unspecified or text == _EVERYBODY
    return not is_many and getattr(address, "scope_id", None) is None


def _fragment(fragment: str) -> dict[str, str]:
    """The keys of the fragment that are known, each once; others are for newer programs."""
    values: dict[str, str] = {}
    for part in fragment.split("&"):
        key, _, value = part.partition("=")
        if key in _KNOWN and values.setdefault(key, value) != value:
            message = f"There are several values for {key} in this link. Copy the whole link."
            raise BadLink(message)
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

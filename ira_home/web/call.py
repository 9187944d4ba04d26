"""One request as a handler sees it: who asks, for what, with which body."""

from dataclasses import dataclass, field
import ipaddress
import re
from typing import Any

from aiohttp import web
from multidict import MultiDict, MultiMapping

from ira_home.base.errors import Invalid, NotFound
from ira_home.base.ids import PersonId
from ira_home.base.limits import PAGE_ITEMS, PAGE_ITEMS_MAX
from ira_home.domain.people import Principal
from ira_home.web.services import Services

SERVICES: web.AppKey[Services] = web.AppKey("services", Services)
# What `Call.cursor` and `Call.limit` read from the address.
PAGING = ("cursor", "limit")
_ID = re.compile(r"[0-9]{1,18}")


@dataclass(slots=True)
class Call:
    """What the guard and the body reader have made of a request.

    `principal` may be asked for on a route that needs one; `visitor` is the same or None. `body`
    is an instance of the route's body type; `form` what a page's form sent. `raw` are the bytes.
    """

    request: web.Request
    services: Services
    visitor: Principal | None = None
    raw: bytes = b""
    body: Any = None
    form: MultiMapping[str] = field(default_factory=MultiDict)

    @property
    def principal(self) -> Principal:
        """Whoever acts; only on routes that need a credential."""
        if self.visitor is None:
            message = "this route asked for no credential"
            raise RuntimeError(message)
        return self.visitor

    @property
    def person_id(self) -> PersonId:
        """The person who acts."""
        return self.principal.person.id

    @property
    def address(self) -> str:
        """The address of the connection's own peer; forwarded headers prove nothing."""
        return peer_address(self.request)

    @property
    def is_loopback(self) -> bool:
        """Whether it comes from this very machine."""
        try:
            return ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return False

    @property
    def cursor(self) -> str | None:
        """Where the next page of a list begins."""
        return self.request.query.get("cursor") or None

    @property
    def limit(self) -> int:
        """How many items a page has; more than the most is the most."""
        text = self.request.query.get("limit")
        if text is None:
            return PAGE_ITEMS
        number = id_of(text)
        if not number:
            message = "`limit` is a number from 1."
            raise Invalid(message, field="limit")
        return min(number, PAGE_ITEMS_MAX)

    def number(self, name: str) -> int:
        """The id in the path; what is no id names nothing."""
        number = id_of(self.request.match_info[name])
        if number is None:
            raise NotFound
        return number

    def text(self, name: str) -> str:
        """A part of the path as text."""
        return self.request.match_info[name]


def id_of(text: str) -> int | None:
    """An id as a client sends it back, which the database can hold; None for what is none."""
    return int(text) if _ID.fullmatch(text) else None


def peer_address(request: web.BaseRequest) -> str:
    """The address at the other end of the connection, IPv4 in IPv6 spelled as IPv4."""
    peer = request.transport.get_extra_info("peername") if request.transport else None
    text = str(peer[0]) if isinstance(peer, tuple) else ""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(found, "ipv4_mapped", None)
    return str(mapped or found)

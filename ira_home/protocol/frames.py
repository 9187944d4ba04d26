"""The frames of the device wire: JSON objects with a `type`, spelled as in docs/protocol.md."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Tool(Struct, frozen=True, kw_only=True):
    """A tool in a hello. What the values may be is checked by whoever takes the hello."""

    name: str
    description: str
    parameters: dict[str, Any]
    skill: str | UnsetType = UNSET
    tier: int | UnsetType = UNSET
    outward: bool | UnsetType = UNSET
    title: str | UnsetType = UNSET
    examples: list[str] | UnsetType = UNSET


class Hello(Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """A device's first frame: what it is and which tools it offers."""

    kind: str
    tools: list[Tool]
    label: str | UnsetType = UNSET
    version: str | UnsetType = UNSET
    pv: int | UnsetType = UNSET


class Welcome(Struct, frozen=True, kw_only=True, tag_field="type", tag="welcome", rename="camel"):
    """The server's answer to a good hello. A server that does not say `maxTools` takes 30.

    `pins`: the house's authorities while it changes to another, the one in force first.
    """

    device_id: int
    label: str
    skills: list[str]
    assistant: str
    wake_phrase: str
    max_tools: int | UnsetType = UNSET
    pv: int | UnsetType = UNSET
    limits: dict[str, int] | UnsetType = UNSET
    pins: list[str] | UnsetType = UNSET


class Call(Struct, frozen=True, kw_only=True, tag_field="type", tag="call"):
    """The server asks for a tool. `here`: the person asked on this very device."""

    id: str
    tool: str
    args: dict[str, Any]
    here: bool


class Result(Struct, frozen=True, kw_only=True, tag_field="type", tag="result"):
    """A device's answer to a call: `content` when `ok`, `error` when not."""

    id: str
    ok: bool
    content: Any = UNSET
    error: str | UnsetType = UNSET


class Event(Struct, frozen=True, kw_only=True, tag_field="type", tag="event", rename="camel"):
    """Something the person should hear.

    A device sends the first four; the server adds the rest when it passes an event on to the
    person's Android devices.
    """

    event: str
    title: str
    text: str
    data: dict[str, Any] | UnsetType = UNSET
    id: int | UnsetType = UNSET
    device_id: int | UnsetType = UNSET
    device: str | UnsetType = UNSET
    created_at: str | UnsetType = UNSET


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Either side, every 30 seconds."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to a ping."""


class Pins(Struct, frozen=True, kw_only=True, tag_field="type", tag="pins"):
    """The server tells connected devices which authorities are its own now, as in the welcome."""

    pins: list[str]


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The device is being uninstalled: its token is revoked."""


class Error(Struct, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """Why the server did not take a frame, in words."""

    error: str


Frame = Hello | Welcome | Call | Result | Event | Ping | Pong | Pins | Bye | Error

"""What a device asks its person on the terminal."""

from dataclasses import replace
from pathlib import Path
import sys

import click

from ira_device.finding import nearby
from ira_device.http import Address
from ira_device.refusals import NotPaired
from ira_device.store import Paired
from ira_home.base.errors import BadLink
from ira_home.protocol.pairing_link import PairingLinkText, parse

DEFAULT_PORT = 8443
_SOME_CODE = "ABCDEFGH"


def ask_link(address: Address | None = None) -> PairingLinkText:
    """The link or code of the Devices page, asked for until it can be read.

    Where only a code is typed, its server is the one at `address`, or is asked for as well.

    Raises NotPaired where there is nobody to ask, click.Abort when the person gave up.
    """
    try:
        return _asked_link(address)
    except click.Abort:
        if sys.stdin is not None and sys.stdin.isatty():
            raise
        message = (
            "This device is not paired yet, and there is no terminal to ask on. Run it in one once, "
            "or give it the pairing link on standard input."
        )
        raise NotPaired(message) from None


def _asked_link(address: Address | None) -> PairingLinkText:
    while True:
        text = click.prompt("Paste the pairing link, or type the code (ABCD-EFGH)", err=True)
        try:
            link = parse(text)
            return link if link.host else with_address(link, address or ask_address())
        except BadLink as error:
            click.echo(error.message, err=True)


def ask_address() -> Address:
    """Where the server is: one of those that answer on this network, or as typed; raises BadLink.

    Who it is shows later: anybody can answer.
    """
    click.echo("Looking for Ira on this network ...", err=True)
    places = nearby()
    for number, place in enumerate(places, 1):
        click.echo(f"  {number}  {place.name}  {place.typed}", err=True)
    question = "The server's address (192.168.1.23:8443)"
    if places:
        question = "Which one? Its number, or another address"
    typed = str(click.prompt(question, default="1" if len(places) == 1 else None, err=True)).strip()
    if typed.isdecimal() and 0 < int(typed) <= len(places):
        return places[int(typed) - 1].addresses[0]
    return read_address(typed)


def with_address(link: PairingLinkText, address: Address) -> PairingLinkText:
    """The typed code together with the address of its server."""
    return replace(link, host=address.host, port=address.port)


def read_address(text: str) -> Address:
    """A typed address, with the usual port where none was typed; raises BadLink."""
    text = text.strip().removeprefix("https://").rstrip("/")
    bare_v6 = text.count(":") > 1 and not text.startswith("[")
    if bare_v6:
        text = f"[{text}]"
    if not text.rpartition("]")[2].count(":"):
        text = f"{text}:{DEFAULT_PORT}"
    # One decoder for addresses, wherever they stand.
    link = parse(f"https://{text}/pair#code={_SOME_CODE}")
    return Address(str(link.host), link.port)


def confirm(fingerprint: str) -> bool:
    """Show the fingerprint of the server's CA and ask whether its own page shows the same."""
    click.echo(
        "Compare this with the fingerprint that the server shows on its trust page or console:\n"
        f"  {fingerprint}",
        err=True,
    )
    return click.confirm("Is it the same?", default=False, err=True)


def tell_paired(paired: Paired, folder: Path) -> None:
    """Say with whom the device is paired now, and plainly where the token went."""
    click.echo(f"Paired with {paired.assistant} as “{paired.label}”.", err=True)
    click.echo(where_token(paired, folder), err=True)


def where_token(paired: Paired, folder: Path) -> str:
    """One sentence on where the token is kept and whom that keeps out."""
    if paired.kept_in == "keyring":
        return "Its token is in this system's keyring."
    return (
        f"There is no keyring here, so its token is in a file in {folder}: other users cannot read "
        "it, but every program of yours can."
    )

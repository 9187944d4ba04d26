"""`ira-companion pair`: with a link or a code, once, and which folders Ira may read."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
import platform
import sys

import click

from ira_companion.invocation import chosen_state, command, device_of, state_option
from ira_companion.settings import AllowedFolder, FolderRefused, SettingsFile, resolved
from ira_device import terminal
from ira_device.client import Device
from ira_device.pinning import Witness, read_certificate
from ira_device.refusals import PairingRefused, WrongServer
from ira_home.base.errors import Invalid
from ira_home.protocol.pairing_link import PairingLinkText, parse


@click.command()
@click.option("--link", metavar="LINK|-", help="The pairing link; - reads it from standard input.")
@click.option("--code", metavar="CODE|-", help="The code instead, like ABCD-EFGH; needs --address.")
@click.option(
    "--address",
    metavar="HOST[:PORT]",
    help="Where the server is, for a code. `find` shows those that answer on this network.",
)
@click.option(
    "--fingerprint", help="The server's fingerprint, as its own page or console shows it."
)
@click.option(
    "--ca",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The server's own pki/ca.crt.pem, when it runs on this computer.",
)
@click.option(
    "--label", default="", help="What this computer calls itself; otherwise its own name."
)
@click.option(
    "--folder",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A folder that Ira may read; may be given several times.",
)
@click.option(
    "--no-keyring", is_flag=True, help="Keep the token in a file (0600), not in the keyring."
)
@state_option
@click.pass_context
def pair(context: click.Context, /, state: Path | None, **given: object) -> None:
    """Make this computer a device of your Ira.

    Give the link of the Devices page when asked. A link or code on the command line can be seen by
    every program of this computer while it is used: `--link -` reads it from standard input.
    """
    folder = chosen_state(context, state)
    settings = SettingsFile(folder)
    wanted = [resolved(path, folder) for path in _paths(given["folders"])]
    witness = _witness(given)
    link = _link(_text(given["link"]), _text(given["code"]), _text(given["address"]))
    label = _text(given["label"]) or platform.node() or "Computer"
    device = device_of(folder, label, use_keyring=not given["no_keyring"])
    _pair(device, link, witness)
    settings.set_label(label)
    settings.allow(wanted)
    if not wanted and not settings.folders() and sys.stdin.isatty():
        _ask_for_folders(settings)
    _tell(folder, settings.folders())


def _pair(device: Device, link: PairingLinkText, witness: Witness) -> None:
    had_one = device.store.is_paired()
    paired = asyncio.run(device.pair(link, witness))
    if had_one:
        click.echo("The pairing from before was replaced: remove that device on its server.")
    terminal.tell_paired(paired, device.store.folder)


def _paths(value: object) -> Sequence[Path]:
    return value if isinstance(value, tuple) else ()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _link(link: str, code: str, address: str) -> PairingLinkText:
    if link and code:
        message = "Give a link or a code, not both."
        raise Invalid(message)
    where = terminal.read_address(address) if address else None
    if not link and not code:
        return terminal.ask_link(where)
    read = parse(_from_stdin(link or code))
    if read.host is not None:
        return read
    if where is None and not sys.stdin.isatty():
        message = (
            "A code needs the server's address: --address HOST:PORT. `ira-companion find` shows "
            "which servers answer on this network."
        )
        raise Invalid(message)
    return terminal.with_address(read, where or terminal.ask_address())


def _from_stdin(text: str) -> str:
    return sys.stdin.readline().strip() if text == "-" else text


def _witness(given: dict[str, object]) -> Witness:
    path = given["ca"]
    can_ask = sys.stdin.isatty() and given["link"] != "-" and given["code"] != "-"
    return Witness(
        ca_pem=_certificate(path) if isinstance(path, Path) else None,
        fingerprint=_text(given["fingerprint"]) or None,
        confirm=terminal.confirm if can_ask else _nobody_to_ask,
    )


def _nobody_to_ask(fingerprint: str) -> bool:
    message = (
        f"The server's fingerprint is {fingerprint}. Compare it with the server's trust page or "
        "console, and give it with --fingerprint."
    )
    raise PairingRefused(message)


def _certificate(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        read_certificate(content)
    except (OSError, WrongServer):
        message = f"{path} is no certificate that can be read."
        raise Invalid(message) from None
    return content


def _ask_for_folders(settings: SettingsFile) -> None:
    import platformdirs

    click.echo("Which folders may Ira read? She sees no others, and you can change this any time.")
    downloads = Path(platformdirs.user_downloads_dir())
    if downloads.is_dir() and click.confirm(f"  {downloads}?", default=False):
        settings.allow([downloads])
    while typed := click.prompt(
        "  Another folder (Enter for none)", default="", show_default=False
    ):
        try:
            settings.allow([Path(typed)])
        except FolderRefused as error:
            click.echo(f"  {error.message}")


def _tell(state: Path, folders: Sequence[AllowedFolder]) -> None:
    if folders:
        click.echo("Ira may read: " + ", ".join(str(folder.path) for folder in folders))
    else:
        click.echo(f"Ira may read no folder yet: {command(state, 'folders', 'add', 'DIR')}")
    click.echo(f"Now start it: {command(state, 'run')}")

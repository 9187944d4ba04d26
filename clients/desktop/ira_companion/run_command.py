"""`ira-companion run`: stay connected and answer calls until told to stop."""

import asyncio
from contextlib import suppress
import logging
from pathlib import Path
import signal

import click

from ira_companion.files import Files
from ira_companion.invocation import chosen_state, command, device_of, paired_of, state_option
from ira_companion.settings import SettingsFile
from ira_companion.state import run_lock, write_status
from ira_device import terminal
from ira_device.client import Device
from ira_device.http import Address
from ira_home.base.clock import SystemClock
from ira_home.base.errors import IraError
from ira_home.base.log import set_up

log = logging.getLogger(__name__)


@click.command()
@click.option(
    "--address",
    metavar="HOST[:PORT]",
    help="Where your Ira is now, if she moved; kept once she has proved there who she is.",
)
@state_option
@click.pass_context
def run(context: click.Context, state: Path | None, address: str | None) -> None:
    """Stay connected to your Ira and answer what she asks. Ctrl-C ends it.

    What is logged: connections, tool names and how long they took. Never what was asked or read.
    """
    folder = chosen_state(context, state)
    paired = paired_of(folder)
    moved_to = None if address is None else terminal.read_address(address)
    set_up()
    with run_lock(folder):
        asyncio.run(_run(folder, moved_to, use_keyring=paired.kept_in == "keyring"))


async def _run(folder: Path, moved_to: Address | None, *, use_keyring: bool) -> None:
    clock = SystemClock()
    settings = SettingsFile(folder)

    def changed(connected: bool, words: str) -> None:  # noqa: FBT001  # the SDK calls it so
        write_status(folder, clock, connected=connected, words=words)

    label = settings.chosen().label
    device = device_of(folder, label, use_keyring=use_keyring, changed=changed)
    Files(settings, state=folder, clock=clock).offer(device)
    if not settings.folders():
        log.warning("no folder may be read yet: %s", command(folder, "folders", "add", "DIR"))
    _stop_on_signals(device)
    write_status(folder, clock, connected=False, words="connecting")
    await device.serve(moved_to)
    log.info("stopped")


def _stop_on_signals(device: Device) -> None:
    loop = asyncio.get_running_loop()
    # Windows has no signal handlers on its loop: there Ctrl-C raises KeyboardInterrupt.
    with suppress(NotImplementedError):
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, device.stop)


@click.command()
@click.option(
    "--forget",
    is_flag=True,
    help="Only forget the pairing here, when the server cannot be reached any more.",
)
@state_option
@click.pass_context
def unpair(context: click.Context, state: Path | None, *, forget: bool) -> None:
    """End the pairing: the server removes this device, and its token is forgotten here."""
    folder = chosen_state(context, state)
    device = device_of(folder, "")
    paired_of(folder)
    if forget:
        device.store.forget()
        click.echo("The pairing was forgotten here. Remove the device on its server as well.")
        return
    try:
        asyncio.run(device.unpair())
    except IraError as error:
        message = f"{error.message} Try again later, or forget the pairing here with --forget."
        raise type(error)(message) from error
    click.echo("This computer is no device of your Ira any more.")

"""`ira demo`: a fictional clinic to try Ira with."""

import shlex
import sys
from typing import TYPE_CHECKING

import click
import platformdirs

from ira_home.base import log
from ira_home.base.programs import called
from ira_home.cli import entrance
from ira_home.cli.house import settings_of
from ira_home.cli.ports import Port
from ira_home.cli.serve import run
from ira_home.config.load import Loaded

if TYPE_CHECKING:
    from ira_home.app.demo import DemoHouse

# One in each language. The first needs this computer as a device; without it the price is asked.
READ = "Downloads me se invoice.pdf padh do"
PRICE = "filling ka price kya hai"
TODAY, TODAY_IN_LATIN = "आज के अपॉइंटमेंट दिखाओ", "aaj ke appointments"
BOOK = "book Asha tomorrow at 11"


@click.command("demo")
@click.option(
    "--companion",
    is_flag=True,
    help="Pair this computer as a real device, with a folder of the demo's own.",
)
@click.option("--bind", help="The address to listen on; otherwise every one of this computer.")
@click.option("--port", type=Port(), help="HTTPS; otherwise 8443.")
@click.option("--http-port", type=Port(), help="The plain start page; otherwise 8080.")
@click.pass_context
def demo(
    context: click.Context,
    bind: str | None,
    port: int | None,
    http_port: int | None,
    *,
    companion: bool,
) -> None:
    """Run Sunrise Dental Clinic, a fictional household with nothing real in it.

    It has a data folder of its own (or --data), and can be run again.
    """
    from ira_home.app import demo as app

    given = context.find_root()
    loaded = settings_of(context, bind=bind, port=port, http_port=http_port)
    if loaded.origin("data_dir") == "default":
        given.obj = platformdirs.user_data_path("ira-home-demo", appauthor=False)
        loaded = settings_of(context, bind=bind, port=port, http_port=http_port)
    log.set_up(level="WARNING")

    def ready(house: app.DemoHouse) -> None:
        if _can_be_shown(house.qr):
            click.echo(house.qr)
        click.echo(_welcome(house))
        today = TODAY if _can_be_shown(TODAY) else TODAY_IN_LATIN
        for sentence in (READ if companion else PRICE, today, BOOK):
            click.echo(f"  {sentence}")
        click.echo(_way_out(loaded))
        click.echo(f"ready {house.server.entrance.address}")
        sys.stdout.flush()

    run(app.serve_demo(loaded, ready, companion=companion))


def _welcome(house: "DemoHouse") -> str:
    server, sign_in = house.server, house.sign_in
    here, caveat = entrance.here(server), entrance.caveat(server)
    lines = (
        f"address   {server.entrance.shown}  (the QR code; your browser warns once: the house vouches for itself)",
        here and f"here      {here}  (on this computer)",
        caveat and f"          {caveat}",
        f"start     {server.entrance.start_page}  (a plain page: how to trust the certificate)",
        f"CA        {entrance.fingerprint(server)}  (its fingerprint)",
        f"sign in   {sign_in.email}  {sign_in.password}",
        f"PIN       {sign_in.pin}",
    )
    shown = "\n".join(f"  {line}" for line in lines if line)
    return f"""\
Sunrise Dental Clinic is open (a demo: nothing in it is real).

{shown}

Things to ask:"""


def _way_out(loaded: Loaded) -> str:
    """How to go on to a real home, in commands as this one was called."""
    ira = called("ira", "ira_home")
    data = shlex.quote(str(loaded.settings.data_dir))
    first = "\n  unset IRA_DATA_DIR" if loaded.origin("data_dir") == "environment" else ""
    return f"""
To leave the demo for a real home, stop it with Ctrl+C, then:{first}
  {ira} init --email you@example.com --name "Your Name"
  {ira} serve
The home gets a data folder of its own; nothing of the demo is carried over to it.

The demo goes on where it was when it is run again. All of it is in {data}:
  {ira} --data {data} doctor    (a command on the demo)
Delete that folder to be rid of it.
"""


def _can_be_shown(text: str) -> bool:
    """Whether the terminal's character set has the signs."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


COMMAND = demo

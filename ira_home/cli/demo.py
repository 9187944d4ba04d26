"""`ira demo`: a fictional clinic to try Ira with."""

import sys

import click
import platformdirs

from ira_home.base import log
from ira_home.cli.house import settings_of
from ira_home.cli.serve import run

THINGS_TO_ASK = (
    "read invoice.pdf in Downloads",
    "aaj clinic mein kaun kaun aa raha hai?",
    "how much is a root canal?",
)


@click.command("demo")
@click.option(
    "--companion",
    is_flag=True,
    help="Pair this computer as a real device, with a folder of the demo's own.",
)
@click.option("--bind", help="The address to listen on; otherwise every one of this computer.")
@click.option("--port", type=click.IntRange(1, 65535), help="HTTPS; otherwise 8443.")
@click.option(
    "--http-port", type=click.IntRange(1, 65535), help="The plain start page; otherwise 8080."
)
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
    from ira_home import app

    given = context.find_root()
    loaded = settings_of(context, bind=bind, port=port, http_port=http_port)
    if loaded.origin("data_dir") == "default":
        given.obj = platformdirs.user_data_path("ira-home-demo", appauthor=False)
        loaded = settings_of(context, bind=bind, port=port, http_port=http_port)
    log.set_up(level="WARNING")

    def ready(house: app.DemoHouse) -> None:
        sign_in = house.sign_in
        click.echo(house.qr)
        click.echo("Sunrise Dental Clinic is open (a demo: nothing in it is real).\n")
        click.echo(
            f"  address   {house.address}  (your browser warns once: the house vouches for itself)"
        )
        click.echo(f"  sign in   {sign_in.email}  {sign_in.password}")
        click.echo(f"  PIN       {sign_in.pin}\n")
        click.echo("Things to ask:")
        for sentence in THINGS_TO_ASK:
            click.echo(f"  {sentence}")
        click.echo(
            "\nStop with Ctrl+C. For a real home: .venv/bin/ira init, then .venv/bin/ira serve."
        )
        click.echo(f"ready {house.address}")
        sys.stdout.flush()

    run(app.serve_demo(loaded, ready, companion=companion))


COMMAND = demo

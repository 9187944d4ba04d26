"""`ira serve`: run the server."""

import asyncio
from collections.abc import Callable, Coroutine
import sys
from typing import TYPE_CHECKING, Any

import click

from ira_home.base import log
from ira_home.cli import entrance
from ira_home.cli.house import settings_of
from ira_home.cli.ports import Port

if TYPE_CHECKING:
    from ira_home.app.server import Server


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run on uvloop where there is one: an idle TLS connection costs an eighth there."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    if sys.platform != "win32" and sys.implementation.name == "cpython":
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work)


@click.command("serve")
@click.option("--bind", help="The address to listen on; otherwise every one of this computer.")
@click.option("--port", type=Port(0), help="HTTPS; otherwise 8443.")
@click.option("--http-port", type=Port(0), help="The plain start page; otherwise 8080.")
@click.option(
    "--no-mdns",
    is_flag=True,
    help="Do not announce the server on the local network.",
)
@click.option(
    "--new-ca",
    is_flag=True,
    help="Make a new certificate authority where it is lost; every device must be paired again.",
)
@click.pass_context
def serve(
    context: click.Context,
    bind: str | None,
    port: int | None,
    http_port: int | None,
    *,
    no_mdns: bool,
    new_ca: bool,
) -> None:
    """Run the server until it is stopped (Ctrl+C or SIGTERM)."""
    from ira_home.app import server as app

    flags = {"bind": bind, "port": port, "http_port": http_port, "mdns": False if no_mdns else None}
    loaded = settings_of(context, **flags)
    log.set_up(level=loaded.settings.log_level)

    async def ready(server: app.Server) -> None:
        for line in _lines(server, is_set_up=await server.services.accounts.is_set_up()):
            click.echo(line)
        click.echo(f"ready {server.entrance.address}")
        sys.stdout.flush()

    run(app.serve(loaded, ready, new_ca=new_ca))


def _lines(server: "Server", *, is_set_up: bool) -> list[str]:
    """Where it is reached, how it is recognised, and who may make the owner where there is none."""
    here, elsewhere = entrance.here(server), entrance.elsewhere(server)
    found = (
        here and f"on this computer  {here}",
        elsewhere and f"on other devices  {elsewhere}",
        entrance.caveat(server),
        f"plain start page  {server.entrance.start_page}  (how to trust the certificate)",
        f"CA fingerprint    {entrance.fingerprint(server)}",
    )
    lines = [line for line in found if line]
    if not is_set_up:
        services = server.services
        code = services.first_run.setup_code
        from_here = f"Make the owner at {here} on this computer, or from another" if here and services.loopback_setup else "Make the owner at one of these addresses"  # fmt: skip
        lines.append(f"Nobody is here yet. {from_here} with the set-up code {code}")
    return lines


COMMAND = serve

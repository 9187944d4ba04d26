"""`ira serve`: run the server."""

import asyncio
from collections.abc import Callable, Coroutine
import sys
from typing import Any

import click

from ira_home.base import log
from ira_home.cli.house import settings_of


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
@click.option("--port", type=click.IntRange(0, 65535), help="HTTPS; otherwise 8443.")
@click.option(
    "--http-port", type=click.IntRange(0, 65535), help="The plain start page; otherwise 8080."
)
@click.option(
    "--no-mdns",
    is_flag=True,
    help="Changes nothing yet: the server is not announced on the network, with or without it.",
)
@click.pass_context
def serve(
    context: click.Context,
    bind: str | None,
    port: int | None,
    http_port: int | None,
    *,
    no_mdns: bool,
) -> None:
    """Run the server until it is stopped (Ctrl+C or SIGTERM)."""
    from ira_home import app

    flags = {"bind": bind, "port": port, "http_port": http_port, "mdns": False if no_mdns else None}
    loaded = settings_of(context, **flags)
    log.set_up(level=loaded.settings.log_level)

    async def ready(server: app.Server) -> None:
        if not await server.services.accounts.is_set_up():
            click.echo(f"Nobody is here yet: open {server.address} on this computer,")
            click.echo(
                f"or from another one with the set-up code {server.services.first_run.setup_code}"
            )
        click.echo(f"ready {server.address}")
        sys.stdout.flush()

    run(app.serve(loaded, ready))


COMMAND = serve

"""`ira healthcheck`: whether the server on this computer answers, for scripts and containers."""

import http.client
import ssl

import click

from ira_home.base.errors import CommandFailed
from ira_home.cli.house import settings_of

TIMEOUT_S = 5.0
CA_FILE = "pki/ca.crt.pem"


def answers(context: click.Context, port: int | None = None) -> None:
    """Ask /healthz over TLS that this house's own CA vouches for; raises CommandFailed."""
    settings = settings_of(context, port=port).settings
    host = settings.bind if settings.bind not in {"0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104
    try:
        trust = ssl.create_default_context(cafile=str(settings.data_dir / CA_FILE))
        line = http.client.HTTPSConnection(host, settings.port, timeout=TIMEOUT_S, context=trust)
        line.request("GET", "/healthz")
        status = line.getresponse().status
    except FileNotFoundError:
        message = f"There is no house in {settings.data_dir} yet."
        raise CommandFailed(message) from None
    except (OSError, http.client.HTTPException) as error:
        message = f"No answer on {host}:{settings.port} ({error.__class__.__name__})."
        raise CommandFailed(message) from None
    if status != http.HTTPStatus.OK:
        message = f"The server answers {status}: it is starting or stopping."
        raise CommandFailed(message)


@click.command("healthcheck")
@click.option("--port", type=click.IntRange(1, 65535), help="Otherwise IRA_PORT, otherwise 8443.")
@click.pass_context
def healthcheck(context: click.Context, port: int | None) -> None:
    """Exit 0 when the server answers, 1 when it does not."""
    answers(context, port)
    click.echo("healthy")


COMMAND = healthcheck

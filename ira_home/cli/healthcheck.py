"""`ira healthcheck`: whether the server on this computer answers, for scripts and containers."""

import http.client
import ssl

import click

from ira_home.base.addresses import in_url, this_computer
from ira_home.base.errors import CommandFailed
from ira_home.cli.house import settings_of, show_json
from ira_home.cli.ports import Port

TIMEOUT_S = 5.0
CA_FILE = "pki/ca.crt.pem"


def answers(context: click.Context, port: int | None = None) -> None:
    """Ask /healthz over TLS that this house's own CA vouches for; raises CommandFailed."""
    settings = settings_of(context, port=port).settings
    host = this_computer(settings.bind)
    try:
        trust = ssl.create_default_context(cafile=str(settings.data_dir / CA_FILE))
        line = http.client.HTTPSConnection(host, settings.port, timeout=TIMEOUT_S, context=trust)
        line.request("GET", "/healthz")
        status = line.getresponse().status
    except FileNotFoundError:
        message = f"There is no certificate of a house in {settings.data_dir}."
        raise CommandFailed(message) from None
    except (OSError, http.client.HTTPException) as error:
        message = f"No answer on {in_url(host)}:{settings.port} ({error.__class__.__name__})."
        raise CommandFailed(message) from None
    if status != http.HTTPStatus.OK:
        message = f"The server answers {status}: it is starting or stopping."
        raise CommandFailed(message)


@click.command("healthcheck")
@click.option("--port", type=Port(), help="Otherwise IRA_PORT, otherwise 8443.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def healthcheck(context: click.Context, port: int | None, *, as_json: bool) -> None:
    """Exit 0 when the server answers, 1 when it does not."""
    answers(context, port)
    if as_json:
        show_json({"healthy": True})
    else:
        click.echo("healthy")


COMMAND = healthcheck

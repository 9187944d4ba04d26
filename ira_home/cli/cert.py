"""`ira cert show`: by what devices and browsers recognise the house."""

import click

from ira_home.cli.healthcheck import CA_FILE
from ira_home.cli.house import operate, settings_of, show_json


@click.group("cert")
def cert() -> None:
    """The house's own certificate authority."""


@cert.command("show")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, *, as_json: bool) -> None:
    """Its fingerprint, to be compared with what a device or browser shows, and its file."""
    found = operate(context, "house.trust")
    file = settings_of(context).settings.data_dir / CA_FILE
    if as_json:
        show_json(found | {"file": str(file)})
        return
    click.echo(f"fingerprint  {found['fingerprint']}")
    click.echo(f"file         {file}")
    click.echo(f"names        {', '.join(found['names'])}")


COMMAND = cert

"""`ira pin set`: give a person an action PIN."""

import click

from ira_home.cli.house import operate, secret


@click.group("pin")
def pin() -> None:
    """The PIN that serious actions ask for."""


@pin.command("set")
@click.option("--user", "email", required=True, help="The person's e-mail address.")
@click.option("--pin-stdin", is_flag=True, help="Read the PIN from stdin.")
@click.pass_context
def set_pin(context: click.Context, email: str, *, pin_stdin: bool) -> None:
    """Set it: 4 to 8 digits."""
    digits = secret(f"PIN for {email} (4 to 8 digits)", from_stdin=pin_stdin)
    person = operate(context, "people.reset_pin", email=email, pin=digits)
    click.echo(f"{person['email']} has a PIN.")


COMMAND = pin

"""`ira pin set`: give a person an action PIN."""

import click

from ira_home.cli.house import operate, secret, show_json


@click.group("pin")
def pin() -> None:
    """The PIN that serious actions ask for."""


@pin.command("set")
@click.option("--user", "--email", "email", required=True, help="The person's e-mail address.")
@click.option("--pin-stdin", is_flag=True, help="Read the PIN from stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def set_pin(context: click.Context, email: str, *, pin_stdin: bool, as_json: bool) -> None:
    """Set it: 4 to 8 digits."""
    from ira_home.control import rules

    if not pin_stdin:
        operate(context, "people.show", email=email)
    digits = secret(f"PIN for {email} (4 to 8 digits)", from_stdin=pin_stdin, check=rules.good_pin)
    person = operate(context, "people.reset_pin", email=email, pin=digits)
    if as_json:
        show_json(person)
    else:
        click.echo(f"{person['email']} has a PIN.")


COMMAND = pin

"""`ira init`: make the house and its owner."""

import click

from ira_home.base.errors import SetUpAlready
from ira_home.cli.house import operate, secret, show_json
from ira_home.cli.invocation import command


@click.command("init")
@click.option("--email", required=True, help="The owner's e-mail address, for signing in.")
@click.option("--name", required=True, help="The owner's name.")
@click.option("--password-stdin", is_flag=True, help="Read the password from stdin (first line).")
@click.option("--pin-stdin", is_flag=True, help="Read the PIN from stdin (the line after).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def init(
    context: click.Context,
    email: str,
    name: str,
    *,
    password_stdin: bool,
    pin_stdin: bool,
    as_json: bool,
) -> None:
    """Make the data folder, the house's certificate and its owner."""
    from ira_home.control import rules

    email, name = rules.good_email(email), rules.good_name(name)
    if not (password_stdin and pin_stdin) and operate(context, "people.is_set_up", make=True):
        raise SetUpAlready
    password = secret(
        "Password (8 characters or more)",
        from_stdin=password_stdin,
        check=lambda text: rules.good_password(text, email=email),
    )
    pin = secret(
        "PIN for serious actions (4 to 8 digits)", from_stdin=pin_stdin, check=rules.good_pin
    )
    owner = operate(
        context, "people.set_up", make=True, email=email, name=name, password=password, pin=pin
    )
    if as_json:
        show_json(owner)
        return
    click.echo(f"The house is made. Its owner is {owner['name']} ({owner['email']}).")
    click.echo(f"Next: {command(context, 'serve')}")


COMMAND = init

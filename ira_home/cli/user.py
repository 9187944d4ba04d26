"""`ira user add | list | remove | passwd`: people of the house."""

import click

from ira_home.base.errors import CommandFailed
from ira_home.cli.house import operate, secret, show_json, show_table

COLUMNS = {"id": "id", "email": "e-mail", "name": "name", "role": "role", "has_pin": "PIN"}


@click.group("user")
def user() -> None:
    """Add, list and remove people, or give one a new password."""


@user.command("add")
@click.option("--email", required=True)
@click.option("--role", required=True, type=click.Choice(["owner", "admin", "staff"]))
@click.option("--name", help="Shown to others; otherwise the part of the e-mail before the @.")
@click.option("--password-stdin", is_flag=True, help="Read the password from stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def add(
    context: click.Context,
    email: str,
    role: str,
    name: str | None,
    *,
    password_stdin: bool,
    as_json: bool,
) -> None:
    """Add a person; their PIN comes with `ira pin set`."""
    password = secret(f"Password for {email}", from_stdin=password_stdin)
    person = operate(
        context,
        "people.add",
        email=email,
        role=role,
        password=password,
        name=name or email.partition("@")[0],
    )
    if as_json:
        show_json(person)
    else:
        click.echo(
            f"Added {person['email']} as {person['role']}. Give a PIN with: ira pin set --user {person['email']}"
        )


@user.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def everyone(context: click.Context, *, as_json: bool) -> None:
    """List everyone."""
    people = operate(context, "people.list")
    if as_json:
        show_json({"items": people, "next_cursor": None})
    else:
        show_table(people, COLUMNS, "Nobody is here yet. Make the owner with: ira init")


@user.command("remove")
@click.option("--email", required=True)
@click.option("--yes", is_flag=True, help="Do not ask again.")
@click.pass_context
def remove(context: click.Context, email: str, *, yes: bool) -> None:
    """Remove a person with their conversations; their devices stop working at once."""
    if not yes and not click.confirm(
        f"Remove {email} with all conversations and devices? This cannot be undone"
    ):
        message = "Nothing was removed."
        raise CommandFailed(message)
    person = operate(context, "people.remove", email=email)
    click.echo(f"Removed {person['email']}.")


@user.command("passwd")
@click.option("--email", required=True)
@click.option("--password-stdin", is_flag=True, help="Read the password from stdin.")
@click.pass_context
def passwd(context: click.Context, email: str, *, password_stdin: bool) -> None:
    """Give a person a new password; they are signed out everywhere."""
    password = secret(f"New password for {email}", from_stdin=password_stdin)
    person = operate(context, "people.reset_password", email=email, password=password)
    click.echo(f"{person['email']} has a new password and was signed out everywhere.")


COMMAND = user

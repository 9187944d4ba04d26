"""`ira user add | list | remove | passwd`: people of the house."""

import click

from ira_home.base.errors import CommandFailed
from ira_home.cli.house import operate, secret, show_json, show_table
from ira_home.cli.invocation import command

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
    from ira_home.control import rules

    email = rules.good_email(email)
    name = rules.good_name(name or email.partition("@")[0])
    password = secret(
        f"Password for {email}",
        from_stdin=password_stdin,
        check=lambda text: rules.good_password(text, email=email),
    )
    person = operate(
        context,
        "people.add",
        email=email,
        role=role,
        password=password,
        name=name,
    )
    if as_json:
        show_json(person)
    else:
        click.echo(f"Added {person['email']} as {person['role']}.")
        click.echo(f"Give a PIN with: {command(context, 'pin', 'set', '--user', person['email'])}")


@user.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def everyone(context: click.Context, *, as_json: bool) -> None:
    """List everyone."""
    people = operate(context, "people.list")
    if as_json:
        show_json({"items": people, "next_cursor": None})
    else:
        empty = f"Nobody is here yet. Make the owner with: {command(context, 'init')}"
        show_table(people, COLUMNS, empty)


@user.command("remove")
@click.option("--email", required=True)
@click.option("--yes", is_flag=True, help="Do not ask again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def remove(context: click.Context, email: str, *, yes: bool, as_json: bool) -> None:
    """Remove a person with their conversations; their devices stop working at once."""
    if not yes and not click.confirm(
        f"Remove {email} with all conversations and devices? This cannot be undone"
    ):
        message = "Nothing was removed."
        raise CommandFailed(message)
    person = operate(context, "people.remove", email=email)
    if as_json:
        show_json(person)
    else:
        click.echo(f"Removed {person['email']}.")


@user.command("passwd")
@click.option("--email", required=True)
@click.option("--password-stdin", is_flag=True, help="Read the password from stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def passwd(context: click.Context, email: str, *, password_stdin: bool, as_json: bool) -> None:
    """Give a person a new password; they are signed out everywhere."""
    from ira_home.control import rules

    if not password_stdin:
        operate(context, "people.show", email=email)
    password = secret(
        f"New password for {email}",
        from_stdin=password_stdin,
        check=lambda text: rules.good_password(text, email=email),
    )
    person = operate(context, "people.reset_password", email=email, password=password)
    if as_json:
        show_json(person)
    else:
        click.echo(f"{person['email']} has a new password and was signed out everywhere.")


COMMAND = user

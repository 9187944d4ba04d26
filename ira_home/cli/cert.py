"""`ira cert show | renew | new-ca`: by what devices and browsers recognise the house, and changing that."""

from typing import Any

import click

from ira_home.base.errors import CommandFailed
from ira_home.cli.healthcheck import CA_FILE
from ira_home.cli.house import counted, operate, settings_of, show_json
from ira_home.cli.invocation import command

DAY = 10  # how much of a time in JSON is its day


@click.group("cert")
def cert() -> None:
    """The house's own certificate authority, and the server's certificate."""


@cert.command("show")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, *, as_json: bool) -> None:
    """Its fingerprint, to be compared with what a device or browser shows, and its file."""
    found = operate(context, "certificates.show")
    file = settings_of(context).settings.data_dir / CA_FILE
    if as_json:
        show_json(found | {"file": str(file)})
        return
    click.echo(f"fingerprint  {found['fingerprint']}")
    click.echo(f"file         {file}")
    click.echo(f"names        {', '.join(found['names'])}")
    click.echo(f"good until   {_day(found['not_after'])}; it is made anew by itself before")
    if own := found["own"]:
        click.echo(f"own          {', '.join(own['names'])}, until {_day(own['not_after'])}")
    if found["fault"]:
        click.echo(f"fault        {found['fault']}")
    for line in _next(found["next"]):
        click.echo(line)


def _next(coming: dict[str, Any] | None) -> list[str]:
    if coming is None:
        return []
    lines = [
        f"next         {coming['fingerprint']}",
        f"takes over   {_when(coming)}",
    ]
    for one in coming["devices"]:
        away = "" if one["online"] else ", away"
        lines.append(f"waits for    {one['label']} ({one['person']}{away})")
    return lines


def _when(coming: dict[str, Any]) -> str:
    waiting = counted(coming["waits_for"], "device more has", "devices more have")
    # The day is that of UTC, and nobody waits for its hour.
    not_before = "" if coming["since"] == coming["earliest"] else f", not before {_day(coming['earliest'])}"  # fmt: skip
    return f"when {waiting} heard of it{not_before}, on {_day(coming['latest'])} at the latest"


def _day(moment: str) -> str:
    return moment[:DAY]


@cert.command("renew")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def renew(context: click.Context, *, as_json: bool) -> None:
    """Make the server's certificate anew now, with a new key; nobody has to do anything for it.

    It is made anew by itself in good time, and when an address comes: this is for a key that may have
    been seen by somebody.
    """
    found = operate(context, "certificates.renew")
    if as_json:
        show_json(found)
    else:
        click.echo(f"Made anew, good until {_day(found['not_after'])}. Open connections stay.")


@cert.command("new-ca")
@click.option(
    "--name-constraints/--no-name-constraints", "constrained", default=None,
    help="Whether it can vouch only for names and addresses of a home; otherwise as the one in force. "
    "Without them it is for systems that refuse such an authority.",
)  # fmt: skip
@click.option("--now", is_flag=True, help="Let it take over at once: devices that have not heard of it must be paired again.")  # fmt: skip
@click.option("--give-up", is_flag=True, help="Keep the one in force; the next one is forgotten.")
@click.option("--yes", is_flag=True, help="Do not ask again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def new_ca(
    context: click.Context,
    *,
    constrained: bool | None,
    now: bool,
    give_up: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Change to another certificate authority, without pairing any device again.

    Devices are told of it over their connections; it takes over when the last one has heard, or after
    90 days. Browsers that trusted the old one have to be told to trust the new one.
    """
    if give_up:
        found = operate(context, "certificates.give_up")
        words = "Given up: the authority in force stays."
    else:
        if now and not yes:
            _ask(context)
        found = operate(context, "certificates.new_ca", constrained=constrained, now=now)
        words = _announced(context, found)
    if as_json:
        show_json(found)
    else:
        click.echo(words)


def _ask(context: click.Context) -> None:
    coming = operate(context, "certificates.show")["next"]
    waiting = (
        "Every device" if coming is None else counted(coming["waits_for"], "device", "devices")
    )
    if not click.confirm(f"{waiting} will have to be paired again. Go on"):
        message = "Nothing was changed."
        raise CommandFailed(message)


def _announced(context: click.Context, found: dict[str, Any]) -> str:
    coming = found["next"]
    browsers = "Browsers that trusted the old one warn until they trust this one."
    if coming is None:
        return f"Another authority is in force: {found['fingerprint']}\n{browsers}"
    return (
        f"Announced: {coming['fingerprint']}\nIt takes over {_when(coming)}.\n"
        f"Look how far it is: {command(context, 'cert', 'show')}"
    )


COMMAND = cert

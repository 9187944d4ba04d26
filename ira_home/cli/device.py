"""`ira device code | list | revoke`: devices of the house."""

import click

from ira_home.base.limits import REVIEWER_DAYS, REVIEWER_USES
from ira_home.cli.house import counted, operate, show_json, show_table
from ira_home.domain.devices import DeviceKind

COLUMNS = {
    "id": "id", "person": "person", "kind": "kind", "label": "name", "online": "connected",
    "skills": "skills on", "last_seen": "last seen",
}  # fmt: skip


@click.group("device")
def device() -> None:
    """Make a reviewer's code, list devices, take one's token away."""


@device.command("code")
@click.option("--email", required=True, help="Whose devices they will be.")
@click.option("--kind", required=True, type=click.Choice([kind.value for kind in DeviceKind]))
@click.option("--days", type=click.IntRange(1, REVIEWER_DAYS), default=7, show_default=True)
@click.option("--uses", type=click.IntRange(1, REVIEWER_USES), default=1, show_default=True)
@click.option("--skills", default="", help="Names separated by commas.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def code(
    context: click.Context,
    email: str,
    kind: str,
    days: int,
    uses: int,
    skills: str,
    *,
    as_json: bool,
) -> None:
    """Make a code that lasts for days and pairs several devices, for an app store's reviewers.

    Use a demo account with nothing real in it, and remove it once the review is over.
    """
    names = [name.strip() for name in skills.split(",") if name.strip()]
    made = operate(
        context, "devices.code", email=email, kind=kind, days=days, uses=uses, skills=names
    )
    if as_json:
        show_json(made)
        return
    devices = counted(made["uses"], "device", "devices")
    click.echo(f"{made['code']}  pairs {devices} of {email}, until {made['expires_at']}")
    click.echo(made["url"])


@device.command("list")
@click.option("--email", help="Only this person's.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def everything(context: click.Context, email: str | None, *, as_json: bool) -> None:
    """List devices."""
    devices = operate(context, "devices.list", email=email)
    if as_json:
        show_json({"items": devices, "next_cursor": None})
    else:
        show_table(devices, COLUMNS, "No device is paired yet. Pair one on the Devices page.")


@device.command("revoke")
@click.argument("id", type=click.IntRange(1))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def revoke(
    context: click.Context,
    id: int,  # noqa: A002 - the word on the command line
    *,
    as_json: bool,
) -> None:
    """Take device ID's token away; its line closes at once."""
    removed = operate(context, "devices.revoke", id=id)
    if as_json:
        show_json(removed)
    else:
        click.echo(f"Device {id} was removed.")


COMMAND = device

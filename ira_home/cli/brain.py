"""`ira brain test | usage | use`: which brain answers, whether it does, and what it took."""

import click

from ira_home.cli.house import operate, secret, show_json, show_table
from ira_home.cli.invocation import command
from ira_home.domain.house import MODEL_PROVIDERS

_COLUMNS = {
    "month": "month",
    "model": "model",
    "steps": "steps",
    "prompt_tokens": "tokens read",
    "completion_tokens": "tokens written",
}


@click.group("brain")
def brain() -> None:
    """Choose the brain that answers, or test the one in force."""


@brain.command("test")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def test(context: click.Context, *, as_json: bool) -> None:
    """Ask the brain in force the smallest thing and say what came back."""
    found = operate(context, "brain.test")
    if as_json:
        show_json(found)
    else:
        click.echo(f"{found['brain']}: {found['answer']}")


@brain.command("usage")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def usage(context: click.Context, *, as_json: bool) -> None:
    """What models took each month, as their servers counted it."""
    found = operate(context, "brain.usage")
    if as_json:
        show_json({"items": found, "next_cursor": None})
    else:
        show_table(found, _COLUMNS, "No model has counted anything yet.")


@brain.command("use")
@click.argument("provider", type=click.Choice(MODEL_PROVIDERS))
@click.option("--url", help="Address of an OpenAI-compatible endpoint, up to /v1.")
@click.option("--model", "name", help="The model's name there.")
@click.option(
    "--key-stdin", is_flag=True, help="Read the key from stdin; an empty line removes it."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def use(
    context: click.Context,
    provider: str,
    url: str | None,
    name: str | None,
    *,
    key_stdin: bool,
    as_json: bool,
) -> None:
    """Choose PROVIDER: `openai` for any OpenAI-compatible endpoint, `none` for the no-key brain.

    The endpoint is not tried: `ira brain test` does that. The key is kept encrypted. IRA_MODEL_* in
    the environment, where set, go before this choice.
    """
    key = secret("Key", from_stdin=True) if key_stdin else None
    house = operate(context, "brain.use", provider=provider, url=url, name=name, key=key)
    if as_json:
        show_json(house | {"tested": False})
    elif house["model_provider"] != provider:
        click.echo(
            f"Kept, but the environment or ira.yaml says {house['model_provider']}, which goes first."
        )
    elif provider == "none":
        click.echo("The no-key brain answers.")
    else:
        click.echo(f"Kept: {house['model_name']} at {house['model_url']} answers from now on.")
        click.echo(f"It was not tested. Test it: {command(context, 'brain', 'test')}")


COMMAND = brain

"""The `ira` command: its subcommands are the modules of this package that declare COMMAND."""

from collections.abc import Sequence
import os
from pathlib import Path
import sys
from typing import NoReturn

import click

from ira_home import __version__
from ira_home.base.discover import declared
from ira_home.base.errors import IraError
from ira_home.base.jsontext import dump

# Only the server needs these; a client's installation does not have them.
_SERVER_PACKAGES = {
    "argon2",
    "aiosqlite",
    "jinja2",
    "qrcode",
    "yaml",
    "ifaddr",
    "nh3",
    "feedparser",
}


class _Commands(click.Group):
    """The subcommands, found when one is asked for: what they need may not be installed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._find()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        self._find()
        return super().get_command(ctx, cmd_name)

    def _find(self) -> None:
        if not self.commands:
            for _, command in declared("ira_home.cli", "COMMAND"):
                self.add_command(command)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ira")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder; otherwise IRA_DATA_DIR, otherwise this user's own.",
)
@click.pass_context
def ira(context: click.Context, data: Path | None) -> None:
    """Ira Home: a personal assistant for one household or clinic, on your own computer."""
    context.obj = data


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command; every refusal is one line on stderr and exit status 1 (2 for wrong usage).

    With --json a refusal is told on stdout as well: `{"error": {"code", "message"}}`.
    """
    words = _data_anywhere(arguments)
    try:
        status = ira.main(args=words, prog_name="ira", standalone_mode=False)
    except click.exceptions.Abort:
        _stop("Stopped.", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except IraError as error:
        if "--json" in words:
            click.echo(dump({"error": {"code": error.code, "message": error.message}}))
        _stop(error.message, 1)
    except ModuleNotFoundError as error:
        if error.name not in _SERVER_PACKAGES:
            raise
        _stop(
            "This is a client's installation. Install the server with: pip install 'ira-home[server]'",
            1,
        )
    except BrokenPipeError:
        # Whoever read our output has left; a second error at exit would only confuse.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def _data_anywhere(arguments: Sequence[str] | None) -> list[str]:
    """Let `--data DIR` stand behind the subcommand as well."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    moved: list[str] = []
    kept: list[str] = []
    index = 0
    while index < len(given):
        word = given[index]
        if word == "--":
            kept += given[index:]
            break
        if word == "--data" and index + 1 < len(given):
            moved = [word, given[index + 1]]
            index += 1
        elif word.startswith("--data="):
            moved = [word]
        else:
            kept.append(word)
        index += 1
    return moved + kept


def _stop(sentence: str, status: int) -> NoReturn:
    click.echo(f"ira: {sentence}", err=True)
    sys.exit(status)

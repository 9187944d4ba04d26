"""The `ira-companion` command: every refusal is one line, each with its own exit status."""

from collections.abc import Sequence
import os
from pathlib import Path
import sys
from typing import Final, NoReturn

import click

from ira_companion.find_command import find
from ira_companion.folders_command import folders
from ira_companion.invocation import FOLDER_VARIABLE, own_version, state_option
from ira_companion.pair_command import pair
from ira_companion.run_command import run, unpair
from ira_companion.state import CompanionRunning
from ira_companion.status_command import status
from ira_device import refusals
from ira_home.base.errors import IraError

# docs/companion.md has this table for people and scripts.
EXIT_STATUS: Final[dict[type[IraError], int]] = refusals.EXIT_STATUS | {CompanionRunning: 7}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(own_version(), prog_name="ira-companion")
@state_option
@click.pass_context
def companion(context: click.Context, state: Path | None) -> None:
    """Make this computer a device of your Ira Home."""
    if state is None and (named := os.environ.get(FOLDER_VARIABLE)):
        context.params["state"] = Path(named)


for _command in (find, pair, run, status, folders, unpair):
    companion.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit status."""
    try:
        companion.main(args=arguments, prog_name="ira-companion", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _stop("stopped.", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except IraError as error:
        _stop(error.message, EXIT_STATUS.get(type(error), 1))
    except BrokenPipeError:
        # Whoever read our output has left; a second error at exit would only confuse.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(0)


def _stop(sentence: str, exit_status: int) -> NoReturn:
    click.echo(f"ira-companion: {sentence}", err=True)
    sys.exit(exit_status)

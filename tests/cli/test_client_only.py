"""`ira` where only a client is installed: one sentence, whatever is asked of it."""

import subprocess
import sys

import pytest

# What is None there cannot be imported, as where it is not installed.
_WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from ira_home.cli.main import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize("package", ["yaml", "aiosqlite", "argon2"])
@pytest.mark.parametrize("words", [["--help"], ["user", "list"], ["serve"]])
def test_without_the_server_s_packages_it_says_what_to_install(
    package: str, words: list[str]
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _WITHOUT, package, *words],
        capture_output=True, text=True, check=False, timeout=50,
    )  # fmt: skip
    if ran.returncode == 0:  # the words of the help need little
        assert words == ["--help"]
        return
    assert ran.returncode == 1
    assert ran.stderr == (
        "ira: This is a client's installation. Install the server with: pip install 'ira-home[server]'\n"
    )

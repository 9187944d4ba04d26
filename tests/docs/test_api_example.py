"""The commands of docs/api.md, run in a shell as they stand there against a running home."""

import asyncio
from pathlib import Path
import re
import shutil

import pytest

from ira_home.base.jsontext import parse
from tests.support.home import PASSWORD, Home, open_home
from tests.support.pages import fenced, read

PAGE = read("docs/api.md")
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("sh", "curl", "openssl"))), reason="there is no curl or openssl"
)


async def shell(script: str, folder: Path) -> str:
    """What the script printed; it stops at the first command that fails."""
    process = await asyncio.create_subprocess_exec(
        "sh", "-e", cwd=folder, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate(script.encode())
    assert process.returncode == 0, (script, out.decode(), err.decode())
    return out.decode()


def there(text: str, home: Home, email: str, pin: str) -> str:
    """The script with this home's addresses and secrets in place of the page's."""
    for told, real in {
        "https://192.168.1.20:8443": home.base, "http://192.168.1.20:8080": home.plain,
        "you@example.com": email, "your password": PASSWORD, "your PIN": pin,
    }.items():  # fmt: skip
        text = text.replace(told, real)
    return text


async def test_a_certificate_a_token_and_a_first_question(tmp_path: Path) -> None:
    async with open_home(tmp_path / "data") as home:
        owner = await home.owner()
        first, second, third = (
            there(one, home, owner.person.email, owner.pin) for one in fenced(PAGE, "sh")
        )
        addresses = first.splitlines()[0] + "\n"
        printed = await shell(first, tmp_path)
        digits = re.sub(r"[^0-9A-F]", "", printed.partition("=")[2])
        assert digits == home.services.trust.fingerprint.replace(" ", "")

        made = parse(
            (await shell(addresses + second, tmp_path)).splitlines()[-1].partition("}}")[2]
        )
        assert made["name"] == "my script"
        assert made["scopes"] == ["actions", "ask"]
        assert not (tmp_path / "jar").exists()
        assert PASSWORD not in second.split("<<END")[0]

        (tmp_path / "token").write_text(f"Authorization: Bearer {made['token']}", encoding="utf-8")
        answer = parse(await shell(addresses + third, tmp_path))
        assert answer["text"]
        assert answer["tools"]
        assert "irat_" not in third

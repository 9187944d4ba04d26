"""The ten lines of docs/device-sdk.md, run as they stand there."""

import asyncio
import os
from pathlib import Path
import re
import signal
import sys

from tests.clients.fake_home import FakeHome

_DOCS = Path(__file__).parents[2] / "docs" / "device-sdk.md"


async def test_ten_lines_pair_connect_and_answer(home: FakeHome, tmp_path: Path) -> None:
    first = re.search(r"```python\n(.*?)```", _DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert first is not None
    (tmp_path / "lamp.py").write_text(first[1], encoding="utf-8")
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, tmp_path / "lamp.py",
        stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env=kept | {"HOME": str(tmp_path)},
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(f"{home.link().url()}\n".encode())
    line = await home.line()
    hello = await line.welcome()
    assert [tool["name"] for tool in hello["tools"]] == ["lamp_state"]
    await line.call("lamp_state", {})
    assert (await line.frame("result"))["content"] == {"summary": "The lamp is on."}
    process.send_signal(signal.SIGINT)
    _out, err = await process.communicate()
    assert process.returncode == 0
    assert "Paired with Ira as “Lamp”." in err.decode()
    assert "Traceback" not in err.decode()

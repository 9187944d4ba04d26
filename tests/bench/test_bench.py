"""The bench itself: its smallest run measures everything; what it says of aims is right."""

import asyncio
import json
from pathlib import Path
import subprocess
import sys
import time

import pytest

from tests.bench import report
from tests.bench.lag import DELAY_S, SPREAD_S, lagging
from tests.bench.machine import quantile
from tests.support.streams import dialled, listening

TOP = Path(__file__).parents[2]
# What scripts read from the last line of `make bench` (DESIGN, exact words).
KEYS = set(
    "call_p50_ratio call_p99_ratio call_cpu_ratio call_cpu_ratio_64 gate_ratio calls_per_core_64 "
    "start_ratio idle_rss_mib device_kib reconnect_cpu_ms log_rows_per_s group_commit_ratio "
    "ask_p50_ms ask_p99_ms installed_mib".split()
)


@pytest.mark.skipif(
    sys.platform == "win32", reason="a child's own use of the CPU is not told there"
)
def test_the_smallest_run_measures_everything() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--rounds", "tiny"],
        cwd=TOP, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout.splitlines()[-1])
    assert set(report.KEYS) | KEYS <= set(found)
    assert {key: value for key, value in found.items() if not value > 0} == {}


def figures(**over: float) -> dict[str, float]:
    """Everything exactly as aimed at."""
    return {figure.key: figure.aim or 1.0 for figure in report.FIGURES} | over


def test_a_table_says_what_missed_its_aim() -> None:
    assert "missed" not in report.table(figures())
    missed = report.table(figures(call_p50_ratio=2.51, log_rows_per_s=19_999.0, ask_p50_ms=9_999.0))
    lines = [line for line in missed.splitlines() if "missed" in line]
    assert [line.split("`")[1] for line in lines] == ["call_p50_ratio", "log_rows_per_s"]


def test_the_table_goes_between_the_marks_and_nowhere_else(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    document.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    report.write_down(figures(), "a machine", document)
    text = document.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{report.BEGIN}\nMeasured on a machine.")
    assert text.endswith(f"{report.END}\nafter\n")
    assert "old" not in text
    assert report.table(figures()) in text


def test_the_document_has_the_marks_and_names_every_figure() -> None:
    text = report.DOCUMENT.read_text(encoding="utf-8")
    assert text.count(report.BEGIN) == text.count(report.END) == 1
    assert [key for key in report.KEYS if f"`{key}`" not in text] == []


def test_a_quantile_is_one_of_the_values() -> None:
    values = [float(number) for number in range(100, 0, -1)]
    assert (quantile(values, 0.5), quantile(values, 0.99), quantile([7.0], 0.99)) == (
        51.0,
        100.0,
        7.0,
    )


async def test_the_slow_network_is_slow_both_ways_and_keeps_the_order() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)

    async with (
        asyncio.timeout(10),
        listening(echo) as far,
        lagging(far) as port,
        dialled(port) as (reader, writer),
    ):
        began = time.perf_counter()
        for number in range(50):
            writer.write(b"%02d" % number)
            await writer.drain()
        assert await reader.readexactly(100) == b"".join(b"%02d" % number for number in range(50))
        assert time.perf_counter() - began >= 2 * (DELAY_S - SPREAD_S) - 0.002
        writer.write_eof()
        assert await reader.read() == b""

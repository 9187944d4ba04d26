"""What was measured beside what is aimed at: for the eye, for the documentation, and for programs."""

from collections.abc import Mapping
from dataclasses import dataclass
import json
from pathlib import Path

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
DOCUMENT = Path(__file__).parents[2] / "docs" / "performance.md"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `aim` is the most it may be, or with `at_least` the least."""

    key: str
    words: str
    aim: float | None = None
    at_least: bool = False

    def is_met(self, value: float) -> bool:
        """Whether the value is as it should be."""
        if self.aim is None:
            return True
        return value >= self.aim if self.at_least else value <= self.aim


FIGURES = (
    Figure("call_p50_ratio", "a call, typical, in echoes", 2.5),
    Figure("call_p99_ratio", "a call, slowest of a hundred, in echoes", 3.5),
    Figure("gate_ratio", "the gate's own share of a call, in echoes", 0.5),
    Figure("call_cpu_ratio", "CPU of a call, in echoes", 3.0),
    Figure("call_cpu_ratio_64", "the same with 64 in flight", 6.0),
    Figure("calls_per_core_64", "calls per second of CPU, 64 in flight"),
    Figure("start_ratio", "start to first answer, in minimal servers", 2.0),
    Figure("idle_rss_mib", "memory of the idle server, MiB", 80.0),
    Figure("device_kib", "memory of a connected device, KiB", 60.0),
    Figure("reconnect_cpu_ms", "CPU of a device that comes back, ms", 3.0),
    Figure("idle_1000_cpu_percent", "1,000 idle devices, % of a core", 0.5),
    Figure("log_rows_per_s", "log rows a second, without fsync", 20_000.0, at_least=True),
    Figure("group_commit_ratio", "commits together against one by one, fsync", 8.0, at_least=True),
    Figure("ask_p50_ms", "a question with one call, typical, ms"),
    Figure("ask_p99_ms", "the same, slowest of a hundred, ms"),
    Figure("ask_p95_ms_shaped", "the same on a quarter core and a slow network, p95", 100.0),
    Figure("installed_mib", "installed, without model packages, MiB", 110.0),
    Figure("installed_all_mib", "installed, everything, MiB", 170.0),
)
KEYS = tuple(figure.key for figure in FIGURES)


def rounded(found: Mapping[str, float]) -> dict[str, float]:
    """The figures with as many digits as they are worth, the known ones first."""
    order = [*(key for key in KEYS if key in found), *(key for key in found if key not in KEYS)]
    return {
        key: float(f"{found[key]:.3g}") if found[key] < 1_000 else round(found[key])
        for key in order
    }


def table(found: Mapping[str, float]) -> str:
    """A Markdown table of the figures that have an aim or a name."""
    lines = ["| figure | | measured | aim | |", "|---|---|---|---|---|"]
    shown = rounded(found)
    for figure in FIGURES:
        value = shown[figure.key]
        sign = "≥" if figure.at_least else "≤"
        aim = "" if figure.aim is None else f"{sign} {figure.aim:,.10g}"
        mark = "" if figure.aim is None else "met" if figure.is_met(value) else "**missed**"
        lines.append(f"| `{figure.key}` | {figure.words} | {value:,.10g} | {aim} | {mark} |")
    return "\n".join(lines)


def write_down(found: Mapping[str, float], where: str, document: Path = DOCUMENT) -> None:
    """Put the table between the marks of the document; `where` says on what it was measured."""
    text = document.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    body = f"{BEGIN}\nMeasured on {where}.\n\n{table(found)}\n{END}"
    document.write_text(f"{head}{body}{tail}", encoding="utf-8")


def line(found: Mapping[str, float]) -> str:
    """The last line: one JSON object."""
    return json.dumps(rounded(found))

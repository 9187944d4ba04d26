"""How much of everything one run measures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Counts of one run. Medians are taken over `rounds`, in which echo and Ira take turns."""

    rounds: int
    single: int  # calls of a round, one at a time
    many: int  # calls of a round, 64 in flight
    starts: int
    quiet_s: float  # before the memory of a started server is read
    devices: int  # that are connected and then idle
    reconnects: int
    idle_s: float
    log_rounds: int
    log_rows: int
    single_commits: int
    asks: int
    shaped_asks: int


SIZES = {
    "full": Sizes(
        rounds=15, single=2_000, many=6_400, starts=9, quiet_s=1.0, devices=1_000, reconnects=300, idle_s=30.0,
        log_rounds=7, log_rows=20_000, single_commits=1_000, asks=400, shaped_asks=120,
    ),
    "tiny": Sizes(
        rounds=1, single=50, many=128, starts=1, quiet_s=0.0, devices=12, reconnects=6, idle_s=0.2,
        log_rounds=1, log_rows=200, single_commits=20, asks=5, shaped_asks=3,
    ),
}  # fmt: skip

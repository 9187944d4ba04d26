"""What there is too little of on the server's computer."""

from dataclasses import replace

import pytest

from ira_home.domain.health import Health, Short
from tests.support.clock import START

GB = 1024**3
FINE = Health(
    started_at=START, written_at=None, failed_writes=0, disk_free=50 * GB, disk_total=100 * GB,
    memory_used=10, memory_free=4 * GB, database=10,
)  # fmt: skip


@pytest.mark.parametrize(
    ("free", "total", "short"),
    [
        (3 * GB, 1000 * GB, ()),
        (GB, 1000 * GB, (Short.DISK_LOW,)),
        (int(1.7 * GB), 16 * GB, ()),
        (int(1.5 * GB), 16 * GB, (Short.DISK_LOW,)),
        (100 * 1024**2, 1000 * GB, (Short.DISK_OUT,)),
        (None, None, ()),
    ],
)
def test_a_disk_is_short_in_gigabytes_or_in_its_share(
    free: int | None, total: int | None, short: tuple[Short, ...]
) -> None:
    assert replace(FINE, disk_free=free, disk_total=total).short() == short


def test_memory_is_short_only_where_the_system_tells() -> None:
    assert FINE.short() == ()
    assert replace(FINE, memory_free=None).short() == ()
    short = replace(FINE, memory_free=1, disk_free=1).short()
    assert short == (Short.DISK_OUT, Short.MEMORY_LOW)

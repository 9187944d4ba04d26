"""How the server's computer and its data are: what is short, before something fails of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

_GB = 1024**3
DISK_LOW_BYTES = 2 * _GB
DISK_LOW_SHARE = 0.1  # of a small disk: two gigabytes of a memory card are no warning
DISK_OUT_BYTES = 200 * 1024**2  # the next backup may not fit
MEMORY_LOW_BYTES = 150 * 1024**2


class Short(StrEnum):
    """What there is too little of."""

    DISK_OUT = "disk_out"
    DISK_LOW = "disk_low"
    MEMORY_LOW = "memory_low"


@dataclass(frozen=True, slots=True)
class Health:
    """Bytes, None where the system does not tell; `written_at` is the last write since the start."""

    started_at: datetime
    written_at: datetime | None
    failed_writes: int
    disk_free: int | None
    disk_total: int | None
    memory_used: int | None
    memory_free: int | None
    database: int

    def short(self) -> tuple[Short, ...]:
        """What there is too little of, the worst first."""
        found = []
        if self.disk_free is not None and self.disk_total is not None:
            if self.disk_free < DISK_OUT_BYTES:
                found.append(Short.DISK_OUT)
            elif self.disk_free < min(DISK_LOW_BYTES, self.disk_total * DISK_LOW_SHARE):
                found.append(Short.DISK_LOW)
        if self.memory_free is not None and self.memory_free < MEMORY_LOW_BYTES:
            found.append(Short.MEMORY_LOW)
        return tuple(found)

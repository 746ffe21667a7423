"""What a program may use."""

from __future__ import annotations

import math
from dataclasses import dataclass

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one test.

    Args:
        seconds: from the child's start; time in which the machine gave it no processor does not count.
        memory_bytes: address space of each process, and resident memory of all of them together.
        output_bytes: of standard output, and of standard error, each.
        file_bytes: the largest file that it may write.
        scratch_bytes: size of its scratch folder.
        processes: processes and threads at a time.
    """

    seconds: float = 6.0
    memory_bytes: int = 4 * 2**30
    output_bytes: int = 64 * MEBIBYTE
    file_bytes: int = 64 * MEBIBYTE
    scratch_bytes: int = 64 * MEBIBYTE
    processes: int = 512

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise ValueError(f"the time limit must be a positive number of seconds, not {self.seconds!r}")
        if self.memory_bytes < 16 * MEBIBYTE:
            raise ValueError(f"the memory limit must be 16 MiB or more, not {self.memory_bytes!r} bytes")

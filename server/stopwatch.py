"""The clock of the benchmark and of how fast footage was worked through."""

from __future__ import annotations

import resource
import sys
import time


class Stopwatch:
    """Runs from when it is made."""

    def __init__(self) -> None:
        self._start_ns = time.perf_counter_ns()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return (time.perf_counter_ns() - self._start_ns) / 1e9


def now_ns() -> int:
    """A clock for stages."""
    return time.perf_counter_ns()


def peak_rss_mb() -> float:
    """The most memory this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts in KiB, macOS in bytes.
    return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024

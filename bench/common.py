"""What the benches share: where things are, how a command is measured, how figures are fitted."""

from __future__ import annotations

import math
import os
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
RUNS = DATA / "runs" / "lighteval"
LIGHTEVAL = ROOT / ".venv-lighteval" / "bin" / "python"
MATH_VERIFY = ROOT / ".venv-math-verify" / "bin" / "python"
_TICK = os.sysconf("SC_CLK_TCK")
_STEP, _LONGEST_STEP = 0.05, 0.5
"""Seconds between two looks at a command's processes: a look costs some milliseconds of one of two cores, so a long
run is looked at less often."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A command and all processes under it.

    Args:
        wall: seconds by the clock.
        cpu: processor seconds of all processes (sampled: what each did since the last look may be missing).
        peak: bytes of memory at once in all processes, pages that they share counted once (PSS).
        code: exit code; None where the time ran out and everything was killed.
        stdout: what it printed.
    """

    wall: float
    cpu: float
    peak: int
    code: int | None
    stdout: str

    def figures(self) -> dict[str, float | None]:
        """For the results file."""
        return {
            "wall_s": round(self.wall, 3),
            "cpu_s": round(self.cpu, 3),
            "peak_mb": round(self.peak / 1e6, 1),
            "exit_code": self.code,
        }


def measured(command: Sequence[str], timeout: float, env: dict[str, str] | None = None) -> Measured:
    """Run `command` and watch its process tree; everything is killed after `timeout` seconds."""
    started = time.monotonic()
    process = subprocess.Popen(
        list(command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT,
        env={**os.environ, "HF_HUB_OFFLINE": "1", **(env or {})}, start_new_session=True,
    )  # fmt: skip
    ticks: dict[int, int] = {}
    peak = 0
    late = False
    while process.poll() is None:
        tree = _tree(process.pid)
        peak = max(peak, sum(_pss(pid) for pid in tree))
        for pid in tree:
            ticks[pid] = max(ticks.get(pid, 0), _ticks(pid))
        late = time.monotonic() - started > timeout
        if late:
            for pid in tree:
                _kill(pid)
            break
        time.sleep(min(_LONGEST_STEP, max(_STEP, (time.monotonic() - started) / 50)))
    stdout = process.communicate()[0]
    wall = time.monotonic() - started
    return Measured(wall, sum(ticks.values()) / _TICK, peak, None if late else process.returncode, stdout)


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal() and (fields := _stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name; empty where the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _ticks(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[11]) + int(fields[12]) if fields else 0


def _pss(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # it has just ended
    return 0


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, 9)


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """The slope of log y over log x: 1 is linear."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    slope: float = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    return slope


def ratio(ours: float, theirs: float | None) -> float | None:
    """How many times ours theirs is."""
    return None if theirs is None or not ours else round(theirs / ours, 1)


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    import platform

    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.machine(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": model,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory / 1e9, 1),
        "python": platform.python_version(),
        "load_at_start": [round(load, 1) for load in os.getloadavg()],
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }

"""Where the work is done: here, or in a pool of processes that can be killed.

An engine takes the work and cuts the run into parts; workers read their own parts, so texts never travel between
processes, only grades come back, in row order. A worker that dies or stalls costs the one item that it died of.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from ..model import Kind, Part, RowError
from .ahead import Graded, in_order
from .alike import Result, counted
from .transport import Packed, pack, unpack

if TYPE_CHECKING:
    from .journal import Journal
    from .work import Work

Engine: TypeAlias = Callable[["Work", Iterator[Part], int], Iterator[Graded]]
"""(work, parts, jobs) -> every part with its grades, in order."""

_BATCH_BYTES = 4 * 2**20
_BATCH_BYTES_CODE = 2**17
_PR_SET_PDEATHSIG = 1
"""linux/prctl.h."""
_WORTH_A_POOL = 6
"""Parts of maths or choices: this process is through with fewer before a pool of them has started."""
AHEAD = 8
"""Parts a process may be ahead of the one whose turn it is: while one slow pair is at its limit, the others go on."""
_STALL = 120.0
"""Seconds a worker may be silent on a part beyond what its pairs may take by their own limits."""


def results_by(engine: str, work: Work, jobs: int, journal: Journal | None = None) -> Iterator[Result]:
    """Grades in row order; with `work.counted` those from other processes as counts where counts will do.

    Args:
        engine: `local` or `ray`.
        work: what to do.
        jobs: processes; 0 is one a core.
        journal: parts that are done are read from it, the others are written to it.
    """
    made = ENGINES[engine]
    parts = work.run.parts(_BATCH_BYTES_CODE if work.run.kind is Kind.CODE else _BATCH_BYTES)
    if journal is not None:
        done = journal.through(work, parts, lambda missing: made(work, missing, jobs))
    elif engine == "local" and jobs == 1:
        return work.grades(None)
    else:
        done = made(work, parts, jobs)
    return (result for _, results in done for result in results)


def local(work: Work, parts: Iterator[Part], jobs: int) -> Iterator[Graded]:
    """In this process where there is one job or one part, else in a pool of `jobs` processes.

    0 jobs: one a core, where there is work enough to make up for starting them.
    """
    least = 2 if jobs or work.run.kind is Kind.CODE else _WORTH_A_POOL
    jobs = jobs or cores()
    first = list(islice(parts, least))
    if jobs == 1 or len(first) < least:
        return ((part, list(work.grades(part))) for part in chain(first, parts))
    return _pooled(work, chain(first, parts), jobs)


def on_ray(work: Work, parts: Iterator[Part], jobs: int) -> Iterator[Graded]:
    """On a Ray cluster (`cluster`)."""
    from .cluster import on_ray as run

    return run(work, parts, jobs)


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pooled(work: Work, parts: Iterator[Part], jobs: int) -> Iterator[Graded]:
    from pebble import ProcessPool

    # Never fork: the parent may hold threads (pyarrow's, a hash of the input), and a lock held by one of them would
    # stay locked in the child.
    method = "forkserver" if sys.platform != "darwin" and "forkserver" in _methods() else "spawn"
    context = multiprocessing.get_context(method)
    pool = ProcessPool(max_workers=jobs, context=context, initializer=_quiet)

    def collect(part: Part, future: Any) -> list[Result]:
        return list(_collect(pool, work, part, future))

    try:
        yield from in_order(parts, AHEAD * jobs, lambda part: _schedule(pool, work, part), collect)
        pool.close()
    finally:
        pool.stop()
        pool.join()


def _methods() -> list[str]:
    return multiprocessing.get_all_start_methods()


def _quiet() -> None:
    """Workers leave Ctrl-C to the parent, which stops them."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()


@cache
def collect_seldom() -> None:
    """In a process that does nothing but grade: what it makes holds no cycles, so there is hardly any garbage to find,
    and looking for it among all that was imported takes a tenth of the time."""
    import gc

    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _schedule(pool: Any, work: Work, part: Part) -> Any:
    rows = max(part.stop - part.start, 1)
    return pool.schedule(grade_part, args=(work, part), timeout=_STALL + rows * work.seconds_per_row())


def grade_part(work: Work, part: Part) -> Packed:
    """What a worker does."""
    grades = work.grades(part)
    return pack(counted(grades) if work.counted else grades)


def _collect(pool: Any, work: Work, part: Part, future: Any) -> Iterator[Result]:
    """The part's grades. Where the worker died or stalled, halves are tried until one row is left to blame."""
    from concurrent.futures import TimeoutError as Stalled

    from pebble import ProcessExpired

    try:
        yield from unpack(future.result())
        return
    except (ProcessExpired, Stalled) as failure:
        reason = "worker_died" if isinstance(failure, ProcessExpired) else "timeout"
    if part.stop - part.start <= 1:
        yield RowError(part.start, reason, "the process that graded this row was lost")
        return
    middle = (part.start + part.stop) // 2
    for half in (Part(part.start, middle, part.key), Part(middle, part.stop, part.key)):
        yield from _collect(pool, work, half, _schedule(pool, work, half))


ENGINES: dict[str, Engine] = {"local": local, "ray": on_ray}

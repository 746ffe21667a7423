"""Computer algebra as the last resort, in a process of its own that is killed at its limit.

One worker a process, started on first need and dropped after a fork. Text lines in, text lines out. A lock lets
threads take turns. Neither the start of a worker nor waiting for other threads counts against a decision's time, so
that a verdict does not depend on how busy the machine is.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

from ..model import Equal, Proof, Undecided, UndecidedReason, Verdict
from .algebra_worker import READY
from .trees import dump, size
from .trial import MAX_NODES, Limit, Trial
from .value import Node

PATIENCE = 4
"""Times its limit that a worker is waited for by the clock where a busy machine keeps it from running."""
MAX_START = 120.0
"""Seconds that a worker may take to be ready."""
_lock = threading.Lock()
_worker: subprocess.Popen[bytes] | None = None
_owner = 0


def _after_fork() -> None:
    """The child must not talk to its parent's worker."""
    global _lock, _worker
    _lock = threading.Lock()
    if _worker is not None:
        _worker.returncode = 0  # not ours to wait for
        _worker = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def difference_vanishes(left: Node, right: Node, trial: Trial) -> Verdict:
    """Ask the worker whether left - right is identically zero; it proves equality only."""
    try:
        size(left, MAX_NODES)
        size(right, MAX_NODES)
    except Limit:
        return Undecided(UndecidedReason.LIMIT, "size")
    question = json.dumps({"left": dump(left), "right": dump(right)}) + "\n"
    reply = _ask(question, trial)
    trial.note("algebra", reply)
    match reply:
        case "zero":
            return Equal(Proof.SYMBOLIC, "computer algebra reduces the difference to zero")
        case "timeout":
            return Undecided(UndecidedReason.TIMEOUT)
        case "memory":
            return Undecided(UndecidedReason.MEMORY)
        case "unsupported":
            return Undecided(UndecidedReason.UNSUPPORTED, "computer algebra")
        case _:
            return Undecided(UndecidedReason.NOT_PROVED)


def _ask(question: str, trial: Trial) -> str:
    left = trial.seconds_left()
    if left <= 0:
        return "timeout"
    begun = time.monotonic()
    with _lock:
        for _attempt in range(2):
            try:
                worker = _running()
                trial.deadline += time.monotonic() - begun
                begun = time.monotonic()
                assert worker.stdin is not None
                used = _used(worker)
                worker.stdin.write(question.encode("utf-8", "replace"))
                worker.stdin.flush()
                reply = _read_line(worker, trial.deadline)
                while reply == "timeout" and used is not None:
                    waited = time.monotonic() - begun
                    rest = left - ((_used(worker) or left) - used)
                    if rest <= 0 or waited > PATIENCE * left:
                        break
                    reply = _read_line(worker, time.monotonic() + rest)
                if used is not None and reply != "timeout":
                    trial.deadline = max(trial.deadline, time.monotonic() + left - ((_used(worker) or left) - used))
            except (BrokenPipeError, OSError):
                reply = ""
            if reply:
                if reply == "timeout":
                    _stop()
                return reply
            _stop()
        return "memory"


def _running() -> subprocess.Popen[bytes]:
    global _worker, _owner
    if _worker is not None and _owner == os.getpid() and _worker.poll() is None:
        return _worker
    root = str(Path(__file__).resolve().parents[2])
    known = os.environ.get("PYTHONPATH")
    environment = {**os.environ, "PYTHONPATH": root if not known else os.pathsep.join((root, known))}
    _worker = subprocess.Popen(
        [sys.executable, "-m", "lighteval_fix.deciding.algebra_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    )
    _owner = os.getpid()
    if _read_line(_worker, time.monotonic() + MAX_START) != READY:
        _stop()
        raise BrokenPipeError("the worker did not start")
    return _worker


def _used(worker: subprocess.Popen[bytes]) -> float | None:
    """Processor seconds of the worker so far, where the system tells (Linux)."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return time.clock_gettime((~worker.pid << 3) | 2)  # the process's own clock, as clock_getcpuclockid(3) names it
    except OSError:
        return None


def _read_line(worker: subprocess.Popen[bytes], deadline: float) -> str:
    """One line, "timeout", or nothing where the worker died.

    Args:
        deadline: `time.monotonic()` value.
    """
    assert worker.stdout is not None
    descriptor = worker.stdout.fileno()
    held = b""
    while not held.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0:
            return "timeout"
        ready, _, _ = select.select([descriptor], [], [], min(left, 3600.0))
        if ready:
            piece = os.read(descriptor, 4096)
            if not piece:
                return ""
            held += piece
    return held.decode("ascii", "replace").strip()


def _stop() -> None:
    global _worker
    worker, _worker = _worker, None
    if worker is None or _owner != os.getpid():
        return
    worker.kill()
    end = time.monotonic() + 2
    while worker.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    for stream in (worker.stdin, worker.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                continue


atexit.register(_stop)

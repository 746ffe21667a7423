"""One program by itself.

Of all the tests that graders on this machine run, each holds a share while it runs; whoever wants to know whether a
program really is too slow waits for all the others and keeps new ones out meanwhile.

Nobody waits longer than their patience: then the test runs with company, and the clock that leaves out waiting for a
processor has to do. The locks are advisory ones on two of this package's own files, so nothing is created or left.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_ROOM, _DOOR = (os.path.join(_FOLDER, name) for name in ("forkserver.py", "alone.py"))


@contextlib.contextmanager
def share(patience: float) -> Iterator[None]:
    """Held while a test runs; waits while somebody is alone."""
    with _opened(_ROOM) as room:
        with _locked(_DOOR, fcntl.LOCK_SH, patience):
            _lock(room, fcntl.LOCK_SH, patience)
        yield


@contextlib.contextmanager
def alone(patience: float) -> Iterator[None]:
    """Nobody else's test runs meanwhile."""
    with _locked(_DOOR, fcntl.LOCK_EX, patience), _locked(_ROOM, fcntl.LOCK_EX, patience):
        yield


@contextlib.contextmanager
def _locked(path: str, how: int, patience: float) -> Iterator[None]:
    with _opened(path) as fd:
        _lock(fd, how, patience)
        yield


def _lock(fd: int, how: int, patience: float) -> None:
    """Take the lock, or go on without it when the patience is over."""
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(fd, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return
            time.sleep(0.005)
        else:
            return


@contextlib.contextmanager
def _opened(path: str) -> Iterator[int]:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)

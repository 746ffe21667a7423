"""One program by itself.

Of all the tests that graders on this machine run, each holds a share while it runs; whoever wants to know whether a
program really is too slow waits for all the others and keeps new ones out meanwhile.

The locks are advisory ones on two of this package's own files, so nothing is created and nothing is left.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_ROOM, _DOOR = (os.path.join(_FOLDER, name) for name in ("forkserver.py", "alone.py"))


@contextlib.contextmanager
def share() -> Iterator[None]:
    """Held while a test runs; waits while somebody is alone."""
    with _locked(_DOOR, fcntl.LOCK_SH), _opened(_ROOM) as room:
        fcntl.flock(room, fcntl.LOCK_SH)
        yield


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Nobody else's test runs meanwhile."""
    with _locked(_DOOR, fcntl.LOCK_EX), _locked(_ROOM, fcntl.LOCK_EX):
        yield


@contextlib.contextmanager
def _locked(path: str, how: int) -> Iterator[None]:
    with _opened(path) as fd:
        fcntl.flock(fd, how)
        yield


@contextlib.contextmanager
def _opened(path: str) -> Iterator[int]:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)

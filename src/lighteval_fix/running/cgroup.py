"""Hard bounds for a whole sandbox by control group (cgroup v2), where this host lets us make one.

A new group goes beside our own, where whoever runs us was delegated the group above (systemd does that for users, and
root has it anyway), else into our own. Its limits hold for everything in the sandbox together and at every moment; the
other limits stay. Where no group can be made, they are all there is.
Source: the kernel's Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .limits import MEBIBYTE, Limits

_NEEDED = frozenset({"memory", "pids"})
_OF_THE_SERVER = 256 * MEBIBYTE
"""Memory that counts in the group and is no program's: the fork server's, standard input, files in scratch folders."""
_SERVER_PROCESSES = 8
_counter = itertools.count()


@dataclass(frozen=True, slots=True)
class Group:
    """A control group of one sandbox."""

    path: Path

    def adopt(self, pid: int) -> bool:
        """Move a process into the group; what it forks from now on is born there. False where that is refused."""
        return _written(self.path / "cgroup.procs", pid)

    def kills(self) -> int:
        """How many processes the kernel has ended in it so far for want of memory."""
        for line in _read(self.path / "memory.events").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill" and count.isdigit():
                return int(count)
        return 0

    def remove(self, patience: float = 1.0) -> None:
        """End what is in it, and take it away. Idempotent."""
        _written(self.path / "cgroup.kill", 1)
        until = time.monotonic() + patience
        while self.path.exists():
            with contextlib.suppress(OSError):
                self.path.rmdir()
                return
            if time.monotonic() > until:
                return
            time.sleep(0.01)


def make(limits: Limits, place: Path | None) -> Group | None:
    """A fresh group with these limits in `place` (of `usable_place`); None where it cannot be made after all."""
    if place is None:
        return None
    group = Group(place / f"lighteval-fix-{os.getpid()}-{next(_counter)}")
    try:
        group.path.mkdir()
    except OSError:
        return None
    _written(group.path / "memory.swap.max", 0)
    memory = _written(group.path / "memory.max", limits.memory_bytes + _OF_THE_SERVER)
    if memory and _written(group.path / "pids.max", limits.processes + _SERVER_PROCESSES):
        return group
    group.remove(0)
    return None


@dataclass(frozen=True, slots=True)
class Found:
    """Where groups can be made, or why they cannot.

    Args:
        place: None where there is no such place.
        reason: empty where there is one.
    """

    place: Path | None
    reason: str = ""


@lru_cache(maxsize=4)
def usable_place(proc: str = "/proc/self", root: str = "") -> Found:
    """Look once for a place for groups.

    Args:
        proc: where `cgroup` and `mounts` of this process are.
        root: goes before every path of a mount.
    """
    mounts = (line.split() for line in _read(Path(proc, "mounts")).splitlines())
    mount = next((row[1] for row in mounts if len(row) > 2 and row[2] == "cgroup2"), None)
    lines = (line.partition("0::/") for line in _read(Path(proc, "cgroup")).splitlines())
    name = next((rest for before, mark, rest in lines if mark and not before), None)
    if mount is None or name is None:
        return Found(None, "no cgroup v2 is mounted")
    top = Path(root + mount)
    own = top / name
    missing = _NEEDED - set(_read(own / "cgroup.controllers").split())
    if missing:
        return Found(None, f"cgroup v2 is there, but not for {' and '.join(sorted(missing))}")
    reason = "no cgroup v2 folder may be written to"
    for place in ([own.parent] if own != top else []) + [own]:
        if not os.access(place, os.W_OK):
            continue
        active = set(_read(place / "cgroup.subtree_control").split())
        if active >= _NEEDED or _written(place / "cgroup.subtree_control", "+memory +pids"):
            _tidy(place)
            return Found(place)
        reason = "the cgroup v2 folder that may be written to holds processes itself"
    return Found(None, reason)


def _tidy(place: Path) -> None:
    """Take away the empty groups of graders that were killed before they could."""
    for left in place.glob("lighteval-fix-*-*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            with contextlib.suppress(OSError):
                left.rmdir()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _written(path: Path, value: object) -> bool:
    """These files take a value in one write, and exist already: none is ever made by us."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        os.write(fd, str(value).encode())
    except OSError:
        return False
    finally:
        os.close(fd)
    return True

"""What one program could leave for the next in the same sandbox. Goes into the sandbox beside `forkserver.py`.

The kernel keeps these things beyond the processes that made them: files and what is known of the folders, shared memory
and its kin, connections that linger, keys, and what a process of the same user may set on another. A sandbox in which
any of them is not as it was before its first program is used for no further one.
"""

from __future__ import annotations

import os
import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .forkchild import libc
else:
    from forkchild import libc

_LIMITS = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})
_SHARED = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg")
_SOCKETS = ("/proc/net/sockstat", "/proc/net/sockstat6")
_COUNTED = ("inuse", "orphan", "tw")
_SCHEDULING = ("policy", "prio", "uclamp", "effective uclamp")
_IOPRIO_GET = {"x86_64": 252}.get(os.uname().machine, 31)


class Traces:
    """How everything looked before the first program.

    Args:
        places: folders that programs may write to, all empty now.
    """

    def __init__(self, places: Sequence[str]) -> None:
        self._places = tuple(places)
        self._before = self._now()

    def none(self) -> bool:
        """Is everything as it was? (No process but this one may be running.)"""
        return self._now() == self._before

    def _now(self) -> list[object]:
        seen: list[object] = [_folder(place) for place in self._places]
        seen += [resource.getrlimit(limit) for limit in _LIMITS]
        seen += [os.sched_getaffinity(0), os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0)]
        seen += [line for line in _text("/proc/self/sched").splitlines() if line.startswith(_SCHEDULING)]
        seen.append(libc("syscall", _IOPRIO_GET, 1, 0))
        seen += [_text(path) for path in _SHARED]
        seen += [list(_counts(_text(path))) for path in _SOCKETS]
        seen.append(_keys(_text("/proc/key-users")))
        return seen


def _folder(path: str) -> object:
    """What it holds, whose it is, and when that last changed: a file made and taken away again shows, too."""
    try:
        stat = os.lstat(path)
        return stat.st_mode, stat.st_uid, stat.st_ino, stat.st_ctime_ns, os.listdir(path)
    except OSError as error:
        return error.errno


def _text(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError as error:
        return str(error.errno)


def _counts(text: str) -> Iterator[tuple[str, str]]:
    """Of the table of sockets what belongs to this network namespace; the rest is the whole machine's."""
    for line in text.splitlines():
        words = line.split()
        pairs = zip(words[1::2], words[2::2])  # noqa: B905 (the interpreter may be 3.9)
        yield from ((words[0] + name, value) for name, value in pairs if name in _COUNTED)


def _keys(text: str) -> list[list[str]]:
    """How many keys this user has (the second column counts who looks at them at the moment)."""
    rows = (line.split() for line in text.splitlines())
    return [row[2:] for row in rows if row and row[0] == f"{os.getuid()}:"]

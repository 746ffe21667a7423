"""How the fork server follows a child to its end, and sees to it that nothing runs on. Goes into the sandbox."""

from __future__ import annotations

import os
import resource
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Sequence

    from .forkchild import Fields
else:
    import _signal

_KILL = _signal.SIGKILL
_HEAD = 16384
_TAIL = 49152
_SHOWN = 1 << 20
_LOOK = 0.05
_BUSY = 0.9
_COMPANY = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")


class Stream:
    """What comes out of one pipe, bounded: `keep_all` up to the limit, else its beginning and its end.

    Args:
        limit: bytes; a program that writes more is ended, unless this pipe is `free`.
    """

    def __init__(self, limit: int, keep_all: bool = True, free: bool = False) -> None:
        self.reader, self.writer = os.pipe()
        self.limit, self.keep_all, self.free = limit, keep_all, free
        self.parts: list[bytes] = []
        self.size, self.tail = 0, b""

    def take(self) -> bool:
        """Read once; False at the end of the stream."""
        piece = os.read(self.reader, 1 << 20)
        if not piece:
            return False
        self.size += len(piece)
        if self.over() and self.free:
            return True
        if self.keep_all or self.size <= _HEAD:
            self.parts.append(piece)
        else:
            self.tail = (self.tail + piece)[-_TAIL:]
        return True

    def over(self) -> bool:
        return self.size > self.limit

    def ends_test(self) -> bool:
        """More came than may come."""
        return self.over() and not self.free

    def data(self) -> bytes:
        whole = b"".join(self.parts)
        return whole[:_SHOWN] if self.over() else whole + self.tail


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as listed:
        return [int(pid) for pid in listed.read().split()]


def sweep() -> bool:
    """Kill and reap everything that a test left; True if there was anything.

    As process 1 that is every other process of the namespace. Without one, orphans come to us (we are their reaper), so
    killing our children until there are none gets them all.
    """
    left = False
    for _ in range(10000):
        try:
            if os.getpid() == 1:
                os.kill(-1, _KILL)
                left = True
            else:
                for pid in _children():
                    os.kill(pid, _KILL)
                    left = True
        except ProcessLookupError:
            pass
        try:
            while os.waitpid(-1, 0):
                left = True
        except ChildProcessError:
            pass
        try:
            if os.getpid() == 1:
                os.kill(-1, 0)
            elif not _children():
                return left
        except ProcessLookupError:
            return left
    os._exit(3)


def _processes(pid: int) -> list[str]:
    """All of the namespace but this one; where we have none of our own, the child alone."""
    if os.getpid() != 1:
        return [str(pid)]
    return [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def _waited(pid: int) -> float:
    """Seconds that a thread stood ready without a processor, of the one that did so longest: a loaded machine is not
    the program's fault, and the main thread may only be waiting for the one that works."""
    longest = 0
    for process in _processes(pid):
        try:
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/schedstat") as stat:
                    longest = max(longest, int(stat.read().split()[1]))
        except (OSError, IndexError, ValueError):
            continue
    return longest / 1e9


def _resident() -> int:
    """Bytes resident in all processes of the namespace but this one (0 where we have no namespace of our own)."""
    total = 0
    for process in _processes(0) if os.getpid() == 1 else []:
        try:
            with open(f"/proc/{process}/statm") as stat:
                total += int(stat.read().split()[1])
        except (OSError, IndexError, ValueError):
            continue
    return total * resource.getpagesize()


def _at_work(pid: int) -> tuple[float, float]:
    """Processor seconds so far: of all that runs on the machine, and of the test's own processes (those that it has
    waited for included). What other guests of the same hardware took from us counts as the machine's."""
    with open("/proc/stat") as stat:
        machine = [int(ticks) for ticks in stat.readline().split()[1:9]]
    own = 0
    for process in _processes(pid):
        try:
            with open(f"/proc/{process}/stat") as stat:
                own += sum(int(ticks) for ticks in stat.read().rpartition(")")[2].split()[11:15])
        except (OSError, ValueError):
            continue
    return (sum(machine) - machine[3] - machine[4]) / _TICKS, own / _TICKS


def is_certain(seconds: float, limit: float, own: float, others: float) -> bool:
    """A test at its limit had a processor for nearly all of it, and nothing else ran on the machine that could have
    slowed it down: run again by itself it would do the same.

    Args:
        seconds: looked at, by the clock, up to now.
        own, others: processor seconds of the test, and of everything else on the machine, in these.
    """
    return own >= _BUSY * limit and others <= _COMPANY * seconds


def watch(pid: int, start: float, ask: Fields, streams: Sequence[Stream], control: int) -> dict[str, object]:
    """Follow a child to its end and say how it ended: the fields of the answer."""
    limit, memory = float(ask["seconds"]), int(ask["memory"])
    seconds, most = limit, limit * float(ask["slack"])
    ended, ending = os.pidfd_open(pid), ""
    poll = select.poll()
    open_now = {stream.reader: stream for stream in streams}
    for fd in (ended, control, *open_now):
        poll.register(fd, select.POLLIN)
    running, deadline, waited = True, start + seconds, 0.0
    look = min(deadline, start + _LOOK)
    before: tuple[float, float, float] | None = None
    certain = False
    while running and not ending:
        for fd, _ in poll.poll(max(0, look - time.monotonic()) * 1000 + 1):
            if fd == ended:
                running = False
            elif fd == control:
                sweep()
                os._exit(0)
            elif not open_now[fd].take():
                poll.unregister(fd)
            elif open_now[fd].ends_test():
                ending = "output_limit"
        now = time.monotonic()
        if running and not ending and now >= look:
            if before is None:
                before = (now, *_at_work(pid))
            if now >= deadline:
                late = start + seconds + min(_waited(pid), seconds)
                if now >= late:
                    machine, own = _at_work(pid)
                    others = machine - before[1] - (own - before[2])
                    certain = certain or is_certain(now - before[0], limit, own, others)
                    if certain or seconds >= most or own < _BUSY * limit:
                        ending = "timeout"
                    else:
                        seconds, late = most, late - seconds + most
                deadline = late
            elif _resident() > memory:
                ending = "memory"
            look = min(deadline, now + _LOOK)
    if running:
        os.kill(pid, _KILL)
    if time.monotonic() - start > limit:
        waited = _waited(pid)
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - start
    os.close(ended)
    left = sweep()
    for stream in streams:
        os.set_blocking(stream.reader, False)
        try:
            while not stream.ends_test() and stream.take():
                pass
        except BlockingIOError:
            pass
        os.close(stream.reader)
        if stream.ends_test() and not ending:
            ending = "output_limit"
    return {
        "ending": ending,
        "exit": os.waitstatus_to_exitcode(status),
        "wall": f"{wall:.6f}",
        "waited": f"{waited:.6f}",
        "certain": int(certain),
        "cpu": f"{used.ru_utime + used.ru_stime:.6f}",
        "peak": used.ru_maxrss * 1024,
        "left": int(left),
    }

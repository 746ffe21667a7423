"""What runs inside the sandbox: it compiles a program once and forks a fresh child for every test.

Standard library only, and little of it (`_signal`, since `signal` loads `enum`), because a start must cost a few
milliseconds. It is started as a script, with `forkchild.py` beside it. A child turns this very `__main__` into the
program's, so that recursion depth, exceptions, threads, exit status and the interpreter's own shutdown are those of
`python program.py`; `sys.stdin`, `sys.stdout` and `sys.stderr` are the ones that the interpreter made for descriptors
0, 1 and 2, never used before. Expected outputs are not known here. Whatever a program does to this process is its own
loss: the verdict is made outside, from bytes and an exit status.

Frames on the control socket, both ways: two 8-byte big-endian lengths, a header, a body. A header is
`name NUL value NUL …`.
"""

from __future__ import annotations

import gc
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Mapping

    from .forkchild import DUMPABLE, PDEATHSIG, Ending, Fields, Loaded, become, prctl
else:
    import _signal

    from forkchild import DUMPABLE, PDEATHSIG, become, prctl

_KILL = _signal.SIGKILL
_HEAD = 16384
_TAIL = 49152
_SHOWN = 1 << 20
_PATIENCE = 30
_SUBREAPER, _NO_NEW_PRIVILEGES = 36, 38


def _become_user(user: int) -> None:
    """Give up root for good. Root's capabilities go with its uid, and nothing that is executed can bring them back."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    prctl(_NO_NEW_PRIVILEGES, 1)
    if {*os.getresuid(), *os.getresgid()} != {user} or os.getgroups():
        os._exit(4)


def _read(fd: int, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        piece = os.read(fd, min(size - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)


def _receive(fd: int) -> tuple[Fields, bytes] | None:
    """The next frame as (fields, body), or None at the end."""
    lengths = _read(fd, 16)
    if lengths is None:
        return None
    header = _read(fd, int.from_bytes(lengths[:8], "big"))
    body = _read(fd, int.from_bytes(lengths[8:], "big"))
    if header is None or body is None:
        return None
    parts = header.decode("utf-8", "surrogateescape").split("\0")
    return dict(zip(parts[::2], parts[1::2], strict=False)), body


def _send(fd: int, fields: Mapping[str, object], *bodies: bytes) -> None:
    header = "\0".join([part for pair in fields.items() for part in map(str, pair)]).encode("utf-8", "replace")
    size = sum(map(len, bodies))
    for data in (len(header).to_bytes(8, "big") + size.to_bytes(8, "big") + header, *bodies):
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]


class _Stream:
    """What comes out of one pipe, bounded: `keep_all` up to the limit, else its beginning and its end."""

    def __init__(self, limit: int, keep_all: bool) -> None:
        self.reader, self.writer = os.pipe()
        self.limit, self.keep_all = limit, keep_all
        self.parts: list[bytes] = []
        self.size, self.tail = 0, b""

    def take(self) -> bool:
        """Read once; False at the end of the stream."""
        piece = os.read(self.reader, 1 << 20)
        if not piece:
            return False
        self.size += len(piece)
        if self.keep_all or self.size <= _HEAD:
            self.parts.append(piece)
        else:
            self.tail = (self.tail + piece)[-_TAIL:]
        return True

    def over(self) -> bool:
        return self.size > self.limit

    def data(self) -> bytes:
        whole = b"".join(self.parts)
        return whole[:_SHOWN] if self.over() else whole + self.tail


def _stdin(data: bytes) -> int:
    """A read-only descriptor on a file in memory that holds `data`."""
    made = os.memfd_create("stdin", os.MFD_CLOEXEC)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(made, view) :]
        return os.open(f"/proc/self/fd/{made}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(made)


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as listed:
        return [int(pid) for pid in listed.read().split()]


def _sweep() -> bool:
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


def _waited(pid: int) -> float:
    """Seconds that the process stood ready without a processor: a loaded machine is not the program's fault."""
    try:
        with open(f"/proc/{pid}/schedstat") as stat:
            return int(stat.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _resident() -> int:
    """Bytes resident in all processes of the namespace but this one (0 where we have no namespace of our own)."""
    total = 0
    if os.getpid() == 1:
        for name in os.listdir("/proc"):
            if name.isdigit() and name != "1":
                try:
                    with open(f"/proc/{name}/statm") as stat:
                        total += int(stat.read().split()[1])
                except (OSError, IndexError, ValueError):
                    continue
    return total * resource.getpagesize()


def _watch(pid: int, start: float, ask: Fields, streams: list[_Stream], control: int) -> dict[str, object]:
    """Follow a child to its end and say how it ended: the fields of the answer."""
    seconds, memory = float(ask["seconds"]), int(ask["memory"])
    ended, ending = os.pidfd_open(pid), ""
    poll = select.poll()
    open_now = {stream.reader: stream for stream in streams}
    for fd in (ended, control, *open_now):
        poll.register(fd, select.POLLIN)
    look = deadline = start + seconds
    running, deadline = True, start + seconds
    look = min(deadline, start + 0.05)
    while running and not ending:
        for fd, _ in poll.poll(max(0, look - time.monotonic()) * 1000 + 1):
            if fd == ended:
                running = False
            elif fd == control:
                _sweep()
                os._exit(0)
            elif not open_now[fd].take():
                poll.unregister(fd)
            elif open_now[fd].over():
                ending = "output_limit"
        now = time.monotonic()
        if running and not ending and now >= look:
            if now >= deadline:
                late = start + seconds + min(_waited(pid), seconds)
                if now >= late:
                    ending = "timeout"
                deadline = late
            elif _resident() > memory:
                ending = "memory"
            look = min(deadline, now + 0.05)
    if running:
        os.kill(pid, _KILL)
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - start
    os.close(ended)
    left = _sweep()
    for stream in streams:
        os.set_blocking(stream.reader, False)
        try:
            while not stream.over() and stream.take():
                pass
        except BlockingIOError:
            pass
        os.close(stream.reader)
        if stream.over() and not ending:
            ending = "output_limit"
    return {
        "ending": ending,
        "exit": os.waitstatus_to_exitcode(status),
        "wall": f"{wall:.6f}",
        "cpu": f"{used.ru_utime + used.ru_stime:.6f}",
        "peak": used.ru_maxrss * 1024,
        "left": int(left),
    }


def _signature(path: str) -> list[tuple[int, int, int]]:
    """What changes when the program's file or its folder is touched, whatever time stamps are set afterwards."""
    seen = [os.stat(path), os.stat(os.path.dirname(path))]
    return [(stat.st_ino, stat.st_size, stat.st_ctime_ns) for stat in seen]


def _dirty(places: list[str], path: str, signature: list[tuple[int, int, int]]) -> bool:
    """Did the test leave files in the places that it may write to, or touch the program's own?"""
    try:
        return any(os.listdir(place) for place in places) or _signature(path) != signature
    except OSError:
        return True


def _import(names: list[str]) -> None:
    for name in names:
        try:
            __import__(name)
        except ImportError:
            continue


def _load(ask: Fields, source: bytes) -> Loaded:
    """The compiled program, or the exception that compiling it raises (which every test then dies of)."""
    with open(ask["path"], "wb") as file:
        file.write(source)
    os.chmod(ask["path"], 0o444)
    sys.path[:] = [os.path.dirname(ask["path"]), *(p for p in ask["sys_path"].split("\n") if p)]
    _import(ask["preload"].split())
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (int(ask["memory"]), hard))
        return compile(source, ask["path"], "exec", dont_inherit=True), None
    except BaseException as error:
        return None, error.with_traceback(None)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _serve() -> Ending:
    """Answer tests until the control socket closes; in a child, return the program's code and how it ends."""
    import site

    site.setquit()
    site.setcopyright()
    site.sethelper()
    control, user = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(control, False)
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    if user:
        _become_user(user)
    prctl(PDEATHSIG, _KILL)
    prctl(_SUBREAPER, 1)
    prctl(DUMPABLE, 0)
    _send(control, {"ready": os.getpid()})
    _import(sys.argv[3:])
    idle = select.poll()
    idle.register(control, select.POLLIN)
    received = _receive(control) if idle.poll(_PATIENCE * 1000) else None
    if received is None:
        os._exit(0)
    load = received[0]
    places = load["places"].split("\n")
    loaded = _load(*received)
    signature = _signature(load["path"])
    _send(control, {"loaded": int(loaded[1] is None)})
    gc.collect()
    gc.freeze()
    while True:
        received = _receive(control)
        if received is None:
            os._exit(0)
        ask, body = received
        limit = int(ask["output"])
        ask["path"] = load["path"]
        called = bool(ask["function"])
        streams = [_Stream(limit, True), _Stream(limit, False)] + ([_Stream(limit, True)] if called else [])
        stdin = _stdin(b"" if called else body)
        start = time.monotonic()
        pid = os.fork()
        if not pid:
            return become(ask, body, loaded, stdin, [stream.writer for stream in streams])
        os.close(stdin)
        for stream in streams:
            os.close(stream.writer)
        answer = _watch(pid, start, ask, streams, control)
        bodies = [stream.data() for stream in streams]
        answer["dirty"] = int(_dirty(places, load["path"], signature))
        answer["sizes"] = " ".join(str(len(data)) for data in bodies)
        _send(control, answer, *bodies)


if __name__ == "__main__":
    with _serve() as __code__:
        exec(globals().pop("__code__"), globals())

"""What runs inside the sandbox: it takes programs, one after the other, and forks a fresh child for every test.

Standard library only, and little of it (`_signal`, since `signal` loads `enum`), because a start must cost a few
milliseconds. It is started as a script, with `fork*.py` beside it. A child turns this very `__main__` into the
program's, so that exceptions, threads, exit status and the interpreter's own shutdown are those of `python program.py`,
and so is the depth of recursion, but for two frames. `sys.stdin`, `sys.stdout` and `sys.stderr` are the ones that the
interpreter made for descriptors 0, 1 and 2, never used before.

Expected outputs are not known here, and nothing of a program is looked at in this process: its first child compiles it,
and what that sends back is handed to the next children unseen. Whatever a program does to its own tests is its own
loss: the verdict is made outside, from bytes and an exit status. The next one comes only if nothing of it is left.

Frames on the control socket, both ways: two 8-byte big-endian lengths, a header, a body. A header is
`name NUL value NUL …`.
"""

from __future__ import annotations

import gc
import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Mapping

    from .forkchild import DUMPABLE, PDEATHSIG, Ending, Fields, become, prctl
    from .forktraces import Traces
    from .forkwatch import Stream, sweep, watch
else:
    import _signal

    from forkchild import DUMPABLE, PDEATHSIG, become, prctl
    from forktraces import Traces
    from forkwatch import Stream, sweep, watch

_CODE = 1 << 26
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
    return dict(zip(parts[::2], parts[1::2])), body  # noqa: B905 (the interpreter may be 3.9)


def _send(fd: int, fields: Mapping[str, object], *bodies: bytes) -> None:
    header = "\0".join([part for pair in fields.items() for part in map(str, pair)]).encode("utf-8", "replace")
    size = sum(map(len, bodies))
    for data in (len(header).to_bytes(8, "big") + size.to_bytes(8, "big") + header, *bodies):
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]


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


class _Program:
    """The program that this server has at the moment: its file, and its bytecode once a child has compiled it."""

    def __init__(self, load: Fields, source: bytes) -> None:
        self.path, self.source, self.code = load["path"], source, b""
        self.sys_path = [os.path.dirname(self.path), *(p for p in load["sys_path"].split("\n") if p)]
        self._places = load["places"].split("\n")
        with open(self.path, "wb") as file:
            file.write(source)
        os.chmod(self.path, 0o444)
        self._signature = self._seen()

    def _seen(self) -> list[tuple[int, int, int]]:
        """What changes when the file or its folder is touched, whatever time stamps are set afterwards."""
        seen = [os.stat(self.path), os.stat(os.path.dirname(self.path))]
        return [(stat.st_ino, stat.st_size, stat.st_ctime_ns) for stat in seen]

    def dirty(self) -> bool:
        """Did the test leave files in the places that it may write to, or touch the program's own?"""
        try:
            return any(os.listdir(place) for place in self._places) or self._seen() != self._signature
        except OSError:
            return True

    def removed(self) -> bool:
        """Take the file away; False if it is not alone, or not what it was."""
        if self.dirty():
            return False
        os.unlink(self.path)
        return not os.listdir(os.path.dirname(self.path))

    def take_code(self, data: bytes) -> None:
        """What the first child sent of the compiled program; nothing where it did not come so far."""
        if len(data) > 8 and int.from_bytes(data[:8], "big") == len(data) - 8:
            self.code = data[8:]


def _test(program: _Program, ask: Fields, body: bytes, control: int) -> Ending | None:
    """Run one test and answer; in the child, return the program's code and how it ends."""
    limit, called = int(ask["output"]), bool(ask["function"])
    streams = [Stream(limit), Stream(limit, keep_all=False)]
    result = Stream(limit) if called else None
    code = None if program.code else Stream(_CODE, free=True)
    streams += [stream for stream in (result, code) if stream is not None]
    stdin = _stdin(b"" if called else body)
    start = time.monotonic()
    pid = os.fork()
    if not pid:
        private = [-1 if stream is None else stream.writer for stream in (result, code)]
        return become(ask, body, program, [stdin, *(stream.writer for stream in streams[:2])], private)
    os.close(stdin)
    for stream in streams:
        os.close(stream.writer)
    answer = watch(pid, start, ask, streams, control)
    if code is not None:
        program.take_code(code.data())
    bodies = [stream.data() for stream in streams if stream is not code]
    answer["dirty"] = int(program.dirty())
    answer["sizes"] = " ".join(str(len(data)) for data in bodies)
    _send(control, answer, *bodies)
    return None


def _idle(control: int) -> None:
    """Wait for the next frame, not for ever: whoever holds the other end may have forgotten it."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    if not poll.poll(_PATIENCE * 1000):
        os._exit(0)


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
    prctl(PDEATHSIG, _signal.SIGKILL)
    prctl(_SUBREAPER, 1)
    prctl(DUMPABLE, 0)
    _send(control, {"ready": os.getpid()})
    for name in sys.argv[3:]:
        __import__(name)
    gc.collect()
    gc.freeze()
    program: _Program | None = None
    traces: Traces | None = None
    while True:
        if program is None:
            _idle(control)
        received = _receive(control)
        if received is None:
            os._exit(0)
        ask, body = received
        if ask["do"] == "load":
            traces = traces or Traces(ask["places"].split("\n"))
            program = _Program(ask, body)
        elif program is None or traces is None:
            os._exit(5)
        elif ask["do"] == "reset":
            if sweep() or not program.removed() or not traces.none():
                os._exit(0)
            program = None
            _send(control, {"ready": os.getpid()})
        else:
            ending = _test(program, ask, body, control)
            if ending is not None:
                return ending


if __name__ == "__main__":
    with _serve() as __code__:
        exec(globals().pop("__code__"), globals())

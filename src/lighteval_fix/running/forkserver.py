"""The one file that runs inside the sandbox: it compiles a program once and forks a fresh child for every test.

Standard library only, and little of it (`_signal`, since `signal` loads `enum`), because a start must cost a few
milliseconds. It is started as a script. A child turns this very `__main__` into the program's, so that recursion depth,
exceptions, threads, exit status and the interpreter's own shutdown are those of `python program.py`; `sys.stdin`,
`sys.stdout` and `sys.stderr` are the ones that the interpreter made for descriptors 0, 1 and 2, never used before.
Expected outputs are not known here. Whatever a program does to this process is its own loss: the verdict is made
outside, from bytes and an exit status.

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
    from types import CodeType

    Loaded = tuple[CodeType | None, BaseException | None]
    Fields = dict[str, str]
else:
    import _signal

_KILL = _signal.SIGKILL
_HEAD = 16384
_TAIL = 49152
_SHOWN = 1 << 20
_PATIENCE = 30
_PDEATHSIG, _DUMPABLE, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 4, 36, 38


def _prctl(option: int, value: int) -> int:
    """One Linux `prctl`; without `_ctypes` these belts are missing, and the braces hold."""
    try:
        import _ctypes

        call = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")  # type: ignore[arg-type]
        return int(_ctypes.call_function(call, (option, value, 0, 0, 0)))
    except (ImportError, OSError):
        return -1


def _become_user(user: int) -> None:
    """Give up root for good. Root's capabilities go with its uid, and nothing that is executed can bring them back."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _prctl(_NO_NEW_PRIVILEGES, 1)
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


def _lower(which: int, value: int) -> None:
    """Set a limit for good, never above what we were given."""
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _confine(ask: Fields) -> None:
    seconds, memory = float(ask["seconds"]), int(ask["memory"])
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, int(ask["file"]))
    _lower(resource.RLIMIT_CPU, int(seconds * 4) + 2)
    if int(ask["processes"]):
        _lower(resource.RLIMIT_NPROC, int(ask["processes"]))


def _answer(value: object) -> str:
    """A returned value as JSON text, by its own type alone: nothing of the program's is asked what it thinks it is."""
    import json

    def plain(part: object) -> object:
        if part is None or part is True or part is False:
            return part
        if isinstance(part, str):
            return str.__str__(part)
        if isinstance(part, int):
            return int.__index__(part)
        if isinstance(part, float):
            return float.__float__(part)
        if isinstance(part, list):
            return [plain(member) for member in list.__iter__(part)]
        if isinstance(part, tuple):
            return [plain(member) for member in tuple.__iter__(part)]
        if isinstance(part, dict):
            pairs = [(key, plain(member)) for key, member in dict.items(part)]
            if all(isinstance(key, str) for key, _ in pairs):
                return {str.__str__(key): member for key, member in pairs}
        if type(part).__module__ == "numpy" and hasattr(part, "item") and not getattr(part, "shape", 1):
            return plain(part.item())
        raise TypeError(f"returned a {type(part).__name__}, which is no JSON value")

    return json.dumps(plain(value))


def _call(code: CodeType, ask: Fields, body: bytes, result: int) -> None:
    """Run the program as an imported module, call its function, and write what it returns to the private pipe."""
    import json
    from types import ModuleType

    module = ModuleType("solution")
    module.__file__ = ask["path"]
    sys.modules["solution"] = module
    exec(ask["preamble"], module.__dict__)
    exec(code, module.__dict__)
    holder = module.Solution() if isinstance(getattr(module, "Solution", None), type) else module
    arguments = [json.loads(line) for line in body.decode("utf-8", "surrogateescape").split("\n")]
    value = getattr(holder, ask["function"])(*arguments)
    sys.set_int_max_str_digits(0)
    data = memoryview(_answer(value).encode("utf-8", "surrogatepass"))
    while data:
        data = data[os.write(result, data) :]


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
                late = start + seconds + min(_waited(pid), 2 * seconds)
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


def _become(path: str) -> None:
    """Make this `__main__` the program's: its names are those of a fresh one."""
    main = globals()
    loader, builtins = sys.modules["_frozen_importlib_external"].SourceFileLoader, main["__builtins__"]
    main.clear()
    main.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=loader("__main__", path),
        __spec__=None,
        __annotations__={},
        __builtins__=builtins,
        __file__=path,
        __cached__=None,
    )


class _Ending:
    """Ends a child as the interpreter would, three milliseconds faster.

    A program that ended well, or by `sys.exit` with a number, has its threads joined, its exit functions called, its
    names dropped and its streams flushed, in the interpreter's order; taking down the modules that the server had
    loaded is skipped. Every other ending is left to the interpreter itself. No global name is used, for they are the
    program's by now.
    """

    def __init__(self, code: CodeType, names: dict[str, object]) -> None:
        import atexit

        self.code, self.names, self.sys, self.leave, self.gc = code, names, sys, os._exit, gc
        self.exit_functions = atexit._run_exitfuncs

    def __enter__(self) -> CodeType:
        return self.code

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: object) -> None:
        status = None if kind is None else getattr(value, "code", None)
        if kind not in (None, SystemExit) or not (status is None or isinstance(status, int)):
            return
        system, names = self.sys, self.names
        if "threading" in system.modules:
            system.modules["threading"]._shutdown()
        self.exit_functions()
        if not self._flush():
            return
        for name in ("stdin", "stdout", "stderr"):
            setattr(system, name, getattr(system, f"__{name}__"))
        del value, trace
        for private in (True, False):
            for name in list(names):
                if name != "__builtins__" and (name[:1] == "_" and name[1:2] != "_") is private:
                    names[name] = None
        self.gc.collect()
        if self._flush():
            self.leave((status or 0) & 255)

    def _flush(self) -> bool:
        try:
            for stream in (self.sys.stdout, self.sys.stderr):
                if stream is not None and not stream.closed:
                    stream.flush()
        except Exception:
            return False
        return True


def _child(ask: Fields, body: bytes, loaded: Loaded, stdin: int, streams: list[_Stream]) -> _Ending:
    """In the child: descriptors, limits, names; returns the code to run at the outermost frame."""
    os.setsid()
    for number, fd in enumerate([stdin, streams[0].writer, streams[1].writer]):
        os.dup2(fd, number)
    result = -1
    if len(streams) == 3:
        result = os.dup2(streams[2].writer, 1023 if os.sysconf("SC_OPEN_MAX") > 1023 else 63, inheritable=False)
        os.closerange(3, result)
    else:
        os.closerange(3, 1024)
    os.chdir(ask["home"])
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    _prctl(_DUMPABLE, 1)
    if os.getppid() != 1:
        _prctl(_PDEATHSIG, _KILL)
    _confine(ask)
    path, preamble = ask["path"], ask["preamble"]
    sys.argv[:] = [path]
    code, error = loaded
    if preamble:
        sys.setrecursionlimit(50000)
        if hasattr(sys, "set_int_max_str_digits"):
            sys.set_int_max_str_digits(50000)
    if code is None or ask["function"]:
        try:
            if code is None:
                raise error or SystemError
            _call(code, ask, body, result)
        except Exception as failed:
            sys.excepthook(type(failed), failed, None if error is not None else failed.__traceback__)
            raise SystemExit(1) from None
        raise SystemExit(0)
    ending = _Ending(code, globals())
    _become(path)
    exec(preamble, ending.names)
    return ending


def _serve() -> _Ending:
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
    _prctl(_PDEATHSIG, _KILL)
    _prctl(_SUBREAPER, 1)
    _prctl(_DUMPABLE, 0)
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
            return _child(ask, body, loaded, stdin, streams)
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

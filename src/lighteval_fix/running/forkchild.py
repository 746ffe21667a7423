"""What a forked child of the fork server does: it becomes the program. Goes into the sandbox beside `forkserver.py`."""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Sequence
    from types import CodeType
    from typing import Protocol

    Fields = dict[str, str]

    class Program(Protocol):
        """What a child needs to know of the program."""

        path: str
        source: bytes
        code: bytes
        sys_path: list[str]
else:
    import _signal

PDEATHSIG, DUMPABLE = 1, 4
_SERVER = ("forkchild", "forktraces", "forkwatch")


def libc(name: str, *arguments: int) -> int:
    """Call a function of the C library; -1 without `_ctypes`: then these belts are missing, and the braces hold."""
    try:
        import _ctypes

        return int(_ctypes.call_function(_ctypes.dlsym(_ctypes.dlopen(None, 0), name), arguments))  # type: ignore[arg-type]
    except (ImportError, OSError):
        return -1


def prctl(option: int, value: int) -> int:
    """One Linux `prctl`."""
    return libc("prctl", option, value, 0, 0, 0)


def _lower(which: int, value: int) -> None:
    """Set a limit for good, never above what we were given."""
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _confine(ask: Fields) -> None:
    seconds, memory = float(ask["seconds"]), int(ask["memory"])
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_MSGQUEUE, 0)
    _lower(resource.RLIMIT_FSIZE, int(ask["file"]))
    _lower(resource.RLIMIT_CPU, int(seconds * 6) + 2)
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
        if type(part).__module__ in ("decimal", "fractions") and float(part) == part:  # type: ignore[arg-type]
            return int(part) if int(part) == part else float(part)
        raise TypeError(f"returned a {type(part).__name__}, which is no JSON value")

    return json.dumps(plain(value))


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _text(source: bytes) -> str | bytes:
    """The program as the text that it is. It has been text before it was this file, so a cookie that names an encoding
    is a comment, and a byte order mark none of its characters."""
    try:
        return source.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return source


def _compiled(program: Program, send: int) -> CodeType:
    """The program's code: as an earlier child sent it, else compiled here, and sent before anything of it runs."""
    if program.code:
        code: CodeType = marshal.loads(program.code)
        return code
    code = compile(_text(program.source), program.path, "exec", dont_inherit=True)
    if send >= 0:
        data = marshal.dumps(code)
        _write(send, len(data).to_bytes(8, "big") + data)
        os.close(send)
    return code


def _digits(limit: int) -> int:
    """Set how many digits of an integer are read and written (0: all), and return the former limit."""
    if not hasattr(sys, "set_int_max_str_digits"):
        return 0
    former = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(limit)
    return former


def _lines(body: bytes) -> list[str]:
    """A call's arguments, one JSON text a line; none where there is nothing."""
    try:
        text = body.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = body.decode("utf-8", "surrogateescape")
    return text.rstrip("\r\n").split("\n") if text.strip() else []


def _call(code: CodeType, ask: Fields, path: str, body: bytes, result: int) -> None:
    """Run the program as an imported module, call its function, and write what it returns to the private pipe."""
    import json
    from types import ModuleType

    leave = os._exit
    digits = _digits(0)
    arguments = [json.loads(line) for line in _lines(body)]
    _digits(digits)
    module = ModuleType("solution")
    module.__file__ = path
    sys.modules["solution"] = module
    exec(ask["preamble"], module.__dict__)
    exec(code, module.__dict__)
    holder = module.Solution() if isinstance(getattr(module, "Solution", None), type) else module
    value = getattr(holder, ask["function"])(*arguments)
    _digits(0)
    _write(result, _answer(value).encode("utf-8", "surrogatepass"))
    # The call has returned: what threads and exit functions still do is not waited for.
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        leave(0)


def _fresh_main(path: str) -> dict[str, object]:
    """Make this `__main__` the program's: its names are those of a fresh one, and are returned."""
    main = sys.modules["__main__"].__dict__
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
    for name in _SERVER:
        sys.modules.pop(name, None)
    return main


class Ending:
    """Ends a child as the interpreter would, three milliseconds faster.

    A program that ended well, or by `sys.exit` with a number, has its streams flushed, its threads joined, its exit
    functions called, its names dropped and its streams flushed again, in the interpreter's order; taking down the
    modules that the server had loaded is skipped. Every other ending is left to the interpreter itself.
    """

    def __init__(self, code: CodeType, names: dict[str, object]) -> None:
        self._code, self._names, self._leave = code, names, os._exit

    def __enter__(self) -> CodeType:
        return self._code

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: object) -> None:
        status = None if kind is None else getattr(value, "code", None)
        if kind not in (None, SystemExit) or not (status is None or (isinstance(status, int) and abs(status) < 2**31)):
            return
        names = self._names
        self._flush()
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        try:
            atexit._run_exitfuncs()
        except BaseException:  # Python 3.9 has shown it by now, and ends as if nothing were
            value = None
        if not self._flush():
            return
        for name in ("stdin", "stdout", "stderr"):
            setattr(sys, name, getattr(sys, f"__{name}__"))
        del value, trace
        for private in (True, False):
            for name in list(names):
                if name != "__builtins__" and (name[:1] == "_" and name[1:2] != "_") is private:
                    names[name] = None
        gc.collect()
        if self._flush():
            self._leave((status or 0) & 255)

    def _flush(self) -> bool:
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None and not stream.closed:
                    stream.flush()
        except Exception:
            return False
        return True


def _at_the_end(fds: Sequence[int]) -> list[int]:
    """Move descriptors out of the way, so that the program's own begin at 3, and close all others above 2."""
    top = min(1023, os.sysconf("SC_OPEN_MAX") - 1)
    moved = [os.dup2(fd, top - n, inheritable=False) if fd >= 0 else -1 for n, fd in enumerate(fds)]
    os.closerange(3, top + 1 - len(fds))
    for n, fd in enumerate(moved):
        if fd < 0:
            os.closerange(top - n, top - n + 1)
    return moved


def become(ask: Fields, body: bytes, program: Program, standard: Sequence[int], private: Sequence[int]) -> Ending:
    """In the child: descriptors, limits, names; returns the code to run at the outermost frame.

    Args:
        standard: what become descriptors 0, 1 and 2.
        private: where to write a call's result and the compiled program to, -1 where that is not asked for.
    """
    os.setsid()
    for number, fd in enumerate(standard):
        os.dup2(fd, number)
    result, send = _at_the_end(private)
    os.chdir(ask["home"])
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    prctl(DUMPABLE, 1)
    if os.getppid() != 1:
        prctl(PDEATHSIG, _signal.SIGKILL)
    _confine(ask)
    path, preamble = program.path, ask["preamble"]
    sys.path[:], sys.argv[:] = program.sys_path, [path]
    compiled = False
    try:
        code = _compiled(program, send)
        compiled = True
        if preamble:
            sys.setrecursionlimit(50000)
            _digits(50000)
        if ask["function"]:
            _call(code, ask, path, body, result)
    except Exception as failed:
        sys.excepthook(type(failed), failed, failed.__traceback__ if compiled else None)
        raise SystemExit(1) from None
    names = _fresh_main(path)
    exec(preamble, names)
    return Ending(code, names)

"""What a forked child of the fork server does: it becomes the program. Goes into the sandbox beside `forkserver.py`."""

from __future__ import annotations

import atexit
import gc
import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from types import CodeType

    Loaded = tuple[CodeType | None, BaseException | None]
    Fields = dict[str, str]
else:
    import _signal

PDEATHSIG, DUMPABLE = 1, 4


def prctl(option: int, value: int) -> int:
    """One Linux `prctl`; without `_ctypes` these belts are missing, and the braces hold."""
    try:
        import _ctypes

        call = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")  # type: ignore[arg-type]
        return int(_ctypes.call_function(call, (option, value, 0, 0, 0)))
    except (ImportError, OSError):
        return -1


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
    sys.modules.pop(__name__, None)
    return main


class Ending:
    """Ends a child as the interpreter would, three milliseconds faster.

    A program that ended well, or by `sys.exit` with a number, has its threads joined, its exit functions called, its
    names dropped and its streams flushed, in the interpreter's order; taking down the modules that the server had
    loaded is skipped. Every other ending is left to the interpreter itself.
    """

    def __init__(self, code: CodeType, names: dict[str, object]) -> None:
        self._code, self._names, self._leave = code, names, os._exit

    def __enter__(self) -> CodeType:
        return self._code

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: object) -> None:
        status = None if kind is None else getattr(value, "code", None)
        if kind not in (None, SystemExit) or not (status is None or isinstance(status, int)):
            return
        names = self._names
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        atexit._run_exitfuncs()
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


def become(ask: Fields, body: bytes, loaded: Loaded, stdin: int, writers: list[int]) -> Ending:
    """In the child: descriptors, limits, names; returns the code to run at the outermost frame."""
    os.setsid()
    for number, fd in enumerate([stdin, *writers[:2]]):
        os.dup2(fd, number)
    result = -1
    if len(writers) == 3:
        result = os.dup2(writers[2], 1023 if os.sysconf("SC_OPEN_MAX") > 1023 else 63, inheritable=False)
        os.closerange(3, result)
    else:
        os.closerange(3, 1024)
    os.chdir(ask["home"])
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    prctl(DUMPABLE, 1)
    if os.getppid() != 1:
        prctl(PDEATHSIG, _signal.SIGKILL)
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
    names = _fresh_main(path)
    exec(preamble, names)
    return Ending(code, names)

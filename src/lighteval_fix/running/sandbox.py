"""The seam between a run and what contains it."""

from __future__ import annotations

import importlib.util
import marshal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from .cgroup import Group
from .interpreter import Interpreter
from .limits import Limits


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a fork server for one program.

    Args:
        command: the argument vector; the server's own arguments are the control socket's descriptor number, the uid to
            become (0 to stay as it is), and what to import.
        environment: all of it.
        pass_fds: descriptors that the command needs besides the control socket.
        program: where the server is to put the program's file.
        home: the program's working folder, the only place it may write to.
        writable: places that must be empty after a test.
        processes: the limit to set on processes and threads, 0 where it cannot be set meaningfully.
        contained: its processes and files end with it, so that nobody has to wait for that.
        group: the control group that the server is to be moved into before its first program, None for none.
        cleanup: undoes what preparing did on the host.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    pass_fds: tuple[int, ...]
    program: str
    home: str
    writable: tuple[str, ...]
    processes: int
    contained: bool
    group: Group | None
    cleanup: Callable[[], None]


class Sandbox(Protocol):
    """Prepares a place for one program. Frozen plain values, so that it crosses a process border."""

    @property
    def name(self) -> str:
        """As the command line has it."""
        ...

    @property
    def contains(self) -> bool:
        """Does it protect the host? If not, whoever uses it has to say so."""
        ...

    def prepare(self, python: Interpreter, limits: Limits, control: int) -> Launch:
        """Everything that is needed to start the server, which is given its program later.

        Raises:
            SandboxMissing: it is not installed.
        """
        ...

    def refused(self, message: str) -> str:
        """What to tell the user when the server did not come up and `message` stood on its standard error."""
        ...


ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""A program's whole environment, with HOME and TMPDIR: fixed, so that a verdict does not depend on the caller's shell
(nor, by way of string hashes, on chance)."""

SERVER_NAME = "<sandbox>"
"""The file name in the server's own code, as a traceback shows it (a path where the server came as source)."""


@lru_cache(maxsize=4)
def server_files(magic: str) -> tuple[tuple[str, bytes], ...]:
    """The files that make the fork server, named and whole, the one to start first.

    Bytecode where the interpreter shares ours (compiling takes longer than all else in a start), else source.
    """
    files = []
    for name in ("forkserver", "forkchild", "forktraces", "forkwatch"):
        source = Path(__file__).with_name(f"{name}.py").read_bytes()
        if magic == importlib.util.MAGIC_NUMBER.hex():
            code = compile(source, SERVER_NAME, "exec", dont_inherit=True, optimize=0)
            files.append((f"{name}.pyc", importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)))
        else:
            files.append((f"{name}.py", source))
    return tuple(files)


COMMON = (
    *("bisect", "collections", "copy", "functools", "heapq", "itertools", "json", "math", "operator", "re", "string"),
    "typing",
)
"""Modules that a server imports before its first program, since many programs do. Only such as look and act the same
whether a program's process or its parent imported them."""

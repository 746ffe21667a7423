"""One program in one sandbox: starting its fork server, asking it for tests, ending it."""

from __future__ import annotations

import re
import select
import socket
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from ..model import LightevalFixError, SandboxMissing
from .interpreter import Interpreter
from .limits import Limits
from .sandbox import SERVER_NAME, Sandbox
from .stock import Started, Stock

_GRACE = 20.0
"""Seconds past all limits of its own after which a fork server that says nothing is given up."""

_SERVER_FRAME = re.compile(rb'  File "(?:' + SERVER_NAME.encode() + rb'|[^"\n]*/fork(?:server|child)\.py)", line ')

_HEADER_LIMIT = 65536

_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([A-Za-z_][\w.]*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)*)", re.MULTILINE)

_PRELOADED = frozenset(
    {
        *(
            "abc",
            "array",
            "bisect",
            "calendar",
            "cmath",
            "collections",
            "contextlib",
            "copy",
            "dataclasses",
            "datetime",
        ),
        *(
            "decimal",
            "enum",
            "fractions",
            "functools",
            "heapq",
            "io",
            "itertools",
            "json",
            "math",
            "numbers",
            "operator",
        ),
        *("os", "queue", "random", "re", "statistics", "string", "struct", "textwrap", "threading", "time", "types"),
        "typing",
    }
)
"""Modules that are the same whether a program's process or its parent imported them (`random` reseeds itself)."""


class SandboxBroken(LightevalFixError):
    """The fork server ended or spoke nonsense; what the program was doing at the time is not known."""


class ServerSilent(SandboxBroken):
    """The fork server did not answer in time."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One test: what goes in, and how to run.

    Args:
        body: bytes for standard input, or the call's arguments, one JSON value a line.
        function: a function to call (with the arguments in `body`), else the program runs as `__main__`.
        preamble: source run in the program's namespace first, with LightEval's raised limits; empty for none.
    """

    body: bytes
    function: str = ""
    preamble: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """What the fork server saw.

    Args:
        result: the private pipe's content in a call.
        ending: empty where the program ended by itself, else what it was ended for.
        left, dirty: it left processes, files behind.
    """

    stdout: bytes
    stderr: bytes
    result: bytes
    ending: str
    exit_code: int
    wall: float
    cpu: float
    peak: int
    left: bool
    dirty: bool


class Session:
    """A fork server with a program; a context manager.

    Args:
        stock: where the server comes from and goes to; without one it is started and seen out on the spot.

    Raises:
        SandboxMissing: the sandbox is not installed, or the host refuses it.
    """

    def __init__(
        self, sandbox: Sandbox, code: str, python: Interpreter, limits: Limits, stock: Stock | None = None
    ) -> None:
        self._limits, self._stock, self._loaded = limits, stock, False
        self._started = stock.take(sandbox, python, limits) if stock else Started(sandbox, python, limits)
        try:
            self._receive(time.monotonic() + _GRACE)
            self._load(code, python)
        except SandboxBroken:
            message = self._started.complaint()
            self._started.close()
            raise SandboxMissing(sandbox.refused(message)) from None
        except BaseException:
            self._started.close()
            raise
        if stock:
            stock.refill(sandbox, python, limits)

    def _load(self, code: str, python: Interpreter) -> None:
        load = {
            "path": self._started.launch.program,
            "places": "\n".join(self._started.launch.writable),
            "sys_path": "\n".join(python.path),
            "memory": self._limits.memory_bytes,
            "preload": " ".join(imported(code)),
        }
        _send(self._started.control, load, code.encode("utf-8", "surrogatepass"), time.monotonic() + _GRACE)

    def run(self, ask: Ask) -> Ran:
        """Run one test.

        Raises:
            SandboxBroken: the server is gone; this session is of no further use.
        """
        limits = self._limits
        if not self._loaded:
            ending = self._compiled()
            if ending is not None:
                return ending
        patience = time.monotonic() + 4 * limits.seconds + _GRACE
        fields = {
            "seconds": limits.seconds,
            "memory": limits.memory_bytes,
            "output": limits.output_bytes,
            "file": limits.file_bytes,
            "processes": self._started.launch.processes,
            "home": self._started.launch.home,
            "function": ask.function,
            "preamble": ask.preamble,
        }
        _send(self._started.control, fields, ask.body, patience)
        answer, body = self._receive(patience)
        try:
            sizes = [int(size) for size in answer["sizes"].split()]
            ends = [sum(sizes[: n + 1]) for n in range(3)]
            return Ran(
                stdout=body[: ends[0]],
                stderr=_without_server(body[ends[0] : ends[1]]),
                result=body[ends[1] : ends[2]],
                ending=answer["ending"],
                exit_code=int(answer["exit"]),
                wall=float(answer["wall"]),
                cpu=float(answer["cpu"]),
                peak=int(answer["peak"]),
                left=answer["left"] != "0",
                dirty=answer["dirty"] != "0",
            )
        except (KeyError, ValueError) as error:
            raise SandboxBroken(f"the fork server's answer makes no sense: {error}") from None

    def _compiled(self) -> Ran | None:
        """Wait until the program is compiled. A program that breaks the compiler, or takes all its time there, would
        have had `python program.py` end the same way."""
        start = time.monotonic()
        try:
            self._receive(start + self._limits.seconds + 1)
        except ServerSilent:
            return _ended("timeout", time.monotonic() - start)
        except SandboxBroken:
            return _ended("killed", time.monotonic() - start)
        self._loaded = True
        return None

    def close(self) -> None:
        """End the server and with it everything in its sandbox. Idempotent."""
        if self._stock is not None and self._started.launch.contained:
            self._stock.let_go(self._started)
        else:
            self._started.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _receive(self, until: float) -> tuple[dict[str, str], bytes]:
        lengths = _read(self._started.control, 16, until)
        header, body = int.from_bytes(lengths[:8], "big"), int.from_bytes(lengths[8:], "big")
        if header > _HEADER_LIMIT or body > 3 * self._limits.output_bytes + (4 << 20):
            raise SandboxBroken("the fork server announced more than it may send")
        parts = _read(self._started.control, header, until).decode("utf-8", "replace").split("\0")
        return dict(zip(parts[::2], parts[1::2], strict=False)), _read(self._started.control, body, until)


def imported(code: str) -> list[str]:
    """Standard modules that the program seems to import, which the server may load once for all its tests."""
    found: set[str] = set()
    for match in _IMPORT.finditer(code):
        found.update(name.strip().split(".")[0] for name in match[1].split(","))
    return sorted(found & _PRELOADED)


def _ended(ending: str, seconds: float) -> Ran:
    """What there is to say of a program that never came to run; its sandbox is of no further use."""
    return Ran(b"", b"", b"", ending, -9, seconds, seconds, 0, left=True, dirty=True)


def _without_server(stderr: bytes) -> bytes:
    """A traceback without the server's own frames at its top, so that it reads as the interpreter would have put it."""
    while (match := _SERVER_FRAME.search(stderr)) is not None:
        start = match.start()
        end = stderr.find(b"\n", start)
        while end >= 0 and stderr[end + 1 : end + 5] == b"    ":
            end = stderr.find(b"\n", end + 1)
        stderr = stderr[:start] + (stderr[end + 1 :] if end >= 0 else b"")
    return stderr


def _send(control: socket.socket, fields: dict[str, object], body: bytes, until: float) -> None:
    header = "\0".join(str(part) for pair in fields.items() for part in pair).encode("utf-8", "surrogateescape")
    for data in (len(header).to_bytes(8, "big") + len(body).to_bytes(8, "big") + header, body):
        view = memoryview(data)
        while view:
            _wait(control, select.POLLOUT, until)
            try:
                view = view[control.send(view, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise SandboxBroken(f"the fork server is gone ({error})") from None


def _read(control: socket.socket, size: int, until: float) -> bytes:
    data = bytearray()
    while len(data) < size:
        _wait(control, select.POLLIN, until)
        try:
            piece = control.recv(min(size - len(data), 1 << 20))
        except OSError as error:
            raise SandboxBroken(f"the fork server is gone ({error})") from None
        if not piece:
            raise SandboxBroken("the fork server ended")
        data += piece
    return bytes(data)


def _wait(control: socket.socket, event: int, until: float) -> None:
    poll = select.poll()
    poll.register(control, event)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise ServerSilent("the fork server does not answer")

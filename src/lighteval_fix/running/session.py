"""One program in one sandbox: starting its fork server, asking it for tests, ending it."""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from signal import SIGKILL as _KILL
from types import TracebackType
from typing import Self

from ..model import LightevalFixError, SandboxMissing
from .interpreter import Interpreter
from .limits import Limits
from .octets import octets
from .sandbox import SERVER_NAME, Sandbox
from .stock import Started, Stock

_GRACE = 20.0
"""Seconds past all limits of its own after which a fork server that says nothing is given up."""

_SERVER_FRAME = re.compile(
    rb'(?:  \| )?  File "(?:' + SERVER_NAME.encode() + rb'|[^"\n]*/fork(?:server|child|watch)\.py)", line '
)

_SYNTAX = re.compile(rb'Traceback \(most recent call last\):\n(?=  File "[^"\n]*", line \d+\n)')
"""The interpreter prints no such heading where a program does not compile: then there are no frames."""

_HEADER_LIMIT = 65536


class SandboxBroken(LightevalFixError):
    """The fork server ended or spoke nonsense; what the program was doing at the time is not known."""


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
        wall, waited, cpu: seconds from its start to its end; those of them in which it stood ready and the machine gave
            it no processor (looked up only where `wall` is over the limit); those that it had one.
        certain: it is over its time, had a processor for nearly all of that, and nothing ran beside it.
        peak: bytes resident at most.
        left, dirty: it left processes, files behind.
    """

    stdout: bytes
    stderr: bytes
    result: bytes
    ending: str
    exit_code: int
    wall: float
    waited: float
    cpu: float
    peak: int
    left: bool
    dirty: bool
    certain: bool = False


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
        self._limits, self._stock, self._spent, self._closed = limits, stock, False, False
        self._started = _ready(sandbox, python, limits, stock)
        try:
            self._load(code, python)
        except SandboxBroken as error:
            self._started.close()
            raise SandboxMissing(sandbox.refused(str(error))) from None
        except BaseException:
            self._started.close()
            raise
        if stock:
            stock.refill(sandbox, python, limits)

    def _load(self, code: str, python: Interpreter) -> None:
        load = {
            "do": "load",
            "path": self._started.launch.program,
            "places": "\n".join(self._started.launch.writable),
            "sys_path": "\n".join(python.path),
        }
        _send(self._started.control, load, code.encode("utf-8", "surrogatepass"), time.monotonic() + _GRACE)

    def run(self, ask: Ask, slack: float = 1.0) -> Ran:
        """Run one test.

        Args:
            slack: how many times the limit it may take before it is ended, if it works all the time and the machine
                has other work that may have slowed it down.

        Raises:
            SandboxBroken: the server is gone; this session is of no further use.
        """
        limits, launch = self._limits, self._started.launch
        patience = time.monotonic() + 4 * limits.seconds + _GRACE
        fields = {
            "do": "test",
            "seconds": limits.seconds,
            "slack": slack,
            "memory": limits.memory_bytes,
            "output": limits.output_bytes,
            "file": limits.file_bytes,
            "processes": launch.processes,
            "home": launch.home,
            "function": ask.function,
            "preamble": ask.preamble,
        }
        spent, self._spent = self._spent, True
        killed = launch.group.kills() if launch.group is not None else 0
        _send(self._started.control, fields, ask.body, patience)
        answer, body = _receive(self._started.control, patience, 3 * limits.output_bytes + (4 << 20))
        try:
            sizes = [int(size) for size in answer["sizes"].split()]
            ends = [sum(sizes[: n + 1]) for n in range(3)]
            ran = Ran(
                stdout=body[: ends[0]],
                stderr=_without_server(body[ends[0] : ends[1]]),
                result=body[ends[1] : ends[2]],
                ending=answer["ending"],
                exit_code=int(answer["exit"]),
                wall=float(answer["wall"]),
                waited=float(answer["waited"]),
                certain=answer["certain"] != "0",
                cpu=float(answer["cpu"]),
                peak=int(answer["peak"]),
                left=answer["left"] != "0",
                dirty=answer["dirty"] != "0",
            )
        except (KeyError, ValueError) as error:
            raise SandboxBroken(f"the fork server's answer makes no sense: {error}") from None
        self._spent = spent or ran.left or ran.dirty
        if ran.exit_code == -_KILL and not ran.ending and launch.group is not None and launch.group.kills() > killed:
            return replace(ran, ending="memory")
        return ran

    def close(self) -> None:
        """Give the sandbox back to the stock if nothing is known against it, else end it. Idempotent."""
        started = self._started
        if self._closed:
            return
        self._closed = True
        if self._stock is None or not started.launch.contained:
            started.close()
        elif self._spent:
            self._stock.let_go(started)
        else:
            try:
                _send(started.control, {"do": "reset"}, b"", time.monotonic() + _GRACE)
            except SandboxBroken:
                self._stock.let_go(started)
            else:
                self._stock.give_back(started)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _ready(sandbox: Sandbox, python: Interpreter, limits: Limits, stock: Stock | None) -> Started:
    """A server that waits for a program. One that has had a program before and found that something of it is left has
    ended itself by now, and the next one is taken.

    Raises:
        SandboxMissing: a new one does not come up.
    """
    while True:
        started = stock.take(sandbox, python, limits) if stock else Started(sandbox, python, limits)
        try:
            _receive(started.control, time.monotonic() + _GRACE, 0)
            started.join_group()
            return started
        except SandboxBroken:
            if started.used:
                started.close()
                continue
            message = started.complaint()
            started.close()
            raise SandboxMissing(sandbox.refused(message)) from None
        except BaseException:
            started.close()
            raise


def _without_server(stderr: bytes) -> bytes:
    """A traceback without the server's own frames at its top, so that it reads as the interpreter would have put it."""
    while (match := _SERVER_FRAME.search(stderr)) is not None:
        start = match.start()
        end = stderr.find(b"\n", start)
        while end >= 0 and stderr[end + 1 : end + 5] == b"    ":
            end = stderr.find(b"\n", end + 1)
        stderr = stderr[:start] + (stderr[end + 1 :] if end >= 0 else b"")
    return _SYNTAX.sub(b"", stderr, count=1)


def _send(control: socket.socket, fields: Mapping[str, object], body: bytes, until: float) -> None:
    header = octets("\0".join(str(part) for pair in fields.items() for part in pair))
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


def _receive(control: socket.socket, until: float, most: int) -> tuple[dict[str, str], bytes]:
    """The next frame as (fields, body), the body `most` bytes long or less."""
    lengths = _read(control, 16, until)
    header, body = int.from_bytes(lengths[:8], "big"), int.from_bytes(lengths[8:], "big")
    if header > _HEADER_LIMIT or body > most:
        raise SandboxBroken("the fork server announced more than it may send")
    parts = _read(control, header, until).decode("utf-8", "replace").split("\0")
    return dict(zip(parts[::2], parts[1::2], strict=False)), _read(control, body, until)


def _wait(control: socket.socket, event: int, until: float) -> None:
    poll = select.poll()
    poll.register(control, event)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise SandboxBroken("the fork server does not answer")

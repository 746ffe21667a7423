"""Fork servers that have no program at the moment: one is made ready while another is at work, and one that has had a
program takes the next, if nothing of the former is left in its sandbox.

Starting a sandbox takes ten times as long as a test.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import threading
import time
from collections import deque

from .interpreter import Interpreter
from .limits import Limits
from .sandbox import Launch, Sandbox

_FRESH = 20.0
"""Seconds for which a spare is trusted; a server gives up waiting for a program soon after."""


_SPARES = 1
_KEPT = 2


class Started:
    """A fork server on its way. Whoever holds it ends it by `close`, or by letting it go."""

    def __init__(self, sandbox: Sandbox, python: Interpreter, limits: Limits) -> None:
        self.kind = (sandbox, python, limits)
        self.owner, self.since, self.used = os.getpid(), time.monotonic(), False
        self.control, theirs = socket.socketpair()
        launch: Launch | None = None
        try:
            launch = sandbox.prepare(python, limits, theirs.fileno())
            self.process = subprocess.Popen(
                launch.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(launch.environment),
                pass_fds=(theirs.fileno(), *launch.pass_fds),
                start_new_session=True,
                cwd="/",
            )
        except BaseException:
            self.control.close()
            if launch is not None:
                launch.cleanup()
            raise
        finally:
            theirs.close()
        self.launch, self._gone = launch, False

    def usable(self, kind: tuple[Sandbox, Interpreter, Limits]) -> bool:
        """Made for this, by this process, lately, and still there."""
        fresh = time.monotonic() - self.since < _FRESH
        return self.owner == os.getpid() and self.kind == kind and fresh and self.process.poll() is None

    def join_group(self) -> None:
        """Move the server, which waits for its first program, into its control group. bubblewrap itself stays out."""
        if self.used or self.launch.group is None:
            return
        with contextlib.suppress(OSError), open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as listed:
            for pid in listed.read().split():
                self.launch.group.adopt(int(pid))

    def complaint(self) -> str:
        """What the server, which did not come up, wrote on its standard error."""
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        assert self.process.stderr is not None
        return self.process.stderr.read(8192).decode("utf-8", "replace")

    def leave(self) -> None:
        """Ask it to end, without waiting for it."""
        self.control.close()

    def close(self, patience: float = 2.0) -> None:
        """End it, and with it everything in its sandbox. Idempotent."""
        if self._gone:
            return
        self.control.close()
        if self.owner != os.getpid():
            return
        try:
            self.process.wait(patience)
        except BaseException as error:
            self.process.kill()
            self.process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
        finally:
            self._gone = True
            for pipe in (self.process.stdout, self.process.stderr):
                if pipe is not None:
                    pipe.close()
            self.launch.cleanup()

    def __del__(self) -> None:
        if hasattr(self, "_gone"):
            self.close()


class Stock:
    """A few spares, and the servers that are on their way out. Belongs to one thread, since what bubblewrap starts
    ends with the thread that started it."""

    def __init__(self) -> None:
        self._spares: deque[Started] = deque()
        self._leaving: deque[Started] = deque()

    def take(self, sandbox: Sandbox, python: Interpreter, limits: Limits) -> Started:
        """A spare where one fits, else a new one."""
        while self._spares:
            spare = self._spares.popleft()
            if spare.usable((sandbox, python, limits)):
                return spare
            spare.close()
        return Started(sandbox, python, limits)

    def refill(self, sandbox: Sandbox, python: Interpreter, limits: Limits) -> None:
        """Start the next one."""
        while sandbox.contains and len(self._spares) < _SPARES:
            self._spares.append(Started(sandbox, python, limits))

    def give_back(self, started: Started) -> None:
        """Keep a server that was told to make room for the next program. Whether it could shows when it is asked."""
        started.since, started.used = time.monotonic(), True
        self._spares.appendleft(started)
        while len(self._spares) > _KEPT:
            self.let_go(self._spares.pop())

    def let_go(self, started: Started) -> None:
        """End a server without waiting for it; the ones before it are seen out."""
        started.leave()
        self._leaving.append(started)
        while len(self._leaving) > 2:
            self._leaving.popleft().close()

    def close(self) -> None:
        """End them all. Idempotent."""
        while self._spares:
            self._spares[-1].leave()
            self._leaving.append(self._spares.pop())
        while self._leaving:
            self._leaving.popleft().close()


_threads = threading.local()


def stock_of_thread() -> Stock:
    """The stock of the running thread; it ends with it."""
    stock = getattr(_threads, "stock", None)
    if not isinstance(stock, Stock):
        stock = _threads.stock = Stock()
        atexit.register(stock.close)
    return stock

"""A program and its tests: a fresh sandbox where one was soiled or broke, and a second, lonely try for a slow one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from ..model import Outcome, Status
from .alone import alone, share
from .interpreter import Interpreter
from .limits import Limits
from .sandbox import Sandbox
from .session import Ask, Ran, SandboxBroken, Session
from .stock import Stock

_KILLED_BY_CLOCK = (-24, -9)
_SLACK = 1.5
_BUSY = 0.9


@dataclass(frozen=True, slots=True)
class Tried:
    """An outcome with what only this room knows: the private pipe's content, and whether the program was run twice
    because its first run was over time, and how many seconds its runs were given by the clock, both together."""

    outcome: Outcome
    result: bytes = b""
    again: bool = False
    given: float = 0.0


class Candidate:
    """One program; a context manager that keeps its sandbox between tests.

    Args:
        stock: for whoever runs many programs, so that the next sandbox is made ready meanwhile.
    """

    def __init__(
        self, sandbox: Sandbox, code: str, python: Interpreter, limits: Limits, stock: Stock | None = None
    ) -> None:
        self._sandbox, self._code, self._python, self._limits = sandbox, code, python, limits
        self._stock = stock
        self._session: Session | None = None

    def run(self, ask: Ask) -> Tried:
        """Run one test.

        A program that has had a processor for the whole limit while nothing else ran on the machine is over its time:
        that run was the lonely one. Beside company it gets half as much again, for what that may have slowed it down.
        One that is over its time otherwise is run again, with nothing beside it, and that run counts: it may have
        waited for the machine.

        Raises:
            SandboxMissing: there is no sandbox to run it in.
        """
        patience, limit = self._limits.seconds / 2, self._limits.seconds
        with share(patience):
            ran = self._once(ask, _SLACK)
        if ran is None or not _in_doubt(ran, limit):
            return self._tried(ran)
        with alone(patience):
            second = self._once(ask, 1.0)
        tried = self._tried(second)
        return replace(tried, again=True, given=tried.given + ran.wall)

    def _tried(self, ran: Ran | None) -> Tried:
        outcome = _outcome(ran, self._limits)
        return Tried(outcome, b"" if ran is None else ran.result, given=outcome.seconds)

    def _once(self, ask: Ask, slack: float) -> Ran | None:
        session = self._session or Session(self._sandbox, self._code, self._python, self._limits, self._stock)
        self._session = session
        try:
            ran = session.run(ask, slack)
        except SandboxBroken:
            self.close()
            return None
        except BaseException:
            self.close()
            raise
        if ran.left or ran.dirty:
            self.close()
        return ran

    def close(self) -> None:
        """End the sandbox. Idempotent; a later test starts a new one."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _in_doubt(ran: Ran, limit: float) -> bool:
    """It went over the limit, yet not for certain by its own doing."""
    if ran.ending == "timeout":
        return not ran.certain and ran.cpu < _BUSY * _SLACK * limit
    return ran.wall - ran.waited > limit and (ran.ending, ran.exit_code) == ("", 0)


def _outcome(ran: Ran | None, limits: Limits) -> Outcome:
    if ran is None:
        return Outcome("", "", Status.SANDBOX_ERROR, None, 0.0, 0)
    return Outcome(
        stdout=ran.stdout.decode("utf-8", "surrogateescape"),
        stderr=ran.stderr.decode("utf-8", "surrogateescape"),
        status=_status(ran, limits),
        exit_code=ran.exit_code,
        seconds=ran.wall,
        peak_bytes=ran.peak,
        cpu_seconds=ran.cpu,
    )


def _status(ran: Ran | None, limits: Limits) -> Status:
    if ran is None:
        return Status.SANDBOX_ERROR
    if ran.ending:
        return Status(ran.ending)
    if ran.exit_code in _KILLED_BY_CLOCK and ran.cpu >= limits.seconds:
        return Status.TIMEOUT
    if ran.exit_code == 0:
        return Status.OK
    if _out_of_memory(ran.stderr):
        return Status.MEMORY
    return Status.KILLED if ran.exit_code < 0 else Status.ERROR


def _out_of_memory(stderr: bytes) -> bool:
    """The program died of a MemoryError (or of a subclass, as numpy has one): the last line says so."""
    last = stderr.rstrip().rsplit(b"\n", 1)[-1].split(b":", 1)[0].strip()
    return last.endswith(b"MemoryError")

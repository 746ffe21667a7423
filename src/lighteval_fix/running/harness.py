"""Why LightEval scores a program otherwise than its run does: its own way is put together again, piece by piece.

A cause is the one piece that, added to the program's plain run, brings about the recorded verdict. The pieces are run
in the sandbox like any program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from pathlib import Path

from ..model import Status, Tests
from .candidate import Candidate
from .compare import compare_output
from .interpreter import Interpreter
from .limits import Limits
from .octets import octets
from .preamble import PREAMBLE
from .sandbox import Sandbox
from .session import Ask
from .stock import stock_of_thread


class Piece(StrEnum):
    """What LightEval does to a program."""

    REWRITE = "rewrite"
    MOCK = "mock"
    LEAVE = "leave"
    GUARD = "guard"


_DIED = re.compile(r"^(?!Exception in thread)[^\n]*\nTraceback \(most recent call last\):|\ATraceback ", re.MULTILINE)
"""The main thread died of an exception: a traceback that is not headed as another thread's."""

_BLAME = (Piece.MOCK, Piece.REWRITE, Piece.LEAVE, Piece.GUARD)


@dataclass(frozen=True, slots=True)
class Reenactment:
    """Runs programs as LightEval would, all of it or single pieces."""

    sandbox: Sandbox
    python: Interpreter
    limits: Limits

    def passes(self, code: str, tests: Tests, pieces: frozenset[Piece], upto: int) -> bool:
        """Would the first `upto` tests be passed, judged as there (exact decimals, `sys.exit` a good end)?

        Raises:
            SandboxMissing: there is no sandbox to run in.
        """
        before = "".join(_function(piece) for piece in (Piece.GUARD, Piece.LEAVE) if piece in pieces)
        mocks = _function(Piece.MOCK) if Piece.MOCK in pieces else ""
        if Piece.REWRITE in pieces:
            # There the stand-ins come after the imports: `from sys import stdin` has the real one by then.
            text = self._rewritten(code, mocks)
        else:
            text, before = code, before + mocks
        if text is None:
            return False
        with Candidate(self.sandbox, text, self.python, self.limits, stock_of_thread()) as candidate:
            return all(self._passes(candidate, before, tests, index) for index in range(upto))

    def blamed(self, code: str, tests: Tests, passed: bool, upto: int) -> Piece | None:
        """The piece that brings about the recorded verdict `passed` by itself, else the one without which the others
        do not; None where LightEval's whole way does not bring it about."""
        whole = frozenset(Piece)
        if self.passes(code, tests, whole, upto) is not passed:
            return None
        alone = (piece for piece in Piece if self.passes(code, tests, frozenset({piece}), upto) is passed)
        needed = (piece for piece in _BLAME if self.passes(code, tests, whole - {piece}, upto) is not passed)
        return next(chain(alone, needed), None)

    def _passes(self, candidate: Candidate, before: str, tests: Tests, index: int) -> bool:
        body = octets(tests.inputs[index])
        outcome = candidate.run(Ask(body, preamble=before)).outcome
        ended = outcome.status in (Status.OK, Status.ERROR) and _DIED.search(outcome.stderr) is None
        return ended and compare_output(outcome.stdout, tests.outputs[index], 0.0)

    def _rewritten(self, code: str, late: str) -> str | None:
        rewrite = _function(Piece.REWRITE)
        with Candidate(self.sandbox, rewrite, self.python, self.limits, stock_of_thread()) as rewriter:
            body = f"{PREAMBLE}\0{late}\0{code}".encode("utf-8", "surrogatepass")
            outcome = rewriter.run(Ask(body)).outcome
        return outcome.stdout if outcome.status is Status.OK else None


@lru_cache(maxsize=4)
def _function(piece: Piece) -> str:
    """Source that runs one function of `reenact.py` and leaves none of its names."""
    text = Path(__file__).with_name("reenact.py").read_text(encoding="utf-8")
    return f"{text}\n{piece}()\ndel rewrite, mock, leave, guard\n__doc__ = None\n"

"""Why a program's verdict differs from the recorded one: counterfactuals, run where they have to be.

The smallest change comes first: other text taken for the program, exact decimals, an exit status, what the preamble
supplies, a limit; then LightEval's way of running, re-enacted piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from ..model import Cause, Generation, Grade, Item, Reading, Standing, Status, Tests
from ..reading import read_code_as_lighteval
from ..running.candidate import Candidate
from ..running.harness import Piece, Reenactment
from ..running.interpreter import describe
from ..running.judge import Judgement, Lack, judge, lacking
from ..running.limits import Limits
from ..running.stdio import named_sandbox
from ..running.stock import stock_of_thread
from .grader import CodeOptions

Judged = tuple[Grade, Judgement | None]

_NEAR_LIMIT = 0.5
"""Share of the time limit above which a slower run may well have been over it."""


def explained(options: CodeOptions, limits: Limits, item: Item, judged: Sequence[Judged]) -> Iterator[Grade]:
    """The grades, with a cause on each whose recorded verdict differs.

    Where only the whole item was scored and its score differs from ours, each generation is run the harness's way to
    find the ones that it must have judged otherwise.
    """
    alone = len(judged) == 1
    recorded = {r.sample: r.score for r in reversed(item.recorded)}
    whole = recorded.get(None)
    ours = sum(grade.score for grade, _ in judged)
    moved = not alone and whole is not None and abs(whole * len(judged) - ours) > 1e-6
    for grade, found in judged:
        score = recorded.get(grade.sample, whole if alone else None)
        tests = item.tests
        if found is None or tests is None or grade.standing not in (Standing.RIGHT, Standing.WRONG):
            yield grade
            continue
        case = _Case(options, limits, tests, item.generations[grade.sample], grade, found)
        if score is not None and (score >= 0.5) is not found.passed:
            yield replace(grade, cause=case.cause())
        elif score is None and moved:
            cause = case.cause()
            yield grade if cause is Cause.UNEXPLAINED else replace(grade, cause=cause)
        else:
            yield grade


@dataclass(frozen=True, slots=True)
class _Case:
    """One generation whose recorded verdict is (or may be) another than ours."""

    options: CodeOptions
    limits: Limits
    tests: Tests
    generation: Generation
    grade: Grade
    found: Judgement

    def cause(self) -> Cause:
        return self._recovered() if self.found.passed else self._withdrawn()

    def _recovered(self) -> Cause:
        theirs = self._their_code()
        if theirs is not None and not self._judged(theirs).passed:
            return Cause.EXTRACTION
        if not self.found.exact:
            return Cause.EXACT_DECIMALS
        if (piece := self._blamed(recorded=False)) is not None:
            return _of_piece(piece)
        return Cause.TIME_LIMIT if self.found.seconds > _NEAR_LIMIT * self.limits.seconds else Cause.UNEXPLAINED

    def _withdrawn(self) -> Cause:
        outcome = self.found.outcome
        if self.found.output_right and outcome.status is Status.ERROR:
            return Cause.EXIT_STATUS
        theirs = self._their_code()
        if theirs is not None and self._judged(theirs).passed:
            return Cause.EXTRACTION
        if outcome.status is Status.TIMEOUT:
            return Cause.TIME_LIMIT
        if outcome.status is Status.MEMORY:
            return Cause.MEMORY_LIMIT
        if self.options.preamble == "none" and self._judged(self._code, "always").passed:
            return _of_lack(lacking(outcome.stderr))
        if (piece := self._blamed(recorded=True)) is not None:
            return _of_piece(piece)
        return Cause.UNEXPLAINED

    @property
    def _code(self) -> str:
        return self.grade.reading.text if isinstance(self.grade.reading, Reading) else ""

    def _their_code(self) -> str | None:
        """The program that the harness took, where that is another one than ours."""
        generation = self.generation
        theirs = generation.predicted
        if theirs is None:
            text = generation.text if generation.post_processed is None else generation.post_processed
            theirs = read_code_as_lighteval(text)
        return None if theirs.strip() == self._code.strip() else theirs

    def _judged(self, code: str, preamble: str | None = None) -> Judgement:
        options = self.options
        sandbox, python = named_sandbox(options.sandbox), describe(options.python)
        with Candidate(sandbox, code, python, self.limits, stock_of_thread()) as candidate:
            return judge(candidate, self.tests, tolerance=options.tolerance, preamble=preamble or options.preamble)

    def _blamed(self, *, recorded: bool) -> Piece | None:
        """The piece of LightEval's way of running that brings the recorded verdict about; only programs that read
        standard input are rewritten by it."""
        if self.tests.function:
            return None
        options = self.options
        way = Reenactment(named_sandbox(options.sandbox), describe(options.python), self.limits)
        return way.blamed(self._code, self.tests, recorded, len(self.tests.inputs))


def _of_piece(piece: Piece) -> Cause:
    match piece:
        case Piece.REWRITE:
            return Cause.REWRITTEN_PROGRAM
        case Piece.MOCK:
            return Cause.MOCKED_STDIN
        case Piece.LEAVE:
            return Cause.THREADS_CUT_OFF
        case Piece.GUARD:
            return Cause.DISABLED_FUNCTIONS
        case _:
            assert_never(piece)


def _of_lack(lack: Lack | None) -> Cause:
    match lack:
        case Lack.RECURSION:
            return Cause.RECURSION_LIMIT
        case Lack.DIGITS:
            return Cause.DIGIT_LIMIT
        case Lack.NAME | None:
            return Cause.PREAMBLE
        case _:
            assert_never(lack)

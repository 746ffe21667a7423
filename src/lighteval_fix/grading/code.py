"""Grades a program: read it, run it on its tests, compare what it wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..model import (
    Different,
    Equal,
    Grade,
    Item,
    Kind,
    Mark,
    NoAnswer,
    Outcome,
    Proof,
    Reading,
    Standing,
    Status,
    Tests,
    Verdict,
)
from ..reading import read_code
from ..running.calls import readable
from ..running.candidate import Candidate
from ..running.interpreter import Interpreter, describe
from ..running.judge import Judgement, judge
from ..running.limits import Limits
from ..running.sandbox import Sandbox
from ..running.stdio import named_sandbox
from ..running.stock import stock_of_thread
from .causes import explained
from .grader import Options
from .shared import Ending, ending_of, make_grade, policies_of

_ANY = re.compile(r"\bany\b", re.IGNORECASE)
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class CodeGrader:
    """Grades every generation of an item by its tests, each in a sandbox of its own.

    An item without tests is an error: nothing can pass tests that are not there. Where the recorded verdict differs,
    the grade carries its cause, found by re-enacting the harness's way of running.
    """

    options: Options

    def grade(self, item: Item) -> Iterator[Grade]:
        """One grade per generation.

        Raises:
            SandboxMissing: bubblewrap is not installed, or the host refuses it.
            ValueError: an unknown sandbox, an impossible limit, or an interpreter that does not start.
        """
        grades = [self._graded(item, sample) for sample in range(len(item.generations))]
        yield from explained(self.options.code, self.limits, item, grades)

    @property
    def limits(self) -> Limits:
        """The limits of one test."""
        code = self.options.code
        return Limits(seconds=code.timeout, memory_bytes=code.memory_bytes)

    def _graded(self, item: Item, sample: int) -> tuple[Grade, Judgement | None]:
        generation = item.generations[sample]
        ending = ending_of(item, generation, None)
        reading = read_code(generation.text, unfinished=str(self.options.unfinished))
        if item.tests is None or not item.tests.inputs:
            return self._grade(item, sample, reading, ending, Standing.ERROR, detail="no_tests"), None
        if not readable(item.tests):
            return self._grade(item, sample, reading, ending, Standing.ERROR, detail="bad_tests"), None
        if isinstance(reading, NoAnswer):
            return self._grade(item, sample, reading, ending, Standing.NO_ANSWER), None
        code = self.options.code
        with self.candidate(reading.text) as candidate:
            found = judge(candidate, item.tests, tolerance=code.tolerance, preamble=code.preamble)
        broken = found.outcome.status is Status.SANDBOX_ERROR
        standing = Standing.ERROR if broken else Standing.RIGHT if found.passed else Standing.WRONG
        grade = self._grade(
            item,
            sample,
            reading,
            ending,
            standing,
            None if broken else Equal(Proof.TESTS) if found.passed else Different(Proof.TESTS),
            "" if found.passed else described(found, item.tests),
        )
        return replace(grade, marks=grade.marks + tuple(_marks(found, item))), found

    def candidate(self, code: str) -> Candidate:
        """The program, ready to run under the options."""
        return Candidate(self.sandbox, code, self.python, self.limits, stock_of_thread())

    @property
    def sandbox(self) -> Sandbox:
        return named_sandbox(self.options.code.sandbox)

    @property
    def python(self) -> Interpreter:
        return describe(self.options.code.python)

    def _grade(
        self,
        item: Item,
        sample: int,
        reading: Reading | NoAnswer,
        ending: Ending,
        standing: Standing,
        verdict: Verdict | None = None,
        detail: str = "",
    ) -> Grade:
        policies = policies_of(self.options.policy)
        return make_grade(
            item,
            sample,
            Kind.CODE,
            reading,
            ending,
            golds=(),
            standings=tuple((policy, standing) for policy in policies),
            verdict=verdict,
            detail=detail,
        )


def described(found: Judgement, tests: Tests) -> str:
    """One line on the test that failed."""
    return f"test {found.test + 1} of {len(tests.inputs)}: {_what(found, tests)}"


def _what(found: Judgement, tests: Tests) -> str:
    outcome = found.outcome
    match outcome.status:
        case Status.OK:
            return _difference(outcome, tests, found.test)
        case Status.ERROR:
            last = outcome.stderr.rstrip().rsplit("\n", 1)[-1][:_SHOWN]
            right = ", after the right output" if found.output_right else ""
            return f"exit status {outcome.exit_code}{right}" + (f": {last}" if last else "")
        case Status.TIMEOUT:
            return f"over time ({outcome.seconds:.2f} s, {outcome.cpu_seconds:.2f} s of them on a processor)"
        case Status.KILLED:
            return f"ended by signal {-(outcome.exit_code or 0)}"
        case _:
            return outcome.status.replace("_", " ")


def _difference(outcome: Outcome, tests: Tests, index: int) -> str:
    """The first line that differs."""
    if tests.function:
        return f"another result than {tests.outputs[index][:_SHOWN]}"
    got, want = outcome.stdout.strip().split("\n"), tests.outputs[index].strip().split("\n")
    if len(got) != len(want):
        return f"{len(got)} lines of output, expected {len(want)}"
    line = next((n for n, pair in enumerate(zip(got, want, strict=True)) if pair[0].split() != pair[1].split()), 0)
    return f"line {line + 1} is {got[line].strip()[:_SHOWN]!r}, expected {want[line].strip()[:_SHOWN]!r}"


def _marks(found: Judgement, item: Item) -> Iterator[Mark]:
    if found.passed and found.lacks:
        yield Mark.PREAMBLE_USED
    if found.again:
        yield Mark.RERUN_ALONE
    if _order_only(found, item):
        yield Mark.ORDER_ONLY


def _order_only(found: Judgement, item: Item) -> bool:
    """The output holds the expected words in another order, and the statement allows any of several answers."""
    tests = item.tests
    if tests is None or found.passed or found.outcome.status is not Status.OK or tests.function:
        return False
    if not _ANY.search(item.question if item.question is not None else item.prompt):
        return False
    return Counter(found.outcome.stdout.split()) == Counter(tests.outputs[found.test].split())

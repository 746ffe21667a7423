"""A program against its tests: run, compare, stop at the first that fails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from ..model import Outcome, Status, Tests
from .calls import compare_result
from .candidate import Candidate, Tried
from .compare import compare_output
from .octets import octets
from .preamble import PREAMBLE
from .session import Ask


class Lack(StrEnum):
    """What of the harness's preamble a program died of not having."""

    NAME = "name"
    RECURSION = "recursion"
    DIGITS = "digits"


_LACKS = (
    (Lack.NAME, re.compile(rb"^NameError: name '", re.MULTILINE)),
    (Lack.RECURSION, re.compile(rb"^RecursionError: ", re.MULTILINE)),
    (Lack.DIGITS, re.compile(rb"^ValueError: Exceeds the limit \(\d+ digits\)", re.MULTILINE)),
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a program.

    Args:
        passed: every test was run, ended with exit status 0 and gave the expected output.
        test: index of the test that failed, or the number of tests.
        outcome: of that test (or of the last one).
        output_right: the failing test's output was the expected one, whatever its exit status.
        exact: the outputs agree by exact decimals, too.
        lacks: what the preamble had to supply, by test as far as needed.
        again: some test was over its time at first and was run once more, alone.
        seconds: the longest test.
    """

    passed: bool
    test: int
    outcome: Outcome
    output_right: bool
    exact: bool
    lacks: tuple[Lack, ...]
    again: bool
    seconds: float


def judge(candidate: Candidate, tests: Tests, *, tolerance: float, preamble: str, upto: int | None = None) -> Judgement:
    """Run the tests in order, up to the first that fails.

    Args:
        tolerance: of `compare_output`.
        preamble: `harness` runs a program that dies of the lack of something that LightEval's preamble supplies once
            more with it; `none` does not; `always` runs every test with it.
        upto: run only this many tests.

    Raises:
        ValueError: there are no tests: nothing can pass them. Or they are of a call and not `calls.readable`.
        SandboxMissing: there is no sandbox to run in.
    """
    if not tests.inputs:
        raise ValueError("no tests")
    exact, again, longest, lacks = True, False, 0.0, dict[Lack, None]()
    count = len(tests.inputs) if upto is None else min(upto, len(tests.inputs))
    index, outcome, right = 0, None, False
    for index in range(count):
        tried, lack = _tried(candidate, tests, index, tolerance, preamble)
        outcome, right = tried.outcome, _right(tried, tests, index, tolerance)
        again = again or tried.again
        longest = max(longest, outcome.seconds)
        if outcome.status is not Status.OK or not right:
            return Judgement(False, index, outcome, right, exact, tuple(lacks), again, longest)
        if lack is not None:
            lacks[lack] = None
        exact = exact and _right(tried, tests, index, 0.0)
    assert outcome is not None
    return Judgement(True, index + 1, outcome, right, exact, tuple(lacks), again, longest)


def _tried(
    candidate: Candidate, tests: Tests, index: int, tolerance: float, preamble: str
) -> tuple[Tried, Lack | None]:
    """One test, and what the preamble had to supply for it to be passed."""
    body = octets(tests.inputs[index])
    function = tests.function or ""
    tried = candidate.run(Ask(body, function, PREAMBLE if preamble == "always" else ""))
    if preamble != "harness" or _passes(tried, tests, index, tolerance):
        return tried, None
    lack = lacking(tried.outcome.stderr)
    if lack is None:
        return tried, None
    helped = candidate.run(Ask(body, function, PREAMBLE))
    if _passes(helped, tests, index, tolerance):
        return helped, lack
    return tried, None


def _passes(tried: Tried, tests: Tests, index: int, tolerance: float) -> bool:
    return tried.outcome.status is Status.OK and _right(tried, tests, index, tolerance)


def _right(tried: Tried, tests: Tests, index: int, tolerance: float) -> bool:
    """The output (or the result) is the expected one, whatever the exit status."""
    if tests.function:
        got = tried.result.decode("utf-8", "surrogateescape")
        return compare_result(got, tests.outputs[index], tolerance)
    return compare_output(tried.outcome.stdout, tests.outputs[index], tolerance)


def lacking(stderr: str) -> Lack | None:
    """What of the harness's preamble the traceback complains of the lack of."""
    data = octets(stderr)
    return next((lack for lack, pattern in _LACKS if pattern.search(data)), None)

"""When a program is over its time, and when that is not yet certain."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lighteval_fix.model import Status
from lighteval_fix.running.candidate import Candidate, _in_doubt
from lighteval_fix.running.forkwatch import is_certain
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask, Ran
from lighteval_fix.running.stdio import named_sandbox


def ran(ending: str, wall: float, waited: float, cpu: float, exit_code: int = 0, certain: bool = False) -> Ran:
    return Ran(b"", b"", b"", ending, exit_code, wall, waited, cpu, 0, left=False, dirty=False, certain=certain)


@pytest.mark.parametrize(
    ("seen", "doubtful"),
    [
        (ran("timeout", 9.0, 0.0, 8.9, -9), False),
        (ran("timeout", 15.0, 6.0, 8.9, -9), False),
        (ran("timeout", 6.0, 0.0, 5.9, -9, certain=True), False),
        (ran("timeout", 6.0, 0.0, 5.9, -9), True),
        (ran("timeout", 15.0, 6.0, 7.1, -9), True),
        (ran("timeout", 15.0, 7.5, 4.0, -9), True),
        (ran("timeout", 9.0, 0.0, 0.1, -9), True),
        (ran("", 7.0, 0.0, 6.9), True),
        (ran("", 7.0, 1.5, 5.4), False),
        (ran("", 5.9, 0.0, 5.9), False),
        (ran("", 7.0, 0.0, 6.9, 1), False),
        (ran("memory", 7.0, 0.0, 6.9, -9), False),
    ],
)
def test_what_is_run_again(seen: Ran, doubtful: bool) -> None:
    assert _in_doubt(seen, 6.0) is doubtful


@pytest.mark.parametrize(("code", "again"), [("import time; time.sleep(60)", True), ("print(1)", False)])
def test_it_says_that_it_was_run_again(code: str, again: bool) -> None:
    with Candidate(named_sandbox("none"), code, describe(), Limits(seconds=0.5)) as candidate:
        tried = candidate.run(Ask(b""))
    assert tried.again is again
    assert (tried.outcome.status is Status.TIMEOUT) is again


@pytest.mark.parametrize(
    ("seconds", "own", "others", "certain"),
    [
        (6.0, 5.95, 0.2, True),
        (6.0, 5.95, 0.9, False),
        (6.0, 5.95, 5.9, False),
        (6.0, 5.0, 0.0, False),
        (6.0, 0.1, 0.0, False),
        (9.0, 5.95, 0.2, True),
        (6.0, 11.5, 0.2, True),
    ],
)
def test_what_no_second_run_can_change(seconds: float, own: float, others: float, certain: bool) -> None:
    assert is_certain(seconds, 6.0, own, others) is certain


def test_company_gives_half_as_much_again() -> None:
    """A loop that runs beside another one is not believed to be over its time at the limit itself."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            with Candidate(named_sandbox("none"), "while True: pass", describe(), Limits(seconds=1.0)) as candidate:
                tried = candidate.run(Ask(b""))
        finally:
            busy.kill()
    assert tried.outcome.status is Status.TIMEOUT
    assert tried.given > 1.4


def test_a_sleeper_is_not_given_more_before_it_is_run_again() -> None:
    with Candidate(named_sandbox("none"), "import time; time.sleep(60)", describe(), Limits(seconds=1.0)) as candidate:
        tried = candidate.run(Ask(b""))
    assert tried.again
    assert tried.outcome.status is Status.TIMEOUT
    assert tried.outcome.cpu_seconds < 0.5

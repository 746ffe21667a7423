"""Limits, statuses, and hosts without a sandbox."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from lighteval_fix.model import SandboxMissing, Status
from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.running import bubblewrap, run_program
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.judge import Lack, judge
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.stdio import named_sandbox


@pytest.mark.parametrize(
    ("code", "status", "exit_code"),
    [
        ("print(1)", Status.OK, 0),
        ("import sys; sys.exit(3)", Status.ERROR, 3),
        ("1 / 0", Status.ERROR, 1),
        ("raise MemoryError", Status.MEMORY, 1),
        ("bytearray(1 << 40)", Status.MEMORY, 1),
        ("import os; os.abort()", Status.KILLED, -6),
        ("while True: pass", Status.TIMEOUT, -9),
        ("import time; time.sleep(60)", Status.TIMEOUT, -9),
        ("while True: print('y' * 65536)", Status.OUTPUT_LIMIT, -9),
    ],
)
def test_status(code: str, status: Status, exit_code: int) -> None:
    outcome = run_program(code, timeout=0.7, sandbox="none")
    assert (outcome.status, outcome.exit_code) == (status, exit_code)


def test_what_was_measured() -> None:
    outcome = run_program(
        "import time\nx = sum(range(10**6))\ntime.sleep(0.2)\ny = bytearray(50 << 20)", sandbox="none"
    )
    assert outcome.status is Status.OK
    assert outcome.seconds >= 0.2
    assert 0 < outcome.cpu_seconds < outcome.seconds
    assert outcome.peak_bytes > 50 << 20


def test_an_over_long_output_shows_its_beginning() -> None:
    outcome = run_program("print('begin')\nwhile True: print('y' * 65536)", sandbox="none")
    assert outcome.stdout.startswith("begin\n")
    assert len(outcome.stdout) <= 1 << 20


def test_the_end_of_a_long_complaint_is_kept() -> None:
    outcome = run_program("import sys\nfor _ in range(10**4): sys.stderr.write('y' * 100)\n1/0", sandbox="none")
    assert outcome.stderr.rstrip().endswith("ZeroDivisionError: division by zero")
    assert len(outcome.stderr) < 100_000


def test_undecodable_bytes_come_back_as_they_were() -> None:
    code = "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())"
    assert run_program(code, "a\udcff\n", sandbox="none").stdout == "a\udcff\n"


def test_the_environment_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    shown = run_program("import os; print(sorted(os.environ))", sandbox="none").stdout
    assert "SECRET_TOKEN" not in shown
    assert "HOME" in shown


def test_hashes_do_not_depend_on_chance() -> None:
    assert len({run_program("print(hash('a'))", sandbox="none").stdout for _ in range(3)}) == 1


@pytest.mark.parametrize("bad", [{"timeout": 0}, {"timeout": float("nan")}, {"memory_bytes": 1}, {"sandbox": "docker"}])
def test_what_cannot_be_meant_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        run_program("print(1)", **bad)  # type: ignore[arg-type]


def test_an_interpreter_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="cannot be started"):
        run_program("print(1)", sandbox="none", python="/nowhere/python")


def test_without_bubblewrap_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_found", lambda name: None)
    with pytest.raises(SandboxMissing, match=r"not installed.*apt-get install bubblewrap.*--sandbox none"):
        run_program("print(1)")


def test_where_the_host_refuses_the_message_says_that(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bubblewrap, "_found", lambda name: str(fake))
    with pytest.raises(SandboxMissing, match=r"refuses.*No permissions.*seccomp.*--sandbox none") as raised:
        run_program("print(1)")
    assert "not installed" not in str(raised.value)


def test_no_tests_are_no_pass() -> None:
    with (
        Candidate(named_sandbox("none"), "print(1)", describe(), Limits()) as candidate,
        pytest.raises(ValueError, match="no tests"),
    ):
        judge(candidate, ProgramTests((), ()), tolerance=1e-6, preamble="harness")


@pytest.mark.parametrize(
    ("code", "want", "lack"),
    [
        ("print(gcd(12, 18))", "6", Lack.NAME),
        ("def d(n):\n    return 0 if n == 0 else 1 + d(n - 1)\nprint(d(3000))", "3000", Lack.RECURSION),
        ("print(10 ** 5000)", "1" + "0" * 5000, Lack.DIGITS),
    ],
)
def test_what_the_preamble_supplies(code: str, want: str, lack: Lack) -> None:
    for preamble, passed, lacks in (("harness", True, (lack,)), ("none", False, ()), ("always", True, ())):
        with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
            found = judge(candidate, ProgramTests(("",), (want,)), tolerance=1e-6, preamble=preamble)
        assert (found.passed, found.lacks) == (passed, lacks)


def test_a_name_that_nobody_provides_stays_an_error() -> None:
    with Candidate(named_sandbox("none"), "print(no_such_name)", describe(), Limits()) as candidate:
        found = judge(candidate, ProgramTests(("",), ("1",)), tolerance=1e-6, preamble="harness")
    assert (found.passed, found.outcome.status) == (False, Status.ERROR)


def test_no_descriptor_is_left_open() -> None:
    run_program("print(1)", sandbox="none")
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(5):
        run_program("print(1)", sandbox="none")
    assert sorted(os.listdir("/proc/self/fd")) == before

"""A sandbox takes one program after the other only while nothing of them is left in it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox
from lighteval_fix.running.stock import Stock

pytestmark = pytest.mark.sandbox

BOXED = named_sandbox("bubblewrap")
LIMITS = Limits(seconds=2)
TRACES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "corpus/attacks/traces.toml").read_text(encoding="utf-8")
)["trace"]

PROBE = """
import ctypes, os, resource, sys
print(sorted(os.listdir('.')), sorted(os.listdir('/dev/shm')), sorted(os.listdir(sys.path[0])), os.getcwd())
print([oct(os.stat(place).st_mode) for place in ('.', '/dev/shm', sys.path[0])])
print([open('/proc/sysvipc/' + name).read() for name in ('shm', 'sem', 'msg')])
print([resource.getrlimit(number) for number in range(16)])
print(sorted(os.sched_getaffinity(0)), os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0))
print([name for name in os.listdir('/proc') if name.isdigit() and name != '1' and int(name) != os.getpid()])
print(ctypes.CDLL(None).syscall({'x86_64': 249, 'aarch64': 218}[os.uname().machine], b'user', b'left', 0, 0))
print('tw 0' in open('/proc/net/sockstat').read(), sys.flags, sys.argv, sorted(os.environ))
"""


def seen(stock: Stock) -> str:
    with Candidate(BOXED, PROBE, describe(), LIMITS, stock) as candidate:
        outcome = candidate.run(Ask(b"")).outcome
    assert outcome.exit_code == 0, outcome.stderr
    return outcome.stdout


@pytest.fixture(scope="module")
def untouched() -> str:
    stock = Stock()
    try:
        return seen(stock)
    finally:
        stock.close()


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace["name"])
def test_the_next_program_finds_nothing(trace: dict[str, Any], untouched: str) -> None:
    stock = Stock()
    try:
        with Candidate(BOXED, trace["code"].lstrip("\n"), describe(), LIMITS, stock) as candidate:
            refused = candidate.run(Ask(b"")).outcome.stdout == "False\n"
            session = candidate._session
        assert seen(stock) == untouched
        used = None if session is None else session._started
        if trace.get("kept"):
            assert used is not None
            assert used.process.poll() is None
        elif "kept" in trace and used is not None and not refused:
            assert used.process.wait(10) == 0
    finally:
        stock.close()


def test_a_program_that_is_slow_to_compile_and_one_that_does_not_are_told_apart() -> None:
    stock = Stock()
    try:
        for code, status in (("x = [" * 3000, "error"), ("\0", "error"), ("print(1)", "ok"), ("x = (", "error")):
            with Candidate(BOXED, code, describe(), LIMITS, stock) as candidate:
                assert [candidate.run(Ask(b"")).outcome.status for _ in range(2)] == [status] * 2
    finally:
        stock.close()

"""A function is called as plain python calls it: every one of the corpus is called both ways."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.model import Status
from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.running.calls import compare_result, readable
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.judge import judge
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.preamble import PREAMBLE
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox

CALLS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "corpus/running/calls.toml").read_text(encoding="utf-8")
)["call"]

DRIVER = """
import importlib, json, os
out, load, dump = os.fdopen(3, 'w'), json.loads, json.dumps
with open('arguments', encoding='utf-8', newline='') as file:
    lines = file.read().rstrip('\\r\\n')
arguments = [load(line) for line in lines.split('\\n')] if lines else []
solution = importlib.import_module('solution')
holder = solution.Solution() if hasattr(solution, 'Solution') else solution
value = holder.f(*arguments)
out.write(dump(value, default=lambda part: float(part)))
out.close()
os._exit(0)
"""


def as_python_does(call: dict[str, Any], arguments: str, folder: Path) -> tuple[str, str]:
    """What plain python returns, as JSON (empty: nothing), and the last line of standard error."""
    preamble = PREAMBLE if call.get("preamble") else ""
    (folder / "solution.py").write_text(preamble + call["code"].lstrip("\n"), encoding="utf-8")
    (folder / "arguments").write_text(arguments, encoding="utf-8", newline="")
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    result = folder / "result"
    fd = os.open(result, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
    try:
        done = subprocess.run(
            [os.path.realpath(sys.executable), "driver.py"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=folder,
            env={"LANG": "C.UTF-8", "PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
            timeout=60,
            pass_fds=(3,),
            preexec_fn=lambda: os.dup2(fd, 3),
        )
    finally:
        os.close(fd)
    return result.read_text(encoding="utf-8"), last_line(done.stderr.decode())


def last_line(text: str) -> str:
    return text.rstrip().rsplit("\n", 1)[-1]


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", [pytest.param("bubblewrap", marks=pytest.mark.sandbox), "none"])
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call["name"])
def test_the_same_as_python(call: dict[str, Any], sandbox: str, tmp_path: Path) -> None:
    code = call["code"].lstrip("\n")
    ask_preamble = PREAMBLE if call.get("preamble") else ""
    with Candidate(named_sandbox(sandbox), code, describe(), Limits()) as candidate:
        for number, arguments in enumerate(call["arguments"]):
            tried = candidate.run(Ask(arguments.encode(), "f", ask_preamble))
            value, complaint = as_python_does(call, arguments, tmp_path)
            if "expected" in call:
                want = call["expected"][number]
                assert compare_result(tried.result.decode(), want, 0), tried
                assert compare_result(value, want, 0), (value, complaint)
                assert tried.outcome.status is Status.OK
            else:
                assert (tried.result, value) == (b"", "")
                assert complaint.startswith(call["raises"])
                assert last_line(tried.outcome.stderr).split(":")[0] == complaint.split(":")[0]
        wanted = call.get("expected", ["null"] * len(call["arguments"]))
        tests = ProgramTests(tuple(call["arguments"]), tuple(wanted), "f")
        judgement = judge(candidate, tests, tolerance=1e-6, preamble="harness")
    assert judgement.passed is ("expected" in call)
    assert bool(judgement.lacks) is bool(call.get("preamble"))


def test_over_its_time() -> None:
    limits = Limits(seconds=0.5)
    with Candidate(named_sandbox("none"), "def f(n):\n while n: pass\n return n\n", describe(), limits) as candidate:
        tests = ProgramTests(("0", "1"), ("0", "0"), "f")
        judgement = judge(candidate, tests, tolerance=0, preamble="none")
    assert (judgement.test, judgement.outcome.status) == (1, Status.TIMEOUT)


def test_the_value_is_what_the_type_holds_not_what_it_says() -> None:
    code = "class Row(list):\n    def __iter__(self): return iter([9])\n    def __len__(self): return 1\n"
    code += "def f(a):\n    return Row(a)\n"
    with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
        assert candidate.run(Ask(b"[1, 2]", "f")).result == b"[1, 2]"


def test_a_fraction_that_no_double_is_stays_no_value() -> None:
    code = "from decimal import Decimal\ndef f(s):\n    return Decimal(s)\n"
    with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
        tests = ProgramTests(('"0.1"',), ("0.1",), "f")
        assert not judge(candidate, tests, tolerance=1e-6, preamble="none").passed


@pytest.mark.parametrize(("arguments", "wanted"), [("x", "1"), ("1", ""), ("1", "[1,"), ("1\n\n2", "1"), ("'a'", "1")])
def test_what_is_no_json_is_no_test_of_a_call(arguments: str, wanted: str) -> None:
    assert not readable(ProgramTests(("1", arguments), ("1", wanted), "f"))
    assert readable(ProgramTests(("1", arguments), ("1", wanted), None))
    assert readable(ProgramTests(("1\n", ""), ("NaN", "1" * 5000), "f"))


def test_integers_of_any_length_go_in_and_come_out() -> None:
    number = "7" * 60_000
    with Candidate(named_sandbox("none"), "def f(n):\n    return [n, n % 10]\n", describe(), Limits()) as candidate:
        tests = ProgramTests((number,), (f"[{number}, 7]",), "f")
        assert judge(candidate, tests, tolerance=0, preamble="none").passed


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\udc80", "\udcc3\udca9"])  # noqa: PT014 (to ruff all surrogates are one)
def test_a_lone_surrogate_in_the_arguments_is_itself(text: str) -> None:
    code = "def f(s):\n    return [ord(c) for c in s]\n"
    with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
        tests = ProgramTests((f'"{text}"',), (json.dumps([ord(c) for c in text]),), "f")
        assert judge(candidate, tests, tolerance=0, preamble="none").passed

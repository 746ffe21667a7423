"""How long programs take to grade: ours, one `python` a test, and LightEval's own way, on the same set in one run.

    python -m bench.running DETAILS [--programs N] [--quick SECONDS] [--workers W] [--lighteval PYTHON]

DETAILS is a LightEval details folder with programs. The three take turns on chunks of programs, so that whatever else
the machine does falls on all of them alike. A program's own time is the processor time of its processes, as the fork
server saw it; overhead is all the rest. Where a test is over its time, every way has to wait: the program's own time
is then what that way gave it by the clock, `python` the limit and we the limit or, for one that may have been slowed
down, more (the second run included). So the gross ratio has a floor: a way that costs nothing still waits out each
limit once and lets the other tests work. It is printed beside the ratio. With --quick only programs take part that end
within so many seconds of their own: time limits, which every way has to wait for, are then left out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lighteval_fix.model import Item, Status
from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.reading import read_code_as_lighteval
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.compare import compare_output
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask, Session
from lighteval_fix.running.stdio import named_sandbox
from lighteval_fix.running.stock import stock_of_thread
from lighteval_fix.sources import open_run

CHUNK = 25
SECONDS = 6.0

_LIGHTEVAL = """
import json, logging, os, sys, time
out = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
from lighteval.tasks.tasks.lcb.codegen_metrics import codegen_metrics
for line in sys.stdin:
    job = json.loads(line)
    samples = [{"input_output": json.dumps(s)} for s in job["samples"]]
    start = time.perf_counter()
    _, results = codegen_metrics(samples, [[c] for c in job["codes"]], k_list=[1], num_process_evaluate=job["workers"])
    took = time.perf_counter() - start
    passed = [all(r is True or r == 1 and r > 0 for r in results[i][0]) for i in range(len(samples))]
    out.write(json.dumps({"seconds": took, "passed": passed}) + "\\n")
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A program and its tests."""

    code: str
    tests: ProgramTests


@dataclass(frozen=True, slots=True)
class Done:
    """What one way made of one program.

    Args:
        passed: every test.
        own: of every test that was run, the program's own seconds, 0 where this way cannot tell.
        over: the last test was over its time.
    """

    passed: bool
    own: tuple[float, ...]
    over: bool = False


def ours(program: Program) -> Done:
    """In the sandbox, up to the first test that fails."""
    own, limits = list[float](), Limits(seconds=SECONDS)
    with Candidate(named_sandbox("bubblewrap"), program.code, describe(), limits, stock_of_thread()) as candidate:
        for stdin, want in zip(program.tests.inputs, program.tests.outputs, strict=True):
            tried = candidate.run(Ask(stdin.encode()))
            outcome, over = tried.outcome, tried.outcome.status is Status.TIMEOUT
            own.append(tried.given if over or tried.again else outcome.cpu_seconds)
            if outcome.status is not Status.OK or not compare_output(outcome.stdout, want):
                return Done(False, tuple(own), over)
    return Done(True, tuple(own))


def by_python(program: Program) -> Done:
    """One `python` a test, no sandbox, up to the first test that fails."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(program.code)
        file.flush()
        for index, stdin in enumerate(program.tests.inputs):
            try:
                done = subprocess.run(
                    [sys.executable, file.name], input=stdin.encode(), capture_output=True, timeout=SECONDS, check=False
                )
            except subprocess.TimeoutExpired:
                return Done(False, (*[0.0] * index, SECONDS), over=True)
            got = done.stdout.decode("utf-8", "surrogateescape")
            if done.returncode or not compare_output(got, program.tests.outputs[index]):
                return Done(False, (0.0,) * (index + 1))
    return Done(True, (0.0,) * len(program.tests.inputs))


def own_by_python(mine: Done, plain: Done) -> float:
    """The program's own seconds in `python`'s runs: the limit where it was over it, else what our run of the test took,
    which for one that only we hold for too slow is at most the limit."""
    own = [min(seconds, SECONDS) for seconds in mine.own[: len(plain.own)]]
    return sum(own[:-1]) + SECONDS if plain.over else sum(own)


class LightEval:
    """LightEval's `codegen_metrics` in a process that has it, so that its imports are not counted."""

    def __init__(self, python: str, workers: int) -> None:
        self.workers = workers
        self.process = subprocess.Popen(
            [python, "-c", _LIGHTEVAL],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HF_HUB_OFFLINE": "1"},
        )

    def run(self, programs: Sequence[Program]) -> tuple[float, list[bool]]:
        """Seconds and verdicts for these programs."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        samples = [{"inputs": p.tests.inputs, "outputs": p.tests.outputs, "fn_name": None} for p in programs]
        job = {"samples": samples, "codes": [p.code for p in programs], "workers": self.workers}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer["seconds"], answer["passed"]

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait(30)


def overheads(programs: Sequence[Program]) -> tuple[list[float], list[float]]:
    """Seconds beyond the program's own processor time: of every test, and of starting and ending each sandbox."""
    a_test, a_program = [], []
    for program in programs:
        start = time.perf_counter()
        limits = Limits(seconds=SECONDS)
        session = Session(named_sandbox("bubblewrap"), program.code, describe(), limits, stock_of_thread())
        try:
            session.run(Ask(program.tests.inputs[0].encode()))
            begun = time.perf_counter()
            ran = session.run(Ask(program.tests.inputs[0].encode()))
            once = time.perf_counter() - begun
            if not ran.ending:
                a_test.append(once - ran.cpu)
        finally:
            done = time.perf_counter()
            session.close()
        a_program.append((begun - start - once) + (time.perf_counter() - done))
    return a_test, a_program


def programs_of(details: str, count: int | None) -> list[Program]:
    """The programs of a run as LightEval read them."""
    found = []
    for item in open_run(details).items():
        if isinstance(item, Item) and item.tests is not None and item.tests.function is None:
            for generation in item.generations:
                code = read_code_as_lighteval(generation.text)
                if code:
                    found.append(Program(code, item.tests))
    return found[:count]


def compared(programs: Sequence[Program], workers: int, lighteval: str | None) -> None:
    """The three ways by turns, and their totals."""
    total = dict.fromkeys(("ours", "python", "lighteval"), 0.0)
    own = dict.fromkeys(("ours", "python"), 0.0)
    over = dict.fromkeys(own, 0)
    tests, differ = 0, {"python": 0, "lighteval": 0}
    other = LightEval(lighteval, workers) if lighteval else None
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(ours, programs[:workers]))
        if other:
            other.run(programs[:1])
        for start in range(0, len(programs), CHUNK):
            chunk = programs[start : start + CHUNK]
            begun = time.perf_counter()
            mine = list(pool.map(ours, chunk))
            total["ours"] += time.perf_counter() - begun
            tests += sum(len(done.own) for done in mine)
            begun = time.perf_counter()
            plain = list(pool.map(by_python, chunk))
            total["python"] += time.perf_counter() - begun
            own["ours"] += sum(sum(done.own) for done in mine)
            own["python"] += sum(own_by_python(a, b) for a, b in zip(mine, plain, strict=True))
            over["ours"] += sum(done.over for done in mine)
            over["python"] += sum(done.over for done in plain)
            differ["python"] += sum(a.passed is not b.passed for a, b in zip(mine, plain, strict=True))
            if other:
                seconds, passed = other.run(chunk)
                total["lighteval"] += seconds
                differ["lighteval"] += sum(a.passed is not b for a, b in zip(mine, passed, strict=True))
    print(f"{len(programs)} programs, {tests} tests, {workers} workers")
    for name in total:
        given = f", own {own[name]:.1f} s, {over[name]} tests over time" if name in own else ""
        print(f"  {name:9} {total[name]:8.1f} s{given}")
    floor = own["python"] / workers / total["python"]
    print(f"  ours / python a test           {total['ours'] / total['python']:.2f}  (no way can be below {floor:.2f})")
    us, python = (total[name] - own[name] / workers for name in own)
    print(f"  the same without own time      {us / python:.2f}  ({us:.1f} s / {python:.1f} s)")
    if other:
        other.close()
        print(f"  ours / lighteval               {total['ours'] / total['lighteval']:.2f}")
    print(f"  verdicts that differ from ours: {differ}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("details")
    parser.add_argument("--programs", type=int)
    parser.add_argument("--quick", type=float, metavar="SECONDS")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--lighteval", help="a python that has LightEval 0.13.0")
    asked = parser.parse_args()
    if asked.lighteval and not Path(asked.lighteval).exists():
        parser.error(f"no such interpreter: {asked.lighteval}")
    programs = programs_of(asked.details, asked.programs)
    if asked.quick:
        with ProcessPoolExecutor(asked.workers) as pool:
            done = pool.map(ours, programs)
            programs = [program for program, found in zip(programs, done, strict=True) if sum(found.own) < asked.quick]
    a_test, a_program = overheads(programs[:100])
    for name, values in (("a test", a_test), ("a program", a_program)):
        middle, mean = statistics.median(values) * 1e3, statistics.fmean(values) * 1e3
        print(f"overhead {name:9} median {middle:6.2f} ms, mean {mean:6.2f} ms, of {len(values)}")
    compared(programs, asked.workers, asked.lighteval)


if __name__ == "__main__":
    main()

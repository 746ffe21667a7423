"""A program runs as `python program.py` would run it: every one of the corpus is run both ways."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox

PROGRAMS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "corpus/running/programs.toml").read_text(encoding="utf-8")
)["program"]


def last_line(text: str) -> str:
    return text.rstrip().rsplit("\n", 1)[-1]


def as_python_does(program: dict[str, Any], folder: Path) -> tuple[str, int, str]:
    path, source = folder / "program.py", folder / "input"
    path.write_bytes(program["code"].lstrip("\n").encode())
    source.write_bytes(program.get("stdin", "").encode())
    with source.open("rb") as stdin:
        done = subprocess.run(
            [os.path.realpath(sys.executable), path],
            stdin=stdin,
            capture_output=True,
            cwd=folder,
            env={"LANG": "C.UTF-8", "PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"},
            timeout=60,
            # Whoever runs the tests in the background ignores Ctrl-C, and a child would inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode, last_line(done.stderr.decode())


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", [pytest.param("bubblewrap", marks=pytest.mark.sandbox), "none"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program["name"])
def test_the_same_as_python(program: dict[str, Any], sandbox: str, tmp_path: Path) -> None:
    with Candidate(named_sandbox(sandbox), program["code"].lstrip("\n"), describe(), Limits()) as candidate:
        seen = []
        for _ in range(2):
            outcome = candidate.run(Ask(program.get("stdin", "").encode())).outcome
            seen.append((outcome.stdout, outcome.exit_code, last_line(outcome.stderr)))
    assert seen == [as_python_does(program, tmp_path)] * 2


def test_a_traceback_shows_the_programs_frames_alone() -> None:
    with Candidate(named_sandbox("none"), "def f():\n    1 / 0\nf()\n", describe(), Limits()) as candidate:
        outcome = candidate.run(Ask(b"")).outcome
    assert outcome.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert "sandbox" not in outcome.stderr
    assert outcome.stderr.count("  File ") == 2


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13", "3.14"])
def test_programs_may_have_another_interpreter(version: str) -> None:
    found = shutil.which(f"python{version}") or f"python{version}"
    try:
        python = describe(found)
    except ValueError as error:
        pytest.skip(str(error))
    code = (
        "import atexit, sys\natexit.register(lambda: 1 / 0)\n"
        "print('%d.%d' % sys.version_info[:2], int(sys.stdin.buffer.read()) * 2)"
    )
    with Candidate(named_sandbox("none"), code, python, Limits()) as candidate:
        seen = [candidate.run(Ask(b"21")).outcome for _ in range(2)]
    assert [(outcome.stdout, outcome.exit_code) for outcome in seen] == [(f"{version} 42\n", 0)] * 2

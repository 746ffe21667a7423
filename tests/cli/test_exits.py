from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from lighteval_fix.cli.exits import Exit, exit_code, worst
from lighteval_fix.model import InputError, SandboxMissing
from tests.cli.details import details, row


def raising(error: BaseException):  # type: ignore[no-untyped-def]
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("no such file", "x"), 1),
        (SandboxMissing("bubblewrap is not installed"), 4),
        (KeyboardInterrupt(), 130),
        (typer.BadParameter("wrong"), 2),
        (typer.Exit(3), 3),
        (RuntimeError("never"), 70),
    ],
)
def test_what_is_raised_becomes_its_code(error: BaseException, code: int) -> None:
    assert exit_code(raising(error)) == code


def test_a_bug_shows_where_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(raising(RuntimeError("never")))
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert "bug of lighteval-fix" in said


def test_precedence() -> None:
    order = [Exit.BUG, Exit.SANDBOX, Exit.INPUT, Exit.FAIL_ON, Exit.DONE]
    for higher, lower in itertools.combinations(order, 2):
        assert worst([lower, higher]) is higher
    assert worst([]) is Exit.DONE


@pytest.mark.slow
def test_ctrl_c_ends_with_130(tmp_path: Path) -> None:
    # Texts that differ, since alike ones are read once: it must not be done before it is interrupted.
    rows = [row(n, "Two and five?", "7", [f"{n} x " * 60_000 + "\nANSWER: 7"], 1.0) for n in range(400)]
    details(tmp_path, rows)
    command = [sys.executable, "-m", "lighteval_fix", "regrade", str(tmp_path), "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for _ in range(600):
        if process.poll() is not None or (children.exists() and children.read_text().split()):
            break  # its workers are there: it is past its imports
        time.sleep(0.05)
    time.sleep(1)  # and so are they
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "lighteval-fix: interrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["regrade EX", "decide 1 1", "regrade EX --json -"])
def test_a_stdout_that_the_shell_closed(tmp_path: Path, closed: str) -> None:
    details(tmp_path, [row(1, "Two and five?", "7", ["ANSWER: 7"], 1.0)])
    command = f"{sys.executable} -m lighteval_fix {closed.replace('EX', str(tmp_path))} >&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.endswith("lighteval-fix: an output could not be written: stdout is closed\n")
    quiet = f"{sys.executable} -m lighteval_fix regrade {tmp_path} --quiet >&- 2>&-"
    assert subprocess.run(quiet, shell=True, timeout=60).returncode == 0


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    details(tmp_path, [row(n, "Two and five?", "7", ["ANSWER: 7"], 0.0) for n in range(300)])
    command = f"{sys.executable} -m lighteval_fix regrade {tmp_path} --show 300; echo code $? >&2"
    done = subprocess.run(f"{{ {command}; }} | head -1", shell=True, capture_output=True, text=True, timeout=60)
    assert "code 0" in done.stderr
    assert "Traceback" not in done.stderr

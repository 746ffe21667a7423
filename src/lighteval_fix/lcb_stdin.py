"""Door to the documented module path `lighteval_fix.lcb_stdin`: one program, one test."""

from __future__ import annotations

from .model import Status
from .running.compare import checked_tolerance, compare_output
from .running.stdio import run_program

__all__ = ["compare_output", "run_stdin_case"]


def run_stdin_case(code: str, stdin: str, expected: str, timeout: float = 6.0, tolerance: float = 1e-6) -> bool:
    """True if the program, run as it is written in the sandbox, ends with exit status 0 within `timeout` seconds and
    its output is the expected one by `compare_output`.

    Raises:
        SandboxMissing: bubblewrap is not installed, or the host refuses it.
        ValueError: an impossible timeout or tolerance.
    """
    checked_tolerance(tolerance)
    outcome = run_program(code, stdin, timeout=timeout)
    return outcome.status is Status.OK and compare_output(outcome.stdout, expected, tolerance)

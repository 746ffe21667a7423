"""The documented module path `lighteval_fix.lcb_stdin`."""

from __future__ import annotations

import pytest

from lighteval_fix.lcb_stdin import compare_output, run_stdin_case


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("code", "want", "passed"),
    [
        ("print(int(input()) * 2)", "42", True),
        ("print(int(input()) * 3)", "42", False),
        ("print(int(input()) * 2)\nraise SystemExit(1)", "42", False),
        ("print(int(input()) / 3)", "7.0000001", True),
    ],
)
def test_one_case(code: str, want: str, passed: bool) -> None:
    assert run_stdin_case(code, "21\n", want) is passed


def test_an_impossible_tolerance_is_refused_before_anything_runs() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        run_stdin_case("print(1)", "", "1", tolerance=-1)


def test_comparing_is_there() -> None:
    assert compare_output("1.0000001", "1.0")

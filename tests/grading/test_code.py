"""Programs are graded by their tests, and a changed verdict carries the one thing that explains it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lighteval_fix.grading.code import CodeGrader
from lighteval_fix.grading.grader import CodeOptions, Options
from lighteval_fix.model import Cause, Generation, Grade, Item, Mark, Recorded, Standing
from lighteval_fix.model import Tests as ProgramTests

DOUBLE = ProgramTests(("21\n", "4\n"), ("42\n", "8\n"))


def item(
    *texts: str, recorded: float | None, tests: ProgramTests | None = DOUBLE, question: str = "Double it."
) -> Item:
    return Item(
        id="p",
        row=0,
        prompt=question,
        question=question,
        golds=(),
        tests=tests,
        generations=tuple(map(Generation, texts)),
        recorded=() if recorded is None else (Recorded("codegen_pass@1:16", recorded),),
    )


def fenced(code: str) -> str:
    return f"Here it is.\n```python\n{code}\n```\n"


def graded(given: Item, **options: object) -> list[Grade]:
    code = replace(CodeOptions(sandbox="none"), **options)  # type: ignore[arg-type]
    return list(CodeGrader(Options(code=code)).grade(given))


RECOVERED = [
    ("t = 0\ndef f(k):\n    global t\n    t += k\nf(2 * int(input()))\nprint(t)", Cause.REWRITTEN_PROGRAM),
    ("import sys\nprint(2 * int(sys.stdin.buffer.read()))", Cause.MOCKED_STDIN),
    ("import sys\nread = sys.stdin.buffer.readline\nprint(2 * int(read()))", Cause.MOCKED_STDIN),
    ("print(2 * int(open(0).read()))", Cause.MOCKED_STDIN),
    ("from sys import stdin\nprint(2 * int(stdin.readline()))", Cause.MOCKED_STDIN),
    ("import os\nprint(2 * int(os.read(0, 99)))", Cause.MOCKED_STDIN),
    ("import os\nos.write(1, b'%d' % (2 * int(input())))\nos._exit(0)", Cause.MOCKED_STDIN),
    ("print(2 * int(input()))\nquit()", Cause.DISABLED_FUNCTIONS),
    (
        "import threading, time\ndef f():\n    time.sleep(0.1)\n    print(2 * int(input()))\n"
        "threading.Thread(target=f).start()",
        Cause.THREADS_CUT_OFF,
    ),
    ("print(2 * int(input()))", Cause.UNEXPLAINED),
]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "cause"), RECOVERED)
def test_why_a_right_program_was_scored_wrong(code: str, cause: Cause) -> None:
    (grade,) = graded(item(fenced(code), recorded=0.0))
    assert (grade.standing, grade.cause) == (Standing.RIGHT, cause)


@pytest.mark.parametrize(("code", "_"), RECOVERED)
def test_a_kept_verdict_has_no_cause(code: str, _: Cause) -> None:
    (grade,) = graded(item(fenced(code), recorded=1.0))
    assert (grade.standing, grade.cause) == (Standing.RIGHT, None)


def test_exact_decimals() -> None:
    tests = ProgramTests(("2 3\n",), ("0.666666666667\n",))
    given = item(fenced("a, b = map(int, input().split())\nprint(a / b)"), recorded=0.0, tests=tests)
    assert [g.cause for g in graded(given)] == [Cause.EXACT_DECIMALS]
    assert [g.standing for g in graded(given, tolerance=0.0)] == [Standing.WRONG]


def test_another_part_of_the_text_taken() -> None:
    text = fenced("print(2 * int(input()))") + "```\nThat is all"
    (grade,) = graded(item(text, recorded=0.0))
    assert (grade.standing, grade.cause) == (Standing.RIGHT, Cause.EXTRACTION)


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("import sys\nprint(2 * int(input()))\nsys.exit(3)", Cause.EXIT_STATUS),
        ("while True: pass", Cause.TIME_LIMIT),
        ("x = bytearray(1 << 40)", Cause.MEMORY_LIMIT),
        ("if __name__ == 'tmp_sol':\n    print(2 * int(input()))", Cause.REWRITTEN_PROGRAM),
        ("print(3 * int(input()))", Cause.UNEXPLAINED),
    ],
)
def test_why_a_wrong_program_was_scored_right(code: str, cause: Cause) -> None:
    (grade,) = graded(item(fenced(code), recorded=1.0), timeout=1.0)
    assert (grade.standing, grade.cause) == (Standing.WRONG, cause)


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("print(2 * int(input()) + floor(0.5))", Cause.PREAMBLE),
        ("def d(n):\n    return 0 if n == 0 else d(n - 1)\nprint(2 * int(input()) + d(3000))", Cause.RECURSION_LIMIT),
        ("x = len(str(10 ** 5000))\nprint(2 * int(input()))", Cause.DIGIT_LIMIT),
    ],
)
def test_what_the_preamble_supplied(code: str, cause: Cause) -> None:
    (kept,) = graded(item(fenced(code), recorded=1.0))
    assert (kept.standing, kept.cause, kept.marks) == (Standing.RIGHT, None, (Mark.PREAMBLE_USED,))
    (withdrawn,) = graded(item(fenced(code), recorded=1.0), preamble="none")
    assert (withdrawn.standing, withdrawn.cause, withdrawn.marks) == (Standing.WRONG, cause, ())


def test_without_tests_nothing_passes() -> None:
    for tests in (None, ProgramTests((), ())):
        (grade,) = graded(item(fenced("print(1)"), recorded=1.0, tests=tests))
        assert (grade.standing, grade.detail) == (Standing.ERROR, "no_tests")


def test_calls_with_tests_that_are_no_json_are_errors() -> None:
    code = fenced("def f(n):\n    return n")
    (grade,) = graded(item(code, recorded=1.0, tests=ProgramTests(("1",), ("one",), "f")))
    assert (grade.standing, grade.detail) == (Standing.ERROR, "bad_tests")


def test_no_program_is_no_answer() -> None:
    (grade,) = graded(item("I do not know.", recorded=0.0))
    assert grade.standing is Standing.NO_ANSWER


def test_several_samples_of_which_one_was_misjudged() -> None:
    texts = [fenced("print(2 * int(input()))"), fenced("import os\nprint(2 * int(os.read(0, 9)))"), fenced("print(0)")]
    grades = graded(item(*texts, recorded=1 / 3))
    assert [g.standing for g in grades] == [Standing.RIGHT, Standing.RIGHT, Standing.WRONG]
    assert [g.cause for g in grades] == [None, Cause.MOCKED_STDIN, None]
    assert [g.cause for g in graded(item(*texts, recorded=2 / 3))] == [None, None, None]


def test_another_order_is_marked_where_the_statement_allows_any() -> None:
    tests = ProgramTests(("",), ("1 2\n",))
    for question, marks in (("Print any pair.", (Mark.ORDER_ONLY,)), ("Print the pair.", ())):
        (grade,) = graded(item(fenced("print(2, 1)"), recorded=0.0, tests=tests, question=question))
        assert (grade.standing, grade.marks) == (Standing.WRONG, marks)


def test_the_detail_says_which_test_and_what() -> None:
    (grade,) = graded(item(fenced("x = int(input())\nprint(42 if x == 21 else 9)"), recorded=0.0))
    assert grade.detail == "test 2 of 2: line 1 is '9', expected '8'"
    (grade,) = graded(item(fenced("1 / 0"), recorded=0.0))
    assert grade.detail == "test 1 of 2: exit status 1: ZeroDivisionError: division by zero"

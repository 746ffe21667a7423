"""Results of calls are compared as JSON values, never as the program's objects."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.model import Status
from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.running.calls import compare_result
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.judge import Lack, judge
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox


@pytest.mark.parametrize(
    ("got", "want"),
    [
        ("[1, 2]", "[1,2]"),
        ("[0.30000000000000004, 0.6]", "[0.3, 0.6]"),
        ("2", "2.0"),
        ("2.0", "2"),
        ("true", "1"),
        ("NaN", "NaN"),
        ('{"a": [1], "b": null}', '{"b": null, "a": [1]}'),
        ("1" * 5000, "1" * 5000),
    ],
)
def test_same(got: str, want: str) -> None:
    assert compare_result(got, want)


@pytest.mark.parametrize(
    ("got", "want"),
    [
        ("[1, 2]", "[2, 1]"),
        ("2.0000001", "2"),
        ('"1"', "1"),
        ("null", "false"),
        ("null", "0"),
        ("[]", "{}"),
        ("[[]]", "[]"),
        ("Infinity", "NaN"),
        ("", "null"),
        ("1 2", "1"),
        ("[" * 100_000, "[]"),
        ("1" * 5000, "1" * 4999 + "2"),
        ("1e999999999999999999999", "1.0"),
    ],
)
def test_different(got: str, want: str) -> None:
    assert not compare_result(got, want)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(values, values)
def test_without_tolerance_it_is_pythons_equality(left: object, right: object) -> None:
    assert compare_result(json.dumps(left), json.dumps(right), 0) is (left == right)


def called(code: str, *tests: tuple[str, str], preamble: str = "harness") -> object:
    cases = ProgramTests(tuple(a for a, _ in tests), tuple(b for _, b in tests), "f")
    with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
        return judge(candidate, cases, tolerance=1e-6, preamble=preamble)


def test_a_function_and_a_method() -> None:
    assert called("def f(a, b):\n    return a + b\n", ("1\n2", "3"), ('"x"\n"y"', '"xy"')).passed
    assert called("class Solution:\n    def f(self, a):\n        return (a, (a,))\n", ("1", "[1, [1]]")).passed


def test_the_main_guard_does_not_run() -> None:
    assert called(
        "def f(a):\n    return __name__ != '__main__'\nif __name__ == '__main__':\n    1 / 0\n", ("1", "true")
    ).passed


def test_names_that_the_harness_provides() -> None:
    code = "class Solution:\n    def f(self, a: List[int]) -> int:\n        return gcd(*a)\n"
    assert called(code, ("[12, 18]", "6")).lacks == (Lack.NAME,)
    assert not called(code, ("[12, 18]", "6"), preamble="none").passed


def test_what_is_printed_is_not_the_result() -> None:
    with Candidate(
        named_sandbox("none"), "def f(a):\n    print('noise')\n    return a\n", describe(), Limits()
    ) as candidate:
        tried = candidate.run(Ask(b"[1]", "f"))
    assert (tried.outcome.stdout, tried.result, tried.outcome.status) == ("noise\n", b"[1]", Status.OK)


def test_keys_that_json_would_change_are_no_value() -> None:
    assert not called("def f(a):\n    return {1: 2}\n", ("1", '{"1": 2}')).passed

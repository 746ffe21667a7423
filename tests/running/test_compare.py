"""Outputs are compared token by token: integers exactly, decimals within the tolerance, nothing permissively."""

from __future__ import annotations

import math
import tracemalloc
from decimal import Decimal, InvalidOperation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.running import compare_output

SAME = [
    ("1 2\n3", " 1   2 \r\n3\r\n\n"),
    ("", "\n \n"),
    ("5.0", "5"),
    ("+5", "5"),
    ("1e3", "1000"),
    ("3", "3.0"),
    ("1.0000001", "1."),
    ("0.3333334", ".3333333"),
    ("1000001", "1e6"),
    ("-inf", "-Infinity"),
    ("INF", "inf"),
    ("nan", "NaN"),
    ("Case 1: 0.50", "Case 1: 0.5"),
    ("1.000001", "1.0"),
    ("1e-400", "0.0"),
    ("\u00a0x\u3000y", "x y"),
    ("a\udc80", "a\udc80"),
]
DIFFERENT = [
    ("1 2", "12"),
    ("1\n2", "1 2"),
    ("1\n\n2", "1\n2"),
    ("5.0000001", "5"),
    ("9007199254740993", "9007199254740992"),
    ("1" * 400, "1" * 399 + "2"),
    ("1_000", "1000"),
    ("0x10", "16"),
    ("١", "1"),
    ("Yes", "YES"),
    ("1.0000011", "1.0"),
    ("0.5x", "0.5"),
    ("inf", "1e999"),
    ("1e999", "inf"),
    ("1e999999999999999999", "1.0"),
    ("1e99999999999999999999999", "1.0"),
    ("nan", "inf"),
    ("inf", "-inf"),
    ("[1.0]", "[1.00]"),
    ("a\udc80", "a\udc81"),
    ("x", ""),
    ("", "0.0"),
]


@pytest.mark.parametrize(("got", "want"), SAME)
def test_same(got: str, want: str) -> None:
    assert compare_output(got, want) is True


@pytest.mark.parametrize(("got", "want"), DIFFERENT)
def test_different(got: str, want: str) -> None:
    assert compare_output(got, want) is False


@pytest.mark.parametrize("tolerance", [-1.0, -1e-300, math.inf, -math.inf, math.nan])
def test_an_impossible_tolerance_is_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance"):
        compare_output("1", "1", tolerance)


def by_lighteval(got: str, want: str) -> bool:
    """The rule of LightEval 0.13.0, in the shortest words: the reference for `tolerance=0`."""
    ours, theirs = ([line.strip() for line in text.strip().split("\n")] for text in (got, want))
    if len(ours) != len(theirs):
        return False
    for left, right in zip(ours, theirs, strict=True):
        if left != right:
            try:
                if [Decimal(t) for t in left.split()] != [Decimal(t) for t in right.split()]:
                    return False
            except InvalidOperation:
                return False
    return True


numbers = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(allow_nan=True, allow_infinity=True).map(str),
    st.sampled_from(["1_0", "10", "1E1", "sNaN", "nan", "-0", "0.0", "٣", "3", "x", "1e9999999999999999999"]),
)
lines = st.lists(st.tuples(numbers, st.sampled_from([" ", "\n", "  ", "\r\n", "\n\n", "\t"])), max_size=6)
texts = lines.map(lambda pairs: "".join(a + b for a, b in pairs))


@given(texts, texts)
def test_without_tolerance_it_is_lightevals_rule(got: str, want: str) -> None:
    assert compare_output(got, want, 0) is by_lighteval(got, want)


@given(texts)
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert compare_output(text, text)
    assert compare_output(text, text, 0)
    assert compare_output(f" \n{text}\r\n", text)


@given(st.integers(), st.integers())
def test_integers_agree_only_exactly(got: int, want: int) -> None:
    assert compare_output(str(got), str(want), 0.5) is (got == want)


@given(st.floats(-1e15, 1e15), st.floats(-1e15, 1e15), st.sampled_from([1e-9, 1e-6, 1e-3]))
def test_decimals_agree_within_the_tolerance(got: float, want: float, tolerance: float) -> None:
    written = f"{want:.17e}"
    exact = Decimal(written)
    near = abs(Decimal(repr(got)) - exact) <= Decimal(repr(tolerance)) * max(Decimal(1), abs(exact))
    assert compare_output(repr(got), written, tolerance) is near


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from([0.0, 1e-9, 1e-6, 0.1]))
def test_any_text_gets_an_answer(got: str, want: str, tolerance: float) -> None:
    assert compare_output(got, want, tolerance) in (True, False)


def test_a_huge_output_is_not_held_many_times() -> None:
    got = "\n".join(map(str, range(60_000)))
    want = got[:-1] + "x"
    tracemalloc.start()
    try:
        assert not compare_output(got, want)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(got)

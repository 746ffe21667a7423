"""Lenient conversions that never guess, old literals, and the tests of programs."""

from __future__ import annotations

import base64
import contextlib
import json
import pickle
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.sources import code_tests, pyliteral
from lighteval_fix.sources.code_tests import pickled_string
from lighteval_fix.sources.references import options_in_text, options_of
from lighteval_fix.sources.values import chat_text, integer, loads, number, text
from tests.laws import examples


@pytest.mark.parametrize(
    ("value", "want"),
    [(1, 1.0), (True, 1.0), ("False", 0.0), (" 0.5 ", 0.5), ("yes", 1.0), ("1e3", 1000.0)]
    + [
        (value, None)
        for value in (
            "",
            "C",
            None,
            [],
            float("nan"),
            float("inf"),
            "nan",
            "-Infinity",
            "1e999",
            1e200,
            -1e101,
            10**400,
        )
    ],
)
def test_numbers(value: Any, want: float | None) -> None:
    assert number(value) == want


@pytest.mark.parametrize(
    ("value", "want"), [(2, 2), ("2", 2), (2.0, 2), ("2.0", 2), (2.5, None), (True, None), ("A", None), (None, None)]
)
def test_whole_numbers(value: Any, want: int | None) -> None:
    assert integer(value) == want


@pytest.mark.parametrize(
    ("value", "want"),
    [
        ("x", "x"),
        (70, "70"),
        (70.0, "70"),
        (0.1, "0.1"),
        (True, "true"),
        (None, None),
        ([1], None),
        (float("nan"), None),
    ],
)
def test_scalars_as_text(value: Any, want: str | None) -> None:
    assert text(value) == want


def test_chat_texts() -> None:
    parts = [{"type": "text", "text": "One?"}, {"type": "image_url", "image_url": {}}]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}]
    assert chat_text(messages) == "Be brief.\n\nOne?"
    assert chat_text([json.dumps(messages)]) == "Be brief.\n\nOne?"
    assert chat_text("[1, 2, 3] is a list. What is its sum?") == "[1, 2, 3] is a list. What is its sum?"
    assert chat_text("[1, 2, 3]") == "[1, 2, 3]"


def test_json_that_python_alone_refuses() -> None:
    assert loads('{"a": NaN}')["a"] != 0
    assert loads('["' + "9" * 5 + '", ' + "9" * 9000 + "]")[1] == "9" * 9000
    with pytest.raises(ValueError, match="nested"):
        loads("[" * 200_000 + "]" * 200_000)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
LITERALS = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@settings(deadline=None, max_examples=examples(50))
@given(LITERALS)
def test_literals_come_back(value: Any) -> None:
    assert pyliteral.parse(str([value])) == [value]


@given(st.text())
def test_any_text_is_a_literal_or_a_value_error(source: str) -> None:
    with contextlib.suppress(ValueError):
        pyliteral.parse(source)


def test_literals_of_old_details() -> None:
    assert pyliteral.parse("[(-1.5, True), (nan, False)]")[0] == [-1.5, True]
    assert pyliteral.parse("{'acc': np.float64(0.5), 'em': array([1, 2])}") == {"acc": 0.5, "em": [1, 2]}
    for hostile in ("__import__('os').system('x')", "[1, 2", "'open", "[" * 100_000, "{1: 2,, }"):
        with pytest.raises(ValueError, match=r"."):
            pyliteral.parse(hostile)


CASES = [{"input": "1\n", "output": "2\n", "testtype": "stdin"}]


def packed(value: Any) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


@pytest.mark.parametrize(
    "specific",
    [
        {"inputs": ["1\n"], "outputs": ["2\n"], "fn_name": None},
        {"inputs": '["1\\n"]', "outputs": '["2\\n"]'},
        json.dumps({"inputs": ["1\n"], "outputs": ["2\n"]}),
        {"input_output": json.dumps({"inputs": ["1\n"], "outputs": ["2\n"]})},
        {"public_test_cases": json.dumps(CASES), "private_test_cases": "[]"},
        {"private_test_cases": packed(json.dumps(CASES))},
    ],
)
def test_tests_however_they_are_written(specific: Any) -> None:
    assert code_tests.tests_of(specific) == ProgramTests(("1\n",), ("2\n",), None)


def test_calls() -> None:
    found = code_tests.tests_of({"inputs": [[[1, 2], "x"], "3\n4"], "outputs": [[3], "7"], "fn_name": "add"})
    assert found == ProgramTests(('[1, 2]\n"x"', "3\n4"), ("[3]", "7"), "add")


def test_no_tests_and_bad_tests() -> None:
    assert code_tests.tests_of(None) is None
    assert code_tests.tests_of({"extracted_predictions": ["1"]}) is None
    assert code_tests.tests_of({"inputs": [], "outputs": []}) is None
    for bad in ({"inputs": ["1"], "outputs": []}, {"inputs": "x", "outputs": "y"}, {"private_test_cases": "!!"}):
        assert code_tests.tests_of(bad) == "bad_tests"


class Bomb:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (exec, ("raise SystemExit('ran')",))


def test_nothing_is_unpickled() -> None:
    assert code_tests.tests_of({"private_test_cases": packed(Bomb())}) == "bad_tests"
    assert pickled_string(pickle.dumps(Bomb())) is None
    assert pickled_string(b"\x80\x04no pickle") is None
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickled_string(pickle.dumps("é" * 300, protocol=protocol)) == "é" * 300


def test_options_are_matched_by_label_then_by_text_or_not_at_all() -> None:
    rivers = ["Oslo", " Danube ", "[Etna]"]
    for answer in ("B", "(B)", "b.", "Danube"):
        found = options_of(rivers, answer)
        assert found is not None
        assert (found.index, found.labels, found.texts) == ((1,), ("A", "B", "C"), ("Oslo", "Danube", "[Etna]"))
    for answer in ("D", "Rhine", None, "", 1):
        assert options_of(rivers, answer) is None
    numbers = options_of(["10", "20"], "20", ["1", "2"])
    assert numbers is not None
    assert numbers.index == (1,)


@pytest.mark.parametrize("labels", [["", "2"], ["A", "A"], ["A", " "], ["A"]])
def test_options_whose_labels_name_nothing_are_no_options(labels: list[str]) -> None:
    assert options_of(["ten", "twenty"], "ten", labels) is None


def test_the_text_of_two_options_names_neither() -> None:
    assert options_of(["A", "A"], "A", ["1", "2"]) is None


def test_option_lines() -> None:
    found = options_in_text("A. is for ape. Which?\n(A) Oslo\n(B) Danube\n  more\n(C) Etna\n", "C")
    assert found is not None
    assert found.texts == ("Oslo", "Danube", "Etna")
    assert options_in_text("Is A. or B. right?", "A") is None
    assert options_in_text("A) only one", "A") is None

"""Every gold of two public sets, where at hand: what share parses, shows what it is and has the annotated kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lighteval_fix.deciding.parsing import parse_answer
from lighteval_fix.deciding.parsing.kinds import kind_of
from lighteval_fix.deciding.parsing.show import show
from lighteval_fix.deciding.value import Parsed

GOLDS = Path(__file__).parents[3] / "shared" / "data" / "golds"
pytestmark = pytest.mark.skipif(not GOLDS.is_dir(), reason="the public golds are not beside the checkout")


def golds() -> list[tuple[str, str]]:
    """Each gold with its annotated kind; an empty kind where none is given."""
    found: list[tuple[str, str]] = []
    for line in (GOLDS / "math_test.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found += [(answer, row["type"]) for answer in row["answers"]]
    for line in (GOLDS / "math500.jsonl").read_text(encoding="utf-8").splitlines():
        found.append((json.loads(line)["answer"], ""))
    return found


def test_golds_parse() -> None:
    rows = golds()
    unparsed = [text for text, _ in rows if not isinstance(parse_answer(text), Parsed)]
    assert len(rows) > 5_000
    assert len(unparsed) <= 0.005 * len(rows), unparsed


def test_golds_show_what_they_are() -> None:
    for text, _ in golds():
        parsed = parse_answer(text)
        if isinstance(parsed, Parsed):
            again = parse_answer(show(parsed.value))
            assert isinstance(again, Parsed)
            assert again.value == parsed.value, text


def test_golds_have_the_annotated_kind() -> None:
    """What does not agree falls into a few classes of annotation, listed here so that a new class is seen."""
    rows = [(text, kind) for text, kind in golds() if kind]
    others: dict[tuple[str, str], int] = {}
    for text, kind in rows:
        parsed = parse_answer(text)
        ours = kind_of(parsed.value) if isinstance(parsed, Parsed) else "Unparsed"
        if ours != kind:
            others[kind, ours] = others.get((kind, ours), 0) + 1
    assert sum(others.values()) <= 0.015 * len(rows), others
    assert set(others) <= KNOWN, set(others) - KNOWN


# Annotated kind, ours: why.
KNOWN = {
    ("Real", "Equation"),  # `x = 5` is annotated by the number it gives
    ("Interval", "Vector"),  # `(0, 1)` alone: only the question tells an interval from a point
    ("Vector", "Set"),  # a bare list where the question asks for an order
    ("Vector", "Matrix"),  # a column
    ("Set", "Vector"),  # one point, annotated as the set of all answers
    ("Set", "Real"),  # one number, annotated as the set of all answers; `70,110` read as a number
    ("Complex", "Real"),  # a real number where a complex one was asked for
    ("Expression", "Real"),  # a constant where an expression was asked for
    ("Real", "Expression"),
    ("Others", "Real"),  # numbers annotated as others
    ("Others", "Expression"),
    ("Others", "Set"),  # a list of letters
    ("Set", "Others"),  # letters run together
    ("Real", "Others"),  # letters, clock times and ratios annotated as numbers
    ("Expression", "Others"),  # the letter of an option whose text is an expression
    ("Equation", "Others"),
    ("Real", "Vector"),  # a point annotated as a number
    ("Function", "Expression"),  # the bare expression of a function
}

"""What questions license: the words that are quoted, and the words that license nothing."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from lighteval_fix.deciding.context.question import letters, mentions, number_word, options
from lighteval_fix.deciding.context.table import LicenceKind, Rounding, licences, of_kind, rounding, rows
from lighteval_fix.deciding.units import unit_of, unit_phrase


def test_every_kind_of_licence_has_one_row_with_what_it_accepts_and_refuses() -> None:
    assert [row.kind for row in rows()] == list(dict.fromkeys(row.kind for row in rows()))
    assert {row.kind for row in rows()} == set(LicenceKind)
    assert all(row.accepts and row.refuses for row in rows())


def test_no_pattern_repeats_without_a_bound() -> None:
    """So that reading a question stays linear whatever it holds."""
    for row in rows():
        for pattern in (*row.looks_for, *row.unless):
            assert not re.search(r"(?<!\\)[*+]|\{\d+,\}", pattern.pattern), (row.kind, pattern.pattern)


@pytest.mark.parametrize(
    ("question", "kind", "quote"),
    [
        ("What percent of the class is absent?", LicenceKind.PERCENT, "What percent"),
        ("Give the length in cm.", LicenceKind.UNIT, "in cm"),
        ("How many apples are left?", LicenceKind.COUNTED, "How many apples are left"),
        ("Round to the nearest hundredth.", LicenceKind.ROUND, "nearest hundredth"),
        ("Write 12 in base 7.", LicenceKind.BASE, "in base 7"),
        ("Find the vector v.", LicenceKind.VECTOR, "vector"),
        ("Which term is it?", LicenceKind.ORDINAL, "Which term"),
        ("List them in ascending order.", LicenceKind.ORDER, "in ascending order"),
    ],
)
def test_the_exact_words_are_quoted(question: str, kind: LicenceKind, quote: str) -> None:
    assert [licence.quote for licence in of_kind(question, kind)][:1] == [quote]
    assert any(licence.kind is kind for licence in licences(question))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("A shop sells 20% of its lamps. How many lamps are sold?", LicenceKind.PERCENT),
        ("Give the exact value.", LicenceKind.ROUND),
        ("Give the exact area, not rounded to 2 decimal places.", LicenceKind.ROUND),
        ("Find the point nearest the origin.", LicenceKind.ROUND),
        ("Find the number to the nearest point.", LicenceKind.ROUND),
        ("Compute the sum.", LicenceKind.UNIT),
        ("The second train leaves at noon.", LicenceKind.UNIT),
        ("Find x.", LicenceKind.OPTION),
        ("Simplify.", LicenceKind.MEASURE),
        ("", LicenceKind.NAMES),
    ],
)
def test_other_words_license_nothing(question: str, kind: LicenceKind) -> None:
    assert of_kind(question, kind) == ()


@pytest.mark.parametrize(
    ("question", "want"),
    [
        ("Round to the nearest tenth.", Rounding(step=Fraction(1, 10))),
        ("Round to the nearest ten.", Rounding(step=Fraction(10))),
        ("to the nearest ten thousandth", Rounding(step=Fraction(1, 10_000))),
        ("to the nearest thousand dollars", Rounding(step=Fraction(1000))),
        ("Give it to three decimal places.", Rounding(step=Fraction(1, 1000))),
        ("to 2 d.p.", Rounding(step=Fraction(1, 100))),
        ("to 4 significant figures", Rounding(significant=4)),
        ("to the nearest integer", Rounding(step=Fraction(1))),
        ("to the nearest degree", Rounding(step=Fraction(1))),
        ("to the nearest 0.01", Rounding(step=Fraction(1, 100))),
        ("to the nearest 100th", Rounding(step=Fraction(1, 100))),
        ("to the nearest 100", Rounding(step=Fraction(100))),
        ("to the nearest cent", Rounding(step=Fraction(1, 100))),
    ],
)
def test_roundings(question: str, want: Rounding) -> None:
    licence = of_kind(question, LicenceKind.ROUND)[0]
    assert rounding(licence.quote, licence.what) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("square feet", (("foot", 2),)),
        ("cm^2", (("centimetre", 2),)),
        ("cm²", (("centimetre", 2),)),
        ("km/h", (("hour", -1), ("kilometre", 1))),
        ("miles per hour", (("hour", -1), ("mile", 1))),
        ("mph", (("hour", -1), ("mile", 1))),
        ("kg m⁻³", (("kilogram", 1), ("metre", -3))),
        ("meters per second squared", (("metre", 1), ("second", -2))),
        ("degrees Celsius", (("degree Celsius", 1),)),
        ("dollars", (("dollar", 1),)),
        ("apples", None),
        ("square", None),
        ("", None),
        ("cm and more", None),
        ("x" * 500, None),
    ],
)
def test_unit_phrases(text: str, want: tuple[tuple[str, int], ...] | None) -> None:
    assert unit_phrase(text) == want


def test_a_single_letter_is_a_unit_only_where_the_text_says_it_is_text() -> None:
    assert unit_of("m") == (("metre", 1),)
    assert unit_of("m", bare=True) is None
    assert unit_of("cm", bare=True) == (("centimetre", 1),)


def test_units_that_are_asked_for() -> None:
    asked = {
        mention.unit: mention.asked for mention in mentions("It drives 30 miles. How many hours, in $\\mathrm{h}$?")
    }
    assert asked == {(("mile", 1),): False, (("hour", 1),): True}


def test_options_run_on_without_a_gap() -> None:
    found = options("Which? (A) $x$ (B) $y+1$ (C) 3")
    assert [(option.label, option.text) for option in found] == [("A", "$x$"), ("B", "$y+1$"), ("C", "3")]
    assert options("Segment (A) is longer than (C).") == ()
    assert options("Find f(A).") == ()


def test_letters_are_those_of_the_formulas() -> None:
    assert letters(r"Let $x$ and $\alpha_1$ be in $\mathrm{cm}$, then find $y_2$.") == ("x", "alpha", "y")


@pytest.mark.parametrize(
    ("text", "want"), [("twenty-one", 21), ("three hundred and five", 305), ("twelve apples", None), ("", None)]
)
def test_numbers_in_words(text: str, want: int | None) -> None:
    assert number_word(text) == want


def test_a_very_long_question_is_read_from_its_end() -> None:
    question = "word " * 200_000 + "What percent is it?"
    assert of_kind(question, LicenceKind.PERCENT)

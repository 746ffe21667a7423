"""The ladder as a whole: which step settles what, and what is left open."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from itertools import product
from typing import Any, cast

import pytest

from lighteval_fix.deciding import answers_equivalent, decide, decide_policies, explain
from lighteval_fix.model import Different, Equal, Policy, Undecided


def code(gold: str, answer: str, **options: Any) -> str:
    """`kind:proof` or `kind:reason`."""
    verdict = decide(gold, answer, **options)
    match verdict:
        case Equal(proof) | Different(proof):
            return f"{verdict.kind}:{proof}"
        case Undecided(reason):
            return f"{verdict.kind}:{reason}"


@pytest.mark.parametrize(
    ("gold", "answer", "want"),
    [
        ("\\frac{3}{8}", "$\\dfrac{3}{8}$", "equal:identical"),
        ("\\frac{3}{8}", "0.375", "equal:exact"),
        ("\\frac{3}{8}", "0.376", "different:exact"),
        ("\\sqrt{45}", "3\\sqrt{5}", "equal:normal_form"),
        ("\\sqrt{7+4\\sqrt{3}}", "2+\\sqrt{3}", "equal:exact"),
        ("\\sqrt[3]{7+5\\sqrt2}", "1+\\sqrt2", "equal:exact"),
        ("\\cos\\frac{2\\pi}{7}+\\cos\\frac{4\\pi}{7}+\\cos\\frac{6\\pi}{7}", "-\\frac12", "equal:exact"),
        ("\\sqrt{2}+\\sqrt{3}", "\\pi", "different:enclosure"),
        ("e^{\\pi}-\\pi", "20", "different:enclosure"),
        ("10^{10^{12}}", "10^{10^{12}}+1", "different:normal_form"),
        ("(a+b)^3", "a^3+3a^2b+3ab^2+b^3", "equal:normal_form"),
        ("\\tan x\\cos x", "\\sin x", "equal:normal_form"),
        ("\\sin x", "x-\\frac{x^3}{6}", "different:refuted"),
        ("3x", "3y", "undecided:names_differ"),
        ("f(t)=t^2", "g(t)=t^2", "undecided:names_differ"),
        ("f(t)=t^2", "f(u)=u^2", "equal:exact"),
        ("\\$5", "5^\\circ", "undecided:signs_differ"),
        ("\\frac{\\pi}{3}", "60^\\circ", "undecided:signs_differ"),
        ("7", "7\\text{ kg}", "undecided:unit_on_one_side"),
        ("7\\text{ g}", "7\\text{ kg}", "undecided:units_differ"),
        ("4, 5", "(4, 5)", "undecided:list_or_tuple"),
        ("(4, 5)", "\\{4, 5\\}", "different:kinds"),
        ("\\begin{pmatrix}4\\\\5\\end{pmatrix}", "(4,5)", "different:kinds"),
        ("a circle", "circle", "undecided:words_differ"),
        ("Monday", "Tuesday", "different:words"),
        ("Monday", "monday", "equal:words"),
        ("(B)", "C", "different:same_label"),
        ("(B)", "(C)", "different:same_label"),
        ("5", "", "undecided:empty"),
        ("5", "5 + (", "undecided:unparsed"),
        ("5", "(" * 5000 + "5" + ")" * 5000, "undecided:limit"),
        ("4", "3^{3^{3^{3^{30}}}}", "undecided:limit"),
        ("\\frac{0}{0}", "\\frac{0}{0}", "equal:identical"),
        ("\\frac{0}{0}", "0", "undecided:unsupported"),
        ("\\infty", "-\\infty", "different:exact"),
        ("\\infty", "10^{50}", "different:kinds"),
    ],
)
def test_which_step_settles_it(gold: str, answer: str, want: str) -> None:
    assert code(gold, answer) == want
    assert code(answer, gold) == want


@pytest.mark.parametrize(
    ("gold", "answer", "want"),
    [
        ("\\frac{1}{7}", "0.142857", "equal:rounded"),
        ("\\frac{2}{3}", "0.666667", "equal:rounded"),
        ("\\frac{2}{3}", "0.666666", "equal:rounded"),
        ("\\frac{2}{3}", "0.666668", "different:exact"),
        ("\\frac{2}{3}", "0.67", "different:exact"),
        ("\\frac{2}{3}", "0.66666700", "undecided:within_rounding"),
        ("\\sqrt{2}", "1.414214", "equal:rounded"),
        ("\\sqrt{2}", "1.4142135623730950488016887242096980785696718753769", "equal:rounded"),
        ("\\sqrt{2}", "1.4142135623730950488016887242096980785696718753761", "different:enclosure"),
        ("-\\sqrt{2}", "-1.414214", "equal:rounded"),
        ("-\\sqrt{2}", "1.414214", "different:enclosure"),
        ("\\frac{1}{10^9}", "0.000000", "different:exact"),
        ("\\frac{1}{3\\cdot10^9}", "0.000000000333333", "equal:rounded"),
        ("\\frac{1}{3\\cdot10^9}", "0.000000000333", "different:exact"),
        ("0.333333", "0.3333333", "undecided:within_rounding"),
        ("0.333333", "0.333334", "undecided:within_rounding"),
        ("0.333333", "0.333343", "different:exact"),
        ("1.5", "1.50", "equal:exact"),
        ("1.5", "1.51", "different:exact"),
    ],
)
def test_a_decimal_stands_for_an_exact_value_only_digit_by_digit(gold: str, answer: str, want: str) -> None:
    assert code(gold, answer) == want
    assert code(answer, gold) == want


def test_precision_is_the_number_of_digits_asked_for() -> None:
    assert code("\\pi", "3.1416", precision=4) == "equal:rounded"
    assert code("\\pi", "3.1416", precision=5) == "different:enclosure"
    assert answers_equivalent("\\pi", "3.142", precision=3)
    assert not answers_equivalent("\\pi", "3.142")


@pytest.mark.parametrize(
    ("gold", "answer", "want"),
    [
        ("x=4", "4", "equal"),
        ("y=3x+2", "3x+2", "equal"),
        ("y=3x", "3", "different"),
        ("x=4", "y=4", "undecided"),
        ("x=4", "x=5", "different"),
        ("a=1, b=2", "b=2, a=1", "equal"),
        ("a=1, b=2", "a=2, b=1", "different"),
        ("a=1, b=2", "1, 2", "equal"),
        ("a=1, b=2", "2, 1", "undecided"),
        ("b=1, a=2", "1, 2", "undecided"),
        ("a=1, b=2", "1, 3", "different"),
        ("x=1 \\text{ or } x=2", "\\{1,2\\}", "equal"),
        ("(x,y)=(1,2)", "(1,2)", "equal"),
        ("(x,y)=(1,2)", "x=1, y=2", "equal"),
        ("x = \\frac{6}{4} = \\frac{3}{2}", "1.5", "equal"),
        ("x = \\frac{6}{4} = 2", "2", "undecided"),
        ("\\frac{\\sqrt{3}}{2} \\approx 0.87", "\\frac{\\sqrt3}{2}", "equal"),
        ("\\frac{\\sqrt{3}}{2} \\approx 0.89", "\\frac{\\sqrt3}{2}", "undecided"),
        ("3x-2y=6", "6x-4y-12=0", "equal"),
        ("3x-2y=6", "3x-2y=7", "different"),
        ("x^2+y^2=4", "x^2+y^2=5", "different"),
        ("x^2+y^2=4", "(x^2+y^2)^2=16", "undecided"),
        ("y+2=x^2", "x^2-2", "equal"),
        ("x+y=2", "2-x", "undecided"),
    ],
)
def test_names_and_equations(gold: str, answer: str, want: str) -> None:
    assert decide(gold, answer).kind == want
    assert decide(answer, gold).kind == want


@pytest.mark.parametrize(
    ("gold", "answer", "want"),
    [
        ("1 \\pm \\sqrt{2}", "1+\\sqrt2, 1-\\sqrt2", "equal"),
        ("\\pm 3", "3", "different"),
        ("(1, \\pm 2)", "(1,2),(1,-2)", "equal"),
        ("2, 2, 3", "2, 3", "undecided"),
        ("\\{2, 2, 3\\}", "\\{2, 3\\}", "equal"),
        ("\\{2\\}", "2", "undecided"),
        ("\\emptyset", "0", "different"),
        ("1, 2, 3", "3, 2, 1", "equal"),
        ("1, 2, x", "1, 2, y", "undecided"),
        ("1, 2, x", "1, 2", "different"),
        ("(1,2),(3,4)", "(3,4),(1,2)", "equal"),
        ("(1,2),(3,4)", "(1,2)", "different"),
        ("(1,2,3)", "(1,2)", "different"),
        ("(1,3)", "1<x<3", "equal"),
        ("\\langle 1,3\\rangle", "1<x<3", "undecided"),
        ("[1,3]", "1<x<3", "different"),
        ("(0,2)\\cup(1,5]", "(0,5]", "equal"),
        ("[0,1)\\cup(1,2]", "[0,2]\\setminus\\{1\\}", "equal"),
        ("[0,1)\\cup(1,2]", "[0,2]", "different"),
        ("x\\ne 3", "(-\\infty,3)\\cup(3,\\infty)", "equal"),
        ("x>2 \\text{ and } x<7", "(2,7)", "equal"),
        ("x>2", "y>2", "undecided"),
        ("a\\ge b", "b\\le a", "equal"),
        ("a\\ge b", "b\\ge a", "undecided"),
        ("2x-2y<4", "x-y<2", "equal"),
        ("2x-2y<4", "y-x>-2", "equal"),
        ("2x+1>5", "x>2", "equal"),
        ("-3x\\ge 6", "x\\le -2", "equal"),
        ("\\mathbb{R}", "(-\\infty,\\infty)", "equal"),
        ("\\mathbb{R}", "\\mathbb{Z}", "different"),
        ("(2,\\infty)", "2", "different"),
        ("\\{x \\mid x>2\\}", "(2,\\infty)", "equal"),
        ("(a, a+1)", "(a,a+2)", "different"),
        ("[a,a+1)", "a\\le x<a+1", "equal"),
        ("\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{bmatrix}1&\\sqrt4\\\\3&4\\end{bmatrix}", "equal"),
        ("\\begin{pmatrix}1&2\\end{pmatrix}", "\\begin{pmatrix}1\\\\2\\end{pmatrix}", "different"),
        ("6:4", "3:2", "equal"),
        ("3:2", "2:3", "different"),
        ("3:2", "\\frac32", "equal"),
        ("10:30", "1:3", "undecided"),
        ("101_2", "5", "equal"),
        ("101_2", "101", "different"),
        ("12_5", "7_{10}", "equal"),
        ("30\\%", "0.3", "equal"),
        ("30\\%", "30", "different"),
    ],
)
def test_collections(gold: str, answer: str, want: str) -> None:
    assert decide(gold, answer).kind == want
    assert decide(answer, gold).kind == want


@pytest.mark.parametrize(
    ("gold", "answer", "want"),
    [
        ("\\sqrt{x^2}", "x", "different"),
        ("\\sqrt{x^2}", "|x|", "equal"),
        ("\\sqrt{x}\\sqrt{y}", "\\sqrt{xy}", "undecided"),
        ("\\arcsin x+\\arccos x", "\\frac{\\pi}{2}", "equal"),
        ("2\\arcsin\\sqrt{t}", "\\arccos(1-2t)", "equal"),
        ("2\\arcsin\\sqrt{t}", "\\arccos(1-3t)", "different"),
        ("\\sqrt{a^2+2ab+b^2}", "|a+b|", "equal"),
        ("\\sqrt{4x^2-12x+9}", "|2x-3|", "equal"),
        ("\\sqrt{4x^2-12x+9}", "2x-3", "different"),
        ("\\sqrt{x^4+2x^2+1}", "x^2+1", "equal"),
        ("\\arctan\\frac13+\\arctan\\frac12", "\\frac{\\pi}{4}", "equal"),
        ("\\arcsin\\frac5{13}", "\\arccos\\frac{12}{13}", "equal"),
        ("\\arcsin\\frac5{13}", "\\arccos\\frac{11}{13}", "different"),
        ("\\log x^2", "2\\log x", "undecided"),
        ("\\log 100", "2", "undecided"),
        ("\\log_{10} 100", "2", "equal"),
        ("\\sin n\\pi", "0", "undecided"),
        ("n(n-1)(n-2)", "0", "different"),
        ("\\ln(3+2\\sqrt2)", "2\\ln(1+\\sqrt2)", "equal"),
        ("\\sqrt[3]{-27}", "-3", "equal"),
        ("\\sqrt{-9}", "3i", "equal"),
        ("|5-12i|", "13", "equal"),
        ("\\lfloor -\\sqrt{10}\\rfloor", "-4", "equal"),
        ("\\prod_{k=2}^{9}\\left(1-\\frac1{k^2}\\right)", "\\frac{5}{9}", "equal"),
    ],
)
def test_functions(gold: str, answer: str, want: str) -> None:
    assert decide(gold, answer).kind == want
    assert decide(answer, gold).kind == want


CLOSE = (
    *(
        "5",
        "x=5",
        "y=5",
        "\\$5",
        "5^\\circ",
        "5.0",
        "\\{5\\}",
        "5\\text{ cm}",
        "5\\text{ degrees}",
        "5\\text{ dollars}",
    ),
    *("1,2", "2,1", "(1,2)", "\\{1,2\\}", "x=1,y=2", "y=1,x=2", "x=2,y=1", "1<x<2", "(x,y)=(1,2)", "x\\in\\{1,2\\}"),
    *("\\langle 1,2\\rangle", "[1,2]", "\\begin{pmatrix}1\\\\2\\end{pmatrix}", "1:2", "0.5", "50\\%", "50", "\\frac12"),
    *(
        "2x+1",
        "y=2x+1",
        "2x-y+1=0",
        "x=\\frac{y-1}{2}",
        "\\frac{y-1}{2}",
        "2y+1",
        "f(x)=2x+1",
        "f(y)=2y+1",
        "g(x)=2x+1",
    ),
    *("x^2+1", "y=x^2+1", "z=x^2+1", "y-1=x^2", "x+y=2", "y=2-x", "x=2-y", "2-x", "2-y"),
    *(
        "\\pm 2",
        "2,-2",
        "2",
        "x=\\pm 2",
        "0.333333",
        "0.3333333",
        "\\frac13",
        "0.33333300",
        "x>2",
        "y>2",
        "(2,\\infty)",
    ),
    *("a>b", "b<a", "30", "30^\\circ", "\\frac{\\pi}{6}", "x=30^\\circ", "10:30", "1:3"),
)


def test_no_triangle_of_two_equals_and_one_different() -> None:
    kinds = {(one, two): decide(one, two).kind for one in CLOSE for two in CLOSE}
    for one, middle, two in product(CLOSE, repeat=3):
        if kinds[one, middle] == kinds[middle, two] == "equal":
            assert kinds[one, two] != "different", (one, middle, two)
    assert all(kinds[one, two] == kinds[two, one] for one, two in kinds)


def test_policies_are_monotone_and_share_the_parsing() -> None:
    found = decide_policies("12", "12\\text{ cm}", question="How many centimetres long is it?")
    assert [found[policy].kind for policy in Policy] == ["different", "undecided", "equal"]
    assert decide("12", "12\\text{ cm}", policy="value").kind == "undecided"
    assert set(decide_policies("1", "1", policy="value")) == {Policy.IDENTICAL, Policy.VALUE}


def test_only_two_kinds_of_error() -> None:
    with pytest.raises(ValueError, match="unknown policy"):
        decide("1", "1", policy="lenient")
    with pytest.raises(TypeError):
        decide("1", cast("str", None))
    with pytest.raises(TypeError):
        decide("1", "1", question=cast("str", 3))


def test_explain_shows_forms_and_steps() -> None:
    decision = explain("\\sqrt{8}", "2\\sqrt2")
    assert decision.verdict.kind == "equal"
    assert decision.gold_form
    assert decision.answer_form
    assert next(step.name for step in decision.steps) == "identical"
    assert explain("1+(", "1").gold_form.startswith("unparsed")


def test_imports_stay_light() -> None:
    script = (
        "import sys, lighteval_fix\n"
        "assert not {'sympy', 'flint'} & set(sys.modules)\n"
        "lighteval_fix.decide('0.5', '1/2')\n"
        "assert not {'sympy', 'flint'} & set(sys.modules)\n"
        "lighteval_fix.decide('\\\\sqrt{8}', '2\\\\sqrt{2}')\n"
        "assert 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_verdicts_from_threads_are_those_of_one() -> None:
    pairs = [("\\sqrt{12}", "2\\sqrt3"), ("\\sin x", "\\cos x"), ("\\pi", "3.141593"), ("e", "2.7")] * 5
    want = [decide(*pair) for pair in pairs]
    found: list[list[Any]] = []
    threads = [threading.Thread(target=lambda: found.append([decide(*pair) for pair in pairs])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want] * 4


def test_a_spent_clock_leaves_algebra_undecided() -> None:
    started = time.monotonic()
    verdict = decide("\\int_0^1 x^2\\,dx", "\\frac13", timeout=0.0)
    assert isinstance(verdict, Undecided)
    assert verdict.reason == "timeout"
    assert time.monotonic() >= started

"""Normal forms never say "equal" of two expressions that a ball tells apart."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lighteval_fix.deciding import numbers
from lighteval_fix.deciding.enclose import Unclear, enclosure
from lighteval_fix.deciding.field import Field
from lighteval_fix.deciding.normal import normal
from lighteval_fix.deciding.trial import Limit, Trial, Undefined, Unsupported
from lighteval_fix.deciding.value import Add, Call, Const, Mul, Node, Num, Pow, Sym
from lighteval_fix.model import Different
from tests.laws import examples

from .trees_at_random import algebraic, functions

X = Sym("x")
POINTS = (Fraction(3, 7), Fraction(17, 11), Fraction(-5, 13), Fraction(-23, 9), Fraction(4))


def n(top: int, bottom: int = 1) -> Num:
    return Num(Fraction(top, bottom))


def rewritten(node: Node) -> Node:
    """The same expression in other words, by laws that hold wherever both are defined and real."""
    match node:
        case Add(args=(a, b)):
            return Add((rewritten(b), rewritten(a)))
        case Mul(args=(Add(args=(a, b)), c)):
            return Add((Mul((rewritten(a), rewritten(c))), Mul((rewritten(c), rewritten(b)))))
        case Mul(args=(a, b)):
            return Mul((rewritten(b), rewritten(a)))
        case Pow(base, Num(value=value)) if value == 2:
            return Mul((rewritten(base), rewritten(base)))
        case Call(name="tan", args=(a,)):
            return Mul((Call("sin", (a,)), Pow(Call("cos", (a,)), n(-1))))
        case Call(name="exp", args=(a,)):
            return Pow(Const("e"), rewritten(a))
        case Call(name=name, args=(a,)):
            return Call(name, (rewritten(a),))
        case _:
            return node


def same(one: Node, two: Node, positive: bool = False) -> bool | None:
    """What the normal form says; None where it cannot say."""
    field = Field(Trial(), positive)
    try:
        return field.same(normal(one, field), normal(two, field))
    except (Unsupported, Limit, Undefined):
        return None


def apart(one: Node, two: Node, point: dict[str, Fraction], *, real: bool) -> bool:
    """Whether enclosures prove a difference at a point."""
    try:
        left = enclosure(one, 192, Trial(), point, real=real)
        right = enclosure(two, 192, Trial(), point, real=real)
    except (Unsupported, Limit, Undefined, Unclear):
        return False
    return not left.overlaps(right)


@settings(max_examples=examples(300), deadline=None)
@given(functions(), functions(), st.sampled_from(POINTS), st.sampled_from(POINTS))
def test_equal_forms_are_never_apart_at_real_points(one: Node, two: Node, x: Fraction, y: Fraction) -> None:
    difference = Add((one, Mul((n(-1), two))))
    for left, right in ((one, two), (difference, n(0)), (one, rewritten(one))):
        if same(left, right):
            assert not apart(left, right, {"x": x, "y": y}, real=True)
        if x > 0 and y > 0 and same(left, right, positive=True):
            assert not apart(left, right, {"x": x, "y": y}, real=True)


@settings(max_examples=examples(300), deadline=None)
@given(algebraic(), algebraic())
def test_equal_forms_of_constants_are_never_apart(one: Node, two: Node) -> None:
    for left, right in ((one, two), (one, rewritten(one)), (Mul((one, two)), Mul((two, one)))):
        if same(left, right):
            assert not apart(left, right, {}, real=False)


@settings(max_examples=examples(200), deadline=None)
@given(functions())
def test_an_expression_in_other_words_is_never_different(node: Node) -> None:
    verdict = numbers.compare(node, rewritten(node), Trial(algebra=False))
    assert not isinstance(verdict, Different)


@settings(max_examples=examples(200), deadline=None)
@given(algebraic())
def test_a_constant_in_other_words_is_equal_or_without_value(node: Node) -> None:
    verdict = numbers.compare(node, rewritten(node), Trial(algebra=False))
    assert not isinstance(verdict, Different)


@settings(max_examples=examples(200), deadline=None)
@given(functions(), st.sampled_from(POINTS), st.sampled_from(POINTS))
def test_a_form_keeps_its_value_under_a_square(node: Node, x: Fraction, y: Fraction) -> None:
    """√(u²) may only be |u|, (u²)^(1/3) only u^(2/3), ln(u²) only 2·ln|u|."""
    square = Pow(node, n(2))
    for left, right in (
        (Pow(square, n(1, 2)), node),
        (Pow(square, n(1, 2)), Call("abs", (node,))),
        (Call("ln", (square,)), Mul((n(2), Call("ln", (node,))))),
        (Pow(square, n(1, 4)), Pow(node, n(1, 2))),
        (Pow(Pow(node, n(3)), n(1, 3)), node),
    ):
        if same(left, right):
            assert not apart(left, right, {"x": x, "y": y}, real=True)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Pow(X, n(1, 2)), Pow(Mul((n(-1), X)), n(1, 2))),
        (Pow(Const("i"), n(1, 2)), n(1)),
        (Pow(Pow(X, n(2)), n(1, 2)), X),
        (Call("ln", (Pow(X, n(2)),)), Mul((n(2), Call("ln", (X,))))),
        (Pow(n(-1), n(1, 4)), n(1)),
        (Call("arcsin", (X,)), Call("arccos", (X,))),
        (Call("log", (X,)), Call("ln", (X,))),
        (Call("f", (X,)), Call("f", (Mul((n(-1), X)),))),
        (Pow(n(2), X), Pow(n(3), X)),
        (Call("deg", (X,)), X),
    ],
)
def test_what_must_not_become_equal(one: Node, two: Node) -> None:
    assert same(one, two) is not True


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Pow(n(72), n(1, 2)), Mul((n(6), Pow(n(2), n(1, 2))))),
        (Pow(Mul((n(4), Pow(X, n(2)))), n(1, 2)), Mul((n(2), Call("abs", (X,))))),
        (Call("sin", (Add((X, Const("pi"))),)), Mul((n(-1), Call("sin", (X,))))),
        (
            Call("cos", (Mul((n(3), X)),)),
            Add((Mul((n(4), Pow(Call("cos", (X,)), n(3)))), Mul((n(-3), Call("cos", (X,)))))),
        ),
        (Pow(n(4), X), Pow(n(2), Mul((n(2), X)))),
        (Call("ln", (n(12),)), Add((Mul((n(2), Call("ln", (n(2),)))), Call("ln", (n(3),))))),
        (Call("factorial", (Add((X, n(1))),)), Mul((Add((X, n(1))), Call("factorial", (X,))))),
        (Call("tanh", (X,)), Mul((Call("sinh", (X,)), Pow(Call("cosh", (X,)), n(-1))))),
        (Call("abs", (Add((X, n(-3))),)), Call("abs", (Add((n(3), Mul((n(-1), X)))),))),
        (Pow(n(10), Pow(n(10), n(10))), Mul((Pow(n(2), Pow(n(10), n(10))), Pow(n(5), Pow(n(10), n(10)))))),
    ],
)
def test_identities(one: Node, two: Node) -> None:
    assert same(one, two) is True

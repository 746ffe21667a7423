"""A ball contains the value, at every precision, and the precision in force is left as it was."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lighteval_fix.deciding.enclose import Unclear, enclosure
from lighteval_fix.deciding.exact import rational
from lighteval_fix.deciding.trial import Limit, Trial, Undefined, Unsupported
from lighteval_fix.deciding.value import Call, Const, Mul, Node, Num, Pow, Sym
from lighteval_fix.deciding.zerobound import is_zero
from tests.laws import examples

from .trees_at_random import algebraic, rationals


def n(top: int, bottom: int = 1) -> Num:
    return Num(Fraction(top, bottom))


@settings(max_examples=examples(200), deadline=None)
@given(rationals(), st.sampled_from((32, 64, 200)))
def test_a_ball_contains_the_exact_value(node: Node, bits: int) -> None:
    import flint

    try:
        value = rational(node, Trial())
    except (Undefined, Limit):
        return
    assert value is not None
    try:
        ball = enclosure(node, bits, Trial())
    except Unclear:
        return
    with flint.ctx.workprec(4000):
        assert (ball.real * value.denominator - value.numerator).contains(0)
    assert ball.imag.is_zero()


@settings(max_examples=examples(150), deadline=None)
@given(algebraic())
def test_more_bits_stay_inside_what_fewer_bits_found(node: Node) -> None:
    try:
        wide, narrow = enclosure(node, 40, Trial()), enclosure(node, 300, Trial())
    except (Unclear, Undefined, Limit, Unsupported):
        return
    assert wide.overlaps(narrow)


@settings(max_examples=examples(150), deadline=None)
@given(algebraic(), algebraic())
def test_the_root_bound_agrees_with_what_cannot_be_otherwise(one: Node, two: Node) -> None:
    """x·y - y·x is zero; x·x + 1 - x·x is not."""
    from lighteval_fix.deciding.value import Add

    zero = Add((Mul((one, two)), Mul((n(-1), two, one))))
    not_zero = Add((Mul((one, one)), n(1, 1000), Mul((n(-1), one, one))))
    for node, want in ((zero, True), (not_zero, False)):
        try:
            found = is_zero(node, Trial())
        except (Unsupported, Undefined, Limit, Unclear):
            continue
        assert found in (want, None)


def test_a_tiny_difference_is_not_zero() -> None:
    """√(10^40 + 1) - 10^20 is about 5·10^-21."""
    from lighteval_fix.deciding.value import Add

    node = Add((Pow(Num(Fraction(10**40 + 1)), n(1, 2)), Num(Fraction(-(10**20)))))
    assert is_zero(node, Trial()) is False


@pytest.mark.parametrize(
    ("node", "error"),
    [
        (Pow(n(0), n(-1)), Undefined),
        (Call("ln", (n(0),)), Undefined),
        (Call("arcsin", (n(2),)), Undefined),
        (Call("f", (n(2),)), Unsupported),
        (Sym("x"), Unsupported),
        (Pow(n(2), Pow(n(2), Pow(n(2), n(20)))), Limit),
        (Call("factorial", (n(10**9),)), Limit),
        (Pow(Const("e"), Pow(Const("e"), n(100))), Limit),
        (Call("tan", (Mul((Const("pi"), n(1, 2))),)), Unclear),
    ],
)
def test_what_has_no_ball(node: Node, error: type[Exception]) -> None:
    with pytest.raises(error):
        enclosure(node, 64, Trial())


def test_in_real_mode_even_roots_of_negative_numbers_are_undefined() -> None:
    with pytest.raises(Undefined):
        enclosure(Pow(Sym("x"), n(1, 2)), 64, Trial(), {"x": Fraction(-1)}, real=True)
    assert enclosure(Pow(Sym("x"), n(1, 3)), 64, Trial(), {"x": Fraction(-8)}, real=True).contains(-2)


def test_precision_is_restored_and_threads_do_not_mix() -> None:
    import flint

    before = flint.ctx.prec
    found: list[bool] = []

    def work(bits: int) -> None:
        for _ in range(40):
            ball = enclosure(Const("pi"), bits, Trial())
            found.append(ball.rel_accuracy_bits() >= bits - 8)

    threads = [threading.Thread(target=work, args=(bits,)) for bits in (32, 500, 2000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found)
    assert flint.ctx.prec == before

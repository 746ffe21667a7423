"""Verdicts on random expressions against an evaluation that shares no code with the decider: mpmath at random points.

Pairs are an expression and a rewriting of it that is right, or right only on a part of the line, or wrong.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import pytest
from mpmath import mp

from lighteval_fix.deciding.policy import Pair
from lighteval_fix.deciding.policy import value as by_value
from lighteval_fix.deciding.trial import Trial
from lighteval_fix.model import Equal, Proof, Verdict

Value = Callable[[dict[str, mpmath.mpf]], mpmath.mpf]
NAMES = ("x", "y")


class NotReal(Exception):
    """The expression has no value at the point; among reals, where the point is real."""


@dataclass(frozen=True)
class Term:
    """A text, and what it means."""

    text: str
    value: Value


def _real(value: mpmath.mpf) -> mpmath.mpf:
    if not mp.isfinite(value):
        raise NotReal
    return value


def _root(value: mpmath.mpf) -> mpmath.mpf:
    if not isinstance(value, mpmath.mpc) and value < 0:
        raise NotReal
    return mp.sqrt(value)


def _log(value: mpmath.mpf) -> mpmath.mpf:
    if value == 0 or (not isinstance(value, mpmath.mpc) and value < 0):
        raise NotReal
    return mp.log(value)


def _exp(value: mpmath.mpf) -> mpmath.mpf:
    if abs(value) > 25:  # a sine of it would need more digits than are carried
        raise NotReal
    return mp.exp(value)


def _quotient(a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
    if b == 0:
        raise NotReal
    return a / b


ONE: dict[str, tuple[str, Callable[[mpmath.mpf], mpmath.mpf]]] = {
    "sqrt": ("\\sqrt{%s}", _root),
    "ln": ("\\ln(%s)", _log),
    "abs": ("\\left|%s\\right|", abs),
    "sin": ("\\sin(%s)", mp.sin),
    "cos": ("\\cos(%s)", mp.cos),
    "exp": ("e^{%s}", _exp),
    "square": ("(%s)^2", lambda a: a * a),
    "cube": ("\\left(%s\\right)^{3}", lambda a: a * a * a),
    "minus": ("-(%s)", lambda a: -a),
    "inverse": ("\\frac{1}{%s}", lambda a: _quotient(mp.mpf(1), a)),
    "arctan": ("\\arctan(%s)", mp.atan),
}
TWO: dict[str, tuple[str, Callable[[mpmath.mpf, mpmath.mpf], mpmath.mpf]]] = {
    "+": ("%s+%s", lambda a, b: a + b),
    "-": ("%s-(%s)", lambda a, b: a - b),
    "*": ("(%s)(%s)", lambda a, b: a * b),
    "/": ("\\frac{%s}{%s}", _quotient),
}


def apply(name: str, *parts: Term) -> Term:
    if len(parts) == 1:
        shape, function = ONE[name]
        (inner,) = parts
        return Term(shape % inner.text, lambda at: _real(function(inner.value(at))))
    shape, both = TWO[name]
    left, right = parts
    return Term(shape % (left.text, right.text), lambda at: _real(both(left.value(at), right.value(at))))


def number(value: int) -> Term:
    return Term(str(value), lambda at: type(at["x"])(value))


def symbol(name: str) -> Term:
    return Term(name, lambda at: at[name])


def expression(source: random.Random, depth: int) -> Term:
    if depth == 0 or source.random() < 0.15:
        return number(source.randint(1, 7)) if source.random() < 0.4 else symbol(source.choice(NAMES))
    if source.random() < 0.4:
        return apply(source.choice(list(ONE)), expression(source, depth - 1))
    return apply(source.choice(list(TWO)), expression(source, depth - 1), expression(source, depth - 1))


# Rewritings of f(a, b): some hold everywhere, some on a part of the line, some nowhere. Which is which is not said.
REWRITINGS: tuple[Callable[[Term, Term], tuple[Term, Term]], ...] = (
    lambda a, b: (apply("+", a, b), apply("+", b, a)),
    lambda a, b: (apply("*", a, b), apply("*", b, a)),
    lambda a, b: (apply("-", a, b), apply("minus", apply("-", b, a))),
    lambda a, b: (apply("square", apply("+", a, b)), _binomial(a, b)),
    lambda a, b: (apply("square", apply("-", a, b)), _binomial(a, b)),
    lambda a, b: (apply("ln", apply("*", a, b)), apply("+", apply("ln", a), apply("ln", b))),
    lambda a, b: (apply("ln", apply("/", a, b)), apply("-", apply("ln", a), apply("ln", b))),
    lambda a, b: (apply("ln", apply("square", a)), apply("*", number(2), apply("ln", a))),
    lambda a, b: (apply("ln", apply("square", a)), apply("*", number(2), apply("ln", apply("abs", a)))),
    lambda a, b: (apply("sqrt", apply("*", a, b)), apply("*", apply("sqrt", a), apply("sqrt", b))),
    lambda a, b: (apply("sqrt", apply("/", a, b)), apply("/", apply("sqrt", a), apply("sqrt", b))),
    lambda a, b: (apply("sqrt", apply("square", a)), a),
    lambda a, b: (apply("sqrt", apply("square", a)), apply("abs", a)),
    lambda a, b: (apply("square", apply("sqrt", a)), a),
    lambda a, b: (apply("sqrt", apply("cube", a)), apply("*", a, apply("sqrt", a))),
    lambda a, b: (apply("exp", apply("+", a, b)), apply("*", apply("exp", a), apply("exp", b))),
    lambda a, b: (apply("exp", apply("ln", a)), apply("abs", a)),
    lambda a, b: (apply("ln", apply("exp", a)), a),
    lambda a, b: (apply("abs", apply("*", a, b)), apply("*", apply("abs", a), apply("abs", b))),
    lambda a, b: (apply("abs", apply("+", a, b)), apply("+", apply("abs", a), apply("abs", b))),
    lambda a, b: (apply("sin", apply("+", a, b)), _sine(a, b)),
    lambda a, b: (apply("cos", apply("+", a, b)), _sine(a, b)),
    lambda a, b: (apply("/", apply("*", a, b), b), a),
    lambda a, b: (apply("+", apply("inverse", a), apply("inverse", b)), apply("/", apply("+", a, b), apply("*", a, b))),
    lambda a, b: (apply("+", apply("arctan", a), apply("arctan", apply("inverse", a))), number(1)),
    lambda a, b: (apply("+", a, b), apply("+", a, apply("+", b, number(1)))),
    lambda a, b: (apply("minus", apply("sin", a)), apply("sin", apply("minus", a))),
    lambda a, b: (apply("cube", apply("minus", a)), apply("minus", apply("cube", a))),
)


def _binomial(a: Term, b: Term) -> Term:
    middle = apply("*", number(2), apply("*", a, b))
    return apply("+", apply("+", apply("square", a), middle), apply("square", b))


def _sine(a: Term, b: Term) -> Term:
    one = apply("*", apply("sin", a), apply("cos", b))
    return apply("+", one, apply("*", apply("cos", a), apply("sin", b)))


def points(source: random.Random) -> list[dict[str, mpmath.mpf]]:
    """Of either sign, small and large, away from whole numbers."""
    found = []
    for _ in range(40):
        reach = source.choice((1, 3, 9, 40, 300))
        found.append({name: mp.mpf(source.uniform(-reach, reach)) for name in NAMES})
    return found


def _values(one: Term, two: Term, at: dict[str, mpmath.mpf]) -> list[mpmath.mpf | None]:
    found: list[mpmath.mpf | None] = []
    for side in (one, two):
        try:
            found.append(side.value(at))
        except (NotReal, OverflowError):
            found.append(None)
    return found


def _near(left: mpmath.mpf, right: mpmath.mpf) -> bool:
    return bool(abs(left - right) <= mp.mpf(10) ** -25 * max(1, abs(left)))


def outcomes(one: Term, two: Term, source: random.Random) -> tuple[int, int, int]:
    """At how many points both are real and agree, both are real and differ, only one is real and the two differ as
    complex principal values (a cancelled root or logarithm is no difference)."""
    agree = differ = single = 0
    with mp.workdps(120):
        for at in points(source):
            left, right = _values(one, two, at)
            if left is None or right is None:
                if (left is None) != (right is None):
                    left, right = _values(one, two, {name: mp.mpc(value) for name, value in at.items()})
                    single += left is not None and right is not None and not _near(left, right)
                continue
            if max(abs(left), abs(right)) > mp.mpf(10) ** 25:
                continue
            near = _near(left, right)
            agree, differ = agree + near, differ + (not near)
    return agree, differ, single


def verdict_of(one: Term, two: Term, algebra: bool) -> Verdict:
    """The verdict of `value`; without computer algebra, whose worker is slow, unless it is asked for."""
    return by_value(Pair(one.text, two.text), Trial(algebra=algebra))


def _holds(one: Term, two: Term, source: random.Random, algebra: bool) -> str:
    verdict = verdict_of(one, two, algebra)
    agree, differ, single = outcomes(one, two, source)
    if isinstance(verdict, Equal) and verdict.proof is not Proof.ROUNDED:
        assert not differ, ("equal, and they differ", one.text, two.text, verdict)
        assert not single, (
            "equal, and only one is real, nor are they equal as complex numbers",
            one.text,
            two.text,
            verdict,
        )
    if verdict.kind == "different":
        assert differ or single or agree < 3, ("different, and they agree", one.text, two.text, verdict)
    return verdict.kind


def _round(seed: int, count: int, algebra: bool = False) -> Counter[str]:
    source = random.Random(seed)
    kinds: Counter[str] = Counter()
    for _ in range(count):
        a, b = expression(source, source.randint(0, 2)), expression(source, source.randint(0, 2))
        one, two = source.choice(REWRITINGS)(a, b)
        if source.random() < 0.4:
            around = source.choice(list(ONE))
            one, two = apply(around, one), apply(around, two)
        kinds[_holds(one, two, source, algebra)] += 1
    return kinds


@pytest.mark.parametrize("seed", range(2))
def test_rewritings(seed: int) -> None:
    kinds = _round(seed, 120)
    assert kinds["equal"] > 10
    assert kinds["different"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 103))
def test_many_rewritings(seed: int) -> None:
    _round(seed, 1_000)


@pytest.mark.slow
def test_rewritings_with_computer_algebra() -> None:
    _round(200, 150, algebra=True)

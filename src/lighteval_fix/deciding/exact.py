"""Exact rational arithmetic on expressions: a number, or the finding that this is not (visibly) a rational one."""

from __future__ import annotations

import math
from fractions import Fraction

from .trees import substitute
from .trial import MAX_BITS, MAX_SUM, Limit, Trial, Undefined
from .value import Add, BigOp, Call, Const, Mul, Node, Num, Pow, Sym


def rational(node: Node, trial: Trial) -> Fraction | None:
    """The value as an exact rational, or None where it is not one that plain arithmetic finds.

    Raises:
        Limit: digits or terms beyond the limits.
        Undefined: division by zero and the like.
    """
    if isinstance(node, Num):
        return node.value
    if isinstance(node, (Sym, Const)):
        return None
    trial.spend(1)
    if isinstance(node, Add):
        total = Fraction(0)
        for part in node.args:
            value = rational(part, trial)
            if value is None:
                return None
            total += value
        return _bounded(total)
    if isinstance(node, Mul):
        product = Fraction(1)
        for part in node.args:
            value = rational(part, trial)
            if value is None:
                return None
            product = _bounded(product * value)
        return product
    if isinstance(node, Pow):
        exponent = rational(node.exp, trial)
        if exponent is None:
            return None
        base = rational(node.base, trial)
        return None if base is None else power(base, exponent)
    if isinstance(node, Call):
        return _call(node, trial)
    if isinstance(node, BigOp):
        return _big(node, trial)
    return None


def _bounded(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > 2 * MAX_BITS:
        raise Limit("digits")
    return value


def power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """A rational power where it is rational; a negative base has its real odd roots."""
    if exponent.denominator == 1:
        return int_power(base, exponent.numerator)
    if base == 0:
        if exponent <= 0:
            raise Undefined("power of zero")
        return Fraction(0)
    root = exact_root(base, exponent.denominator)
    return None if root is None else int_power(root, exponent.numerator)


def int_power(base: Fraction, exponent: int) -> Fraction:
    """An integer power within the limit of digits."""
    if base == 0:
        if exponent <= 0:
            raise Undefined("power of zero")
        return base
    if base == 1 or exponent == 0:
        return Fraction(1)
    if base == -1:
        return Fraction(-1 if exponent % 2 else 1)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) > MAX_BITS or abs(exponent) * bits > MAX_BITS:
        raise Limit("digits")
    return base**exponent


def exact_root(base: Fraction, degree: int) -> Fraction | None:
    """The real root of that degree where it is rational."""
    if base < 0:
        if degree % 2 == 0:
            return None
        inner = exact_root(-base, degree)
        return None if inner is None else -inner
    top = int_root(base.numerator, degree)
    if top is None:
        return None
    bottom = int_root(base.denominator, degree)
    return None if bottom is None else Fraction(top, bottom)


def int_root(value: int, degree: int) -> int | None:
    """The root of a non-negative integer where it is an integer."""
    if value < 2:
        return value
    if degree == 2:
        root = math.isqrt(value)
        return root if root * root == value else None
    if degree >= value.bit_length():
        return None
    low, high = 1, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low if low**degree == value else None


def _call(node: Call, trial: Trial) -> Fraction | None:
    values: list[Fraction] = []
    for part in node.args:
        value = rational(part, trial)
        if value is None:
            return None
        values.append(value)
    return apply(node.name, values)


def apply(name: str, values: list[Fraction]) -> Fraction | None:
    """A named function of rationals where the result is rational and known."""
    if name in ("gcd", "lcm", "max", "min") and values:
        if name == "max":
            return max(values)
        if name == "min":
            return min(values)
        if any(value.denominator != 1 for value in values):
            return None
        whole = [value.numerator for value in values]
        return Fraction(math.gcd(*whole) if name == "gcd" else math.lcm(*whole))
    if len(values) == 1:
        return _unary(name, values[0])
    if len(values) == 2:
        first, second = values
        if name == "binom":
            return binomial(first, second)
        if name == "mod":
            if second == 0:
                raise Undefined("remainder by zero")
            return first - second * math.floor(first / second)
    return None


def _unary(name: str, value: Fraction) -> Fraction | None:
    match name:
        case "abs":
            return abs(value)
        case "floor":
            return Fraction(math.floor(value))
        case "ceil":
            return Fraction(math.ceil(value))
        case "factorial":
            return factorial(value)
        case "factorial2":
            return double_factorial(value)
        case "sqrt":
            return power(value, Fraction(1, 2))
        case "re" | "conj":
            return value
        case "im":
            return Fraction(0)
        case "sgn":
            return Fraction((value > 0) - (value < 0))
        case "sin" | "tan" | "arcsin" | "arctan" | "sinh" | "tanh" | "arcsinh" | "arctanh" if value == 0:
            return Fraction(0)
        case "cos" | "sec" | "cosh" | "exp" if value == 0:
            return Fraction(1)
        case "ln" | "log" if value == 1:
            return Fraction(0)
        case _:
            return None


def factorial(value: Fraction) -> Fraction | None:
    """n! for an integer; undefined below zero."""
    if value.denominator != 1:
        return None
    if value < 0:
        raise Undefined("factorial below zero")
    if value > 4_000:
        raise Limit("factorial")
    return Fraction(math.factorial(value.numerator))


def double_factorial(value: Fraction) -> Fraction | None:
    """n!! for a whole number that is not negative."""
    if value.denominator != 1 or value < 0:
        return None
    if value > 4_000:
        raise Limit("factorial")
    return Fraction(math.prod(range(value.numerator, 0, -2)))


def binomial(top: Fraction, bottom: Fraction) -> Fraction | None:
    """A binomial coefficient with a whole lower entry."""
    if bottom.denominator != 1:
        return None
    if bottom < 0:
        return Fraction(0)
    if top.denominator == 1 and top >= 0:
        count = min(bottom.numerator, max(top.numerator - bottom.numerator, 0))
        if bottom > top:
            return Fraction(0)
        if count * top.numerator.bit_length() > MAX_BITS:
            raise Limit("binomial")
        return Fraction(math.comb(top.numerator, bottom.numerator))
    if bottom > 500:
        raise Limit("binomial")
    product = Fraction(1)
    for step in range(bottom.numerator):
        product *= (top - step) / (step + 1)
    return _bounded(product)


def bounds(node: BigOp, trial: Trial) -> range | None:
    """The whole numbers a finite sum or product runs over, if its ends are numbers."""
    if node.kind not in ("sum", "prod") or node.lower is None or node.upper is None:
        return None
    low, high = rational(node.lower, trial), rational(node.upper, trial)
    if low is None or high is None or low.denominator != 1 or high.denominator != 1:
        return None
    if high - low > MAX_SUM:
        raise Limit("terms of a sum")
    return range(low.numerator, high.numerator + 1)


def _big(node: BigOp, trial: Trial) -> Fraction | None:
    steps = bounds(node, trial)
    if steps is None:
        return None
    total = Fraction(0 if node.kind == "sum" else 1)
    for index in steps:
        value = rational(substitute(node.body, {node.var: Num(Fraction(index))}), trial)
        if value is None:
            return None
        total = _bounded(total + value if node.kind == "sum" else total * value)
        trial.spend(8 + total.denominator.bit_length() // 500)
    return total

"""A decimal against an exact value: equal only where enough digits are shown and every one of them is right."""

from __future__ import annotations

from fractions import Fraction

from . import angles
from .exact import rational
from .trees import negated, symbols, walk
from .trial import Limit, Trial, Undefined
from .value import Node, Num


def decimal(node: Node) -> Num | None:
    """The node as a decimal literal, if it is one."""
    return node if isinstance(node, Num) and node.places is not None and node.places > 0 else None


def is_exact(node: Node) -> bool:
    """Whether no decimal literal stands in it."""
    return not any(isinstance(part, Num) and part.places for part in walk(node))


def digits_shown(value: Fraction, places: int) -> int:
    """Digits after the point; for numbers below 1, significant ones."""
    size = abs(value)
    if size >= 1:
        return places
    scaled = size * 10**places
    return len(str(scaled.numerator // scaled.denominator)) if scaled >= 1 else 0


def stands_for(shown: Num, exact: Node, trial: Trial, places: int | None = None) -> bool:
    """Whether the exact constant, rounded or cut to the places shown, is the decimal."""
    used = shown.places if places is None else places
    if used is None or symbols(exact):
        return False
    unit = Fraction(1, 10**used)
    size = abs(shown.value)
    low, high = size - unit / 2, size + unit
    if shown.value == 0:
        return False
    try:
        value = rational(exact, trial)
    except (Limit, Undefined):
        return False
    if value is not None:
        if (value < 0) != (shown.value < 0):
            return False
        return low <= abs(value) < high
    return _inside(exact, low, high, shown.value < 0, trial)


def _inside(exact: Node, low: Fraction, high: Fraction, negative: bool, trial: Trial) -> bool:
    """Whether the size of an irrational constant is proved to lie between the two."""
    size = negated(exact) if negative else exact
    return angles.order(Num(low), size, trial) == -1 and angles.order(size, Num(high), trial) == -1


def rounded(left: Node, right: Node, trial: Trial) -> bool | None:
    """Whether one side is a decimal that stands for the other.

    True: with enough digits. None: it could close a triangle (trailing zeros beyond the right digits, or two decimals
    that may be roundings of one value), so nothing can be said. False: neither.
    """
    one, two = decimal(left), decimal(right)
    if one is not None and two is not None:
        return None if _may_round_one_value(one, two, trial.precision) else False
    if one is None and two is not None:
        one, right = two, left
    if one is None or not is_exact(right):
        return False
    assert one.places is not None
    if stands_for(one, right, trial) and digits_shown(one.value, one.places) >= trial.precision:
        return True
    for places in range(one.places - 1, 0, -1):
        if (one.value * 10**places).denominator != 1 or digits_shown(one.value, places) < trial.precision:
            break
        if stands_for(one, right, trial, places):
            return None
    return False


def _may_round_one_value(one: Num, two: Num, precision: int) -> bool:
    """Whether some exact value has both as its rounding or cut."""
    reach: list[tuple[Fraction, Fraction]] = []
    for number in (one, two):
        assert number.places is not None
        if number.value == 0 or digits_shown(number.value, number.places) < precision:
            return False
        unit = Fraction(1, 10**number.places)
        size = abs(number.value)
        reach.append((size - unit / 2, size + unit))
    if (one.value < 0) != (two.value < 0):
        return False
    return max(low for low, _ in reach) <= min(high for _, high in reach)

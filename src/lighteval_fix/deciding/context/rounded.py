"""Licences about rounding: a decimal that is the other side's value, rounded as the question asks or the gold shows.

The two are then made the same. Nothing is compared with a tolerance: whether a value rounds to a decimal is proved, by
exact arithmetic or by an enclosure that lies inside the rounding interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..units import dimension
from ..value import Mul, Node, Num, Quantity, Scalar, Value
from .measured import Pair
from .question import mentions
from .sides import Side, ends, literal, number
from .table import Licence, LicenceKind, Rounding, of_kind, rounding

_COUNTED_DIMENSIONS = frozenset(("money", "angle", "information"))
"""What is asked for in these is counted or known exactly, not measured."""


def rounded(question: str, side: Side, other: Side, gold: bool) -> Iterator[Pair]:
    """A decimal on this side that is the other side's value, rounded as the question asks or as the gold shows.

    The two are then made the same; nothing is compared with a tolerance.
    """
    decimal, exact = _decimal(side.value), _exact(other.value, isinstance(side.value, Scalar) and side.value.percent)
    if decimal is None or exact is None:
        return
    value, places = decimal
    other_written = _decimal(other.value)
    requested = of_kind(question, LicenceKind.ROUND)
    for licence in requested:
        asked = rounding(licence.quote, licence.what)
        if asked is not None and _is_rounding(exact, value, asked, other_written):
            yield side, side, licence
            return
    if requested or (other_written is not None and other_written[1] <= places):
        return
    shown = _significant(value, places)
    step = Fraction(1, 10**places)
    for licence in of_kind(question, LicenceKind.APPROXIMATE):
        if shown >= 3 and _within(exact, value, step):
            yield side, side, licence
            return
    if gold and other_written is None and places >= 2 and shown >= 3:
        for licence in of_kind(question, LicenceKind.MEASURE):
            if _within(exact, value, step) or _cut(exact, value, step):
                yield side, side, licence
                return
    if places and shown >= 4 and of_kind(question, LicenceKind.MEASURE) and _within(exact, value, step):
        unit = next((mention for mention in mentions(question) if mention.asked), None)
        if unit is not None and dimension(unit.unit)[0][0] not in _COUNTED_DIMENSIONS:
            yield side, side, Licence(LicenceKind.MEASURE, unit.quote)


def _decimal(value: Value | None) -> tuple[Fraction, int] | None:
    """A number written as a decimal, in percent where it is one, with the digits shown after the point."""
    if not isinstance(value, (Scalar, Quantity)):
        return None
    if isinstance(value, Scalar) and value.percent:
        return _terminating(number(value.node))
    return literal(value.node)


def _terminating(share: Fraction | None) -> tuple[Fraction, int] | None:
    """A percent as the decimal it was written as: percents keep no places, so the fewest digits are taken."""
    if share is None:
        return None
    value = share * 100
    places = next((count for count in range(13) if (value * 10**count).denominator == 1), None)
    return None if places is None else (value, places)


def _exact(value: Value | None, in_percent: bool) -> Node | None:
    """The expression of a side that is one number, as a percentage where the other side is one."""
    if not isinstance(value, (Scalar, Quantity)):
        return None
    return Mul((Num(Fraction(100)), value.node)) if in_percent else value.node


def _is_rounding(exact: Node, value: Fraction, asked: Rounding, other: tuple[Fraction, int] | None) -> bool:
    if asked.significant is not None:
        step = _place(value, asked.significant)
    else:
        step = asked.step or Fraction(1)
    if (value / step).denominator != 1:
        return False
    if other is not None and (other[0] / step).denominator == 1:
        return False
    return _within(exact, value, step)


def _place(value: Fraction, significant: int) -> Fraction:
    """The place of the last of so many significant digits of a number."""
    size = abs(value)
    if size == 0:
        return Fraction(1)
    power = len(str(size.numerator // size.denominator)) if size >= 1 else 1 - _leading_zeros(size)
    return Fraction(10) ** (power - significant)


def _leading_zeros(size: Fraction) -> int:
    """How many places after the point until the first digit that is not zero."""
    count = 0
    while size < 1 and count < 100:
        size *= 10
        count += 1
    return count


def _significant(value: Fraction, places: int) -> int:
    digits = str(abs(value.numerator * 10**places // value.denominator)).lstrip("0")
    return len(digits)


def _within(exact: Node, value: Fraction, step: Fraction) -> bool:
    """The exact value rounds to the decimal, halves away from zero; proved, or False."""
    known = number(exact)
    if known is not None:
        gap = abs(known) - abs(value)
        same_sign = (known >= 0) == (value >= 0) or value == 0
        return same_sign and -step / 2 <= gap < step / 2
    found = ends(exact)
    return found is not None and value - step / 2 < found[0] and found[1] < value + step / 2


def _cut(exact: Node, value: Fraction, step: Fraction) -> bool:
    """The exact value cut to the digits shown is the decimal; proved, or False."""
    known = number(exact)
    found = (known, known) if known is not None else ends(exact)
    if found is None:
        return False
    low, high = sorted((abs(found[0]), abs(found[1])))
    return (found[0] >= 0) == (found[1] >= 0) == (value >= 0) and abs(value) <= low and high < abs(value) + step

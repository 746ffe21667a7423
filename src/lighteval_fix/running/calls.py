"""Programs that are a function to call: arguments as JSON in, the result as JSON out, compared here.

Nothing that the program made comes back as an object, so no `__eq__` of its own is ever asked. Tuples are lists (at any
depth), whole numbers agree exactly, and the tolerance holds where the expected number is written as a decimal. A number
written as a decimal is the double that Python reads it as: 1e23 is not 10 ** 23, as it is not in Python.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from typing import TypeAlias

from ..model import Tests
from .compare import DEFAULT_TOLERANCE, checked_tolerance, numbers_agree


@dataclass(frozen=True, slots=True)
class _Number:
    """A JSON number: its exact value, and whether it was written without point and exponent."""

    value: Decimal
    whole: bool


@dataclass(frozen=True, slots=True)
class _Constant:
    """`NaN`, `Infinity` or `-Infinity`, which Python's JSON writes and reads; too large a double is one, too."""

    name: str


_Value: TypeAlias = "bool | str | _Number | _Constant | list[_Value] | dict[str, _Value] | None"


_Leaf: TypeAlias = str | _Number | _Constant | None


def compare_result(got: str, want: str, tolerance: float = DEFAULT_TOLERANCE) -> bool:
    """True if the JSON text `got` is the same value as the JSON text `want`.

    `true` and `false` are 1 and 0, as they are in Python and so to LightEval.

    Raises:
        ValueError: a negative, infinite or NaN tolerance, or an expected result that is no JSON.
    """
    allowed = checked_tolerance(tolerance)
    expected = _parsed(want)
    try:
        found = _parsed(got)
    except ValueError:
        return False
    return _same(found, expected, allowed)


def readable(tests: Tests) -> bool:
    """Is everything that a call is given, and everything that is expected of it, JSON? Always true of programs."""
    try:
        for text in tests.outputs if tests.function else ():
            _parsed(text)
        for text in tests.inputs if tests.function else ():
            for line in text.rstrip("\r\n").split("\n") if text.strip() else ():
                _parsed(line)
    except ValueError:
        return False
    return True


def _parsed(text: str) -> _Value:
    try:
        value: _Value = json.loads(text, parse_int=_whole, parse_float=_decimal, parse_constant=_Constant)
    except (RecursionError, DecimalException) as error:
        raise ValueError(f"no JSON that can be compared: {type(error).__name__}") from None
    return value


def _whole(text: str) -> _Number:
    return _Number(Decimal(text), True)


def _decimal(text: str) -> _Number | _Constant:
    value = float(text)
    if math.isinf(value):
        return _Constant("Infinity" if value > 0 else "-Infinity")
    return _Number(Decimal(value), False)


def _same(got: _Value, want: _Value, tolerance: Decimal) -> bool:
    """Without recursion of its own: JSON may nest deeper than a stack."""
    pairs: list[tuple[_Value, _Value]] = [(got, want)]
    leaves: list[tuple[_Leaf, _Leaf]] = []
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            pairs.extend(zip(left, right, strict=True))
        elif isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            pairs.extend((left[key], right[key]) for key in left)
        elif isinstance(left, (list, dict)) or isinstance(right, (list, dict)):
            return False
        else:
            leaves.append((_counted(left), _counted(right)))
    return all(_same_leaf(left, right, tolerance) for left, right in leaves)


def _counted(leaf: bool | str | _Number | _Constant | None) -> _Leaf:
    return _Number(Decimal(int(leaf)), True) if isinstance(leaf, bool) else leaf


def _same_leaf(got: _Leaf, want: _Leaf, tolerance: Decimal) -> bool:
    if isinstance(got, _Number) and isinstance(want, _Number):
        if want.whole or not tolerance:
            return got.value == want.value
        return numbers_agree(got.value, want.value, tolerance)
    return type(got) is type(want) and got == want

"""Is a program's output the expected one?

Both texts lose their outer white space and are cut at line feeds. As many lines are needed, and each pair of lines, its
own outer white space gone, must agree. With a tolerance, lines agree token by token; with `tolerance=0` the rule is
LightEval's own (`lcb/codegen_metrics.py`, 0.13.0): the lines are the same, or every token on both is a `Decimal` and
the two rows of decimals are equal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DecimalException
from itertools import zip_longest

from .octets import as_seen

DEFAULT_TOLERANCE = 1e-6

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITY = re.compile(r"([+-]?)inf(?:inity)?", re.IGNORECASE)
_NAN = re.compile(r"[+-]?nan", re.IGNORECASE)

_ARITHMETIC = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""Nothing traps here: a difference or an allowance out of range becomes infinite, and infinite ones never agree."""


def compare_output(got: str, want: str, tolerance: float = DEFAULT_TOLERANCE) -> bool:
    """True if `got` is the expected output `want`.

    Integers must agree exactly (`5.0` is the integer 5). Where the expected token is a decimal (a point or an
    exponent), `|got - want| <= tolerance * max(1, |want|)` is enough. Infinities agree with the same sign, a NaN with
    a NaN.

    Args:
        tolerance: 0 for exact decimals, line for line as LightEval has it.

    Raises:
        ValueError: the tolerance is negative, infinite or NaN.
    """
    allowed = checked_tolerance(tolerance)
    got, want = got.strip(), want.strip()
    if got == want:
        return True
    got, want = as_seen(got), as_seen(want)
    for got_line, want_line in zip_longest(_lines(got), _lines(want)):
        if got_line is None or want_line is None:
            return False
        if got_line == want_line:
            continue
        same = _decimals_equal(got_line, want_line) if not allowed else _tokens_agree(got_line, want_line, allowed)
        if not same:
            return False
    return True


def checked_tolerance(tolerance: float) -> Decimal:
    """The tolerance as the decimal that its shortest notation shows.

    Raises:
        ValueError: it is negative, infinite or NaN.
    """
    if not math.isfinite(tolerance) or tolerance < 0:
        raise ValueError(f"tolerance must be a finite number, 0 or more, not {tolerance!r}")
    return Decimal(repr(float(tolerance)))


def numbers_agree(got: Decimal, want: Decimal, tolerance: Decimal) -> bool:
    """Two finite numbers within the tolerance: relative to `want`, absolute where that is below 1."""
    if got == want:
        return True
    size = want.copy_abs()
    allowed = _ARITHMETIC.multiply(tolerance, size if size > 1 else Decimal(1))
    difference = _ARITHMETIC.subtract(got, want).copy_abs()
    return difference.is_finite() and allowed.is_finite() and difference <= allowed


def _lines(text: str) -> Iterator[str]:
    """The lines of a stripped text, each stripped; one at a time, so a huge output is not held a second time."""
    start = 0
    while (cut := text.find("\n", start)) >= 0:
        yield text[start:cut].strip()
        start = cut + 1
    yield text[start:].strip()


def _tokens_agree(got_line: str, want_line: str, tolerance: Decimal) -> bool:
    got_tokens, want_tokens = got_line.split(), want_line.split()
    if len(got_tokens) != len(want_tokens):
        return False
    return all(
        got == want or _token_agrees(got, want, tolerance) for got, want in zip(got_tokens, want_tokens, strict=True)
    )


def _token_agrees(got: str, want: str, tolerance: Decimal) -> bool:
    if (want_sign := _INFINITY.fullmatch(want)) is not None:
        got_sign = _INFINITY.fullmatch(got)
        return got_sign is not None and (got_sign[1] == "-") == (want_sign[1] == "-")
    if _NAN.fullmatch(want) is not None:
        return _NAN.fullmatch(got) is not None
    if _NUMBER.fullmatch(want) is None or _NUMBER.fullmatch(got) is None:
        return False
    got_number, want_number = _decimal(got), _decimal(want)
    if got_number is None or want_number is None:
        return False
    if _INTEGER.fullmatch(want) is not None:
        return got_number == want_number
    return numbers_agree(got_number, want_number, tolerance)


def _decimal(token: str) -> Decimal | None:
    """None where the exponent is beyond what a `Decimal` can hold."""
    try:
        value = Decimal(token)
    except DecimalException:
        return None
    return value if value.is_finite() else None


def _decimals_equal(got_line: str, want_line: str) -> bool:
    """LightEval's second chance for a line, its signalling NaN (an exception there, so a wrong answer) included."""
    try:
        got, want = [Decimal(t) for t in got_line.split()], [Decimal(t) for t in want_line.split()]
        return got == want
    except DecimalException:
        return False

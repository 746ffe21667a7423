"""The two sides of a pair as the rules see them: the value where the text parsed, the text, and small readings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..enclose import Unclear, enclosure
from ..exact import rational
from ..parsing import parse
from ..parts import free, nodes
from ..trees import walk
from ..trial import Limit, Trial, Undefined, Unsupported
from ..value import (
    Const,
    Listing,
    Mul,
    Node,
    Num,
    Parsed,
    Quantity,
    Scalar,
    SetOf,
    Tuple,
    Value,
)

MAX_TEXT = 2_000
"""Characters: the rules that work on text leave longer answers alone."""


@dataclass(frozen=True)
class Side:
    """One of two answers. `value` is None where the text is not in the language; `measured` is what it says where the
    letters behind its number are a unit.

    Without slots: what several rules read from a side is kept on it.
    """

    value: Value | None
    text: str
    measured: Quantity | None = None

    def holding(self, value: Value) -> Side:
        """The same side with another value."""
        return Side(value, self.text)

    @property
    def kind(self) -> type:
        """The type of its value."""
        return type(self.value)

    @cached_property
    def letters(self) -> frozenset[str]:
        """Free symbols."""
        return frozenset() if self.value is None else free(self.value)

    @cached_property
    def plain(self) -> str:
        """The words of the text."""
        return plain(self.text)


def read(text: str) -> Side | None:
    """A side from a piece of text; None where it does not parse."""
    if not text.strip() or len(text) > MAX_TEXT:
        return None
    parsed = parse(text)
    return Side(parsed.value, text) if isinstance(parsed, Parsed) else None


_WRAPPERS = re.compile(r"\\(?:text|mathrm|textbf|mathbf|boxed|mbox|textrm|textit|mathit|emph|bf|rm)\b")
_PRESENTATION = re.compile(r"\\(?:left|right|displaystyle|quad|qquad|bigg?l?r?|Bigg?l?r?)(?![a-zA-Z])|\\[,;:! ]|[{}$~]")


def plain(text: str) -> str:
    """The words of a text: wrappers, braces and dollar signs gone, white space folded, a final stop removed."""
    bare = _PRESENTATION.sub(" ", _WRAPPERS.sub(" ", text[:MAX_TEXT]))
    return " ".join(bare.split()).rstrip(".").rstrip()


def squeezed(text: str) -> str:
    """A formula without spaces, braces and sizes, `\\dfrac` and `/` made one: for finding it in the question."""
    bare = re.sub(r"\\[dt]?frac(?![a-zA-Z])", "", _WRAPPERS.sub("", text[:MAX_TEXT]))
    return re.sub(r"[\s/]", "", _PRESENTATION.sub("", bare))


def single(value: Value | None) -> Scalar | None:
    """The one expression that a value is, if it is one."""
    return value if isinstance(value, Scalar) else None


def items(value: Value | None) -> tuple[Value, ...] | None:
    """The members of a list, a tuple or a set."""
    return value.items if isinstance(value, (Listing, Tuple, SetOf)) else None


def rebuilt(value: Value, change: Callable[[Value], Value | None]) -> Value | None:
    """The value, or every member of a list, tuple or set, changed; None where one cannot be."""
    if isinstance(value, (Listing, Tuple, SetOf)):
        changed = tuple(change(item) for item in value.items)
        if any(item is None for item in changed) or not changed:
            return None
        kept = tuple(item for item in changed if item is not None)
        match value:
            case Listing():
                return Listing(kept, value.ellipsis)
            case Tuple():
                return Tuple(kept, value.angle)
            case SetOf():
                return SetOf(kept, value.ellipsis)
    return change(value)


def number(node: Node) -> Fraction | None:
    """The exact rational that an expression is, or None."""
    try:
        return rational(node, Trial(work=5_000))
    except (Limit, Undefined):
        return None


def ends(node: Node) -> tuple[Fraction, Fraction] | None:
    """Rational bounds of a real constant from a rigorous enclosure of 128 bits, or None where there is none."""
    try:
        ball = enclosure(node, 128, Trial(work=20_000))
        if not ball.imag.contains(0):
            return None
        low, high = (_rational(end) for end in (ball.real.lower(), ball.real.upper()))
    except (Unclear, Unsupported, Limit, Undefined, ValueError):
        return None
    return (low, high) if low <= high else None


def _rational(exact: Any) -> Fraction:
    mantissa, exponent = exact.mid().man_exp()
    if abs(int(exponent)) > 4_000:
        raise ValueError("size")
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def literal(node: Node) -> tuple[Fraction, int] | None:
    """A decimal or whole number as written, with its digits after the point; None for anything else (a fraction)."""
    if isinstance(node, Num):
        if node.places is not None:
            return node.value, node.places
        return (node.value, 0) if node.value.denominator == 1 else None
    if isinstance(node, Mul) and len(node.args) == 2 and node.args[0] == Num(Fraction(-1)):
        inner = literal(node.args[1])
        return None if inner is None else (-inner[0], inner[1])
    return None


def shows_pi(value: Value) -> bool:
    """π stands in it."""
    return any(part == Const("pi") for node in nodes(value) for part in walk(node))

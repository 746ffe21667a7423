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
from ..trees import symbols, walk
from ..trial import Limit, Trial, Undefined, Unsupported
from ..value import (
    Assignment,
    Compound,
    Const,
    Function,
    Interval,
    Listing,
    Matrix,
    Mul,
    Node,
    Num,
    Parsed,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetOf,
    Tuple,
    Union,
    Value,
)

MAX_TEXT = 2_000
"""Characters: the rules that work on text leave longer answers alone."""


@dataclass(frozen=True)
class Side:
    """One of two answers. `value` is None where the text is not in the language.

    Without slots: what several rules read from a side is kept on it.
    """

    value: Value | None
    text: str

    def holding(self, value: Value) -> Side:
        """The same side with another value."""
        return Side(value, self.text)

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


def nodes(value: Value) -> tuple[Node, ...]:
    """Every expression of a value, members included; empty where the value holds something else as well."""
    match value:
        case Scalar() | Quantity():
            return (value.node,)
        case Function():
            return (value.body,)
        case Relation() | Ratio():
            return value.terms
        case Interval():
            return (value.low, value.high)
        case Matrix():
            return tuple(entry for row in value.rows for entry in row)
        case Assignment():
            return (value.name, *nodes(value.value))
        case Listing() | Tuple() | SetOf():
            return tuple(node for item in value.items for node in nodes(item))
        case Compound() | Union():
            return tuple(node for part in value.parts for node in nodes(part))
        case _:
            return ()


def free(value: Value) -> frozenset[str]:
    """The free symbols of a value; a function's parameters are bound."""
    found: frozenset[str] = frozenset()
    for node in nodes(value):
        found |= symbols(node)
    return found - frozenset(value.params) if isinstance(value, Function) else found


def mapped(value: Value, change: Callable[[Node], Node]) -> Value:
    """The value with every expression changed."""
    match value:
        case Scalar():
            return Scalar(change(value.node), value.percent, value.currency, value.degree, value.mixed)
        case Quantity():
            return Quantity(change(value.node), value.unit)
        case Function():
            return Function(value.name, value.params, change(value.body))
        case Relation():
            return Relation(tuple(change(term) for term in value.terms), value.ops)
        case Ratio():
            return Ratio(tuple(change(term) for term in value.terms))
        case Interval():
            return Interval(change(value.low), change(value.high), value.low_closed, value.high_closed)
        case Matrix():
            return Matrix(tuple(tuple(change(entry) for entry in row) for row in value.rows))
        case Assignment():
            return Assignment(change(value.name), value.op, mapped(value.value, change))
        case Listing():
            return Listing(tuple(mapped(item, change) for item in value.items), value.ellipsis)
        case Tuple():
            return Tuple(tuple(mapped(item, change) for item in value.items), value.angle)
        case SetOf():
            return SetOf(tuple(mapped(item, change) for item in value.items), value.ellipsis)
        case Compound():
            return Compound(value.joiner, tuple(mapped(part, change) for part in value.parts))
        case Union():
            return Union(tuple(mapped(part, change) for part in value.parts))
        case _:
            return value


def shows_pi(value: Value) -> bool:
    """π stands in it."""
    return any(part == Const("pi") for node in nodes(value) for part in walk(node))

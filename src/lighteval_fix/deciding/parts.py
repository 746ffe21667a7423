"""The expressions of a value: all of them, their symbols, and the value with each of them changed."""

from __future__ import annotations

from collections.abc import Callable

from .trees import symbols
from .value import (
    Assignment,
    Compound,
    Function,
    Interval,
    Listing,
    Matrix,
    Node,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Tuple,
    Union,
    Value,
)


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
        case SetBuilder():
            return (*nodes(value.element), *nodes(value.condition))
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
        case SetBuilder():
            return SetBuilder(mapped(value.element, change), mapped(value.condition, change))
        case Compound():
            return Compound(value.joiner, tuple(mapped(part, change) for part in value.parts))
        case Union():
            return Union(tuple(mapped(part, change) for part in value.parts))
        case _:
            return value

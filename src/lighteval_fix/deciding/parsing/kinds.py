"""The kind of a value, in the names under which annotators sort mathematical answers."""

from __future__ import annotations

from typing import assert_never

from lighteval_fix.deciding.trees import symbols, walk
from lighteval_fix.deciding.value import (
    Assignment,
    Based,
    Cases,
    Choice,
    Compound,
    Const,
    Difference,
    Function,
    Intersection,
    Interval,
    Listing,
    Matrix,
    NamedSet,
    Node,
    PlusMinus,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Union,
    Value,
    Words,
)


def kind_of(value: Value) -> str:
    """`Real`, `Complex`, `Expression`, `Vector`, `Set`, `Interval`, `Matrix`, `Equation`, `Inequality`, `Function` or
    `Others` (words, letters, ratios)."""
    match value:
        case Scalar(node=PlusMinus()):
            return "Set"
        case Scalar(node=node) | Quantity(node=node):
            return _of_node(node)
        case Based():
            return "Real"
        case Ratio() | Choice() | Words():
            return "Others"
        case Tuple():
            return "Vector"
        case Listing() | SetOf() | SetBuilder():
            return "Set"
        case Interval() | Union() | Intersection() | Difference() | NamedSet():
            return "Interval"
        case Matrix():
            return "Matrix"
        case Relation(ops=ops, terms=terms):
            if any(op in ("<", ">", "<=", ">=", "!=") for op in ops):
                return "Inequality"
            # y given by an expression in another letter is a function of it
            if len(terms) == 2 and terms[0] == Sym("y") and symbols(terms[1]):
                return "Function"
            return "Equation"
        case Assignment(op=op, value=assigned):
            return kind_of(assigned) if op in ("in", "=") else "Inequality"
        case Function() | Cases():
            return "Function"
        case Compound(parts=parts):
            return kind_of(parts[0])
        case _:
            assert_never(value)


def _of_node(node: Node) -> str:
    if symbols(node):
        return "Expression"
    return "Complex" if Const("i") in walk(node) else "Real"

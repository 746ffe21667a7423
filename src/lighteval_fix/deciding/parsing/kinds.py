"""The kind of a value, in the names under which annotators sort mathematical answers."""

from __future__ import annotations

from typing import assert_never

from lighteval_fix.deciding.value import (
    Add,
    Assignment,
    Based,
    BigOp,
    Call,
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
    Mul,
    NamedSet,
    Node,
    Num,
    PlusMinus,
    Pow,
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
            if len(terms) == 2 and terms[0] == Sym("y") and letters_of(terms[1]):
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
    if letters_of(node):
        return "Expression"
    return "Complex" if _has_i(node) else "Real"


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case Add(args=args) | Mul(args=args) | Call(args=args):
            return args
        case Pow(base=base, exp=exp):
            return (base, exp)
        case PlusMinus(left=left, right=right):
            return (left, right)
        case BigOp(lower=lower, upper=upper, body=body):
            return tuple(n for n in (lower, upper, body) if n is not None)
        case Num() | Sym() | Const():
            return ()
        case _:
            assert_never(node)


def letters_of(node: Node) -> frozenset[str]:
    """The free letters of an expression."""
    if isinstance(node, Sym):
        return frozenset((node.name,))
    found = frozenset[str]().union(*(letters_of(child) for child in _children(node)))
    return found - {node.var} if isinstance(node, BigOp) else found


def _has_i(node: Node) -> bool:
    return node == Const("i") or any(_has_i(child) for child in _children(node))

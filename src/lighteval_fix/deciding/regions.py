"""Sets of real numbers as disjoint pieces: intervals, unions, differences, inequalities, set-builders."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import angles, inequalities, linear, numbers
from .pieces import INFINITY, LINE, MINUS_INFINITY, Piece, Unordered, complement, intersect, point, tidy
from .points import counting
from .trees import ZERO, minus, symbols
from .trial import Trial
from .value import (
    Assignment,
    Compound,
    Difference,
    Intersection,
    Interval,
    Mul,
    NamedSet,
    Node,
    Num,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Union,
    Value,
)

_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces as read, and the variable that was named, if one was."""

    pieces: tuple[Piece, ...]
    variable: str | None = None


# --------------------------------------------------------------------------- reading


def region(value: Value, trial: Trial) -> Region | None:
    """The value as a set of reals, or None where it is not written as one."""
    try:
        return _region(value, trial)
    except Unordered:
        return None


def _region(value: Value, trial: Trial) -> Region | None:
    match value:
        case Interval():
            closed = (
                value.low_closed and not angles.infinite(value.low),
                value.high_closed and not angles.infinite(value.high),
            )
            return Region((Piece(value.low, value.high, *closed),))
        case NamedSet(name="R"):
            return _reals(value.modifier)
        case Union():
            return _joined(value.parts, trial, union=True)
        case Intersection():
            return _joined(value.parts, trial, union=False)
        case Difference():
            left, right = _operand(value.left, trial), _operand(value.right, trial)
            if left is None or right is None:
                return None
            return Region(intersect(left.pieces, complement(right.pieces, trial), trial), left.variable)
        case Relation():
            return _inequality(value, trial)
        case Assignment(name=Sym(name=name), op="in"):
            inner = _operand(value.value, trial)
            return None if inner is None else Region(inner.pieces, name)
        case Compound(joiner="and" | "or"):
            return _joined(value.parts, trial, union=value.joiner == "or")
        case SetBuilder():
            return _builder(value, trial)
        case _:
            return None


def _operand(value: Value, trial: Trial) -> Region | None:
    """A part of a union: a finite set and an open interval written as a pair count as well."""
    match value:
        case SetOf(ellipsis=False) if all(isinstance(item, Scalar) for item in value.items):
            return Region(tuple(point(item.node) for item in value.items if isinstance(item, Scalar)))
        case Tuple(items=(Scalar() as low, Scalar() as high), angle=False):
            return Region((Piece(low.node, high.node, False, False),))
        case Relation(terms=(Sym(name=name), node), ops=("=",)) if name not in symbols(node):
            return Region((point(node),), name)
        case Assignment(name=Sym(name=name), op="=", value=Scalar(node=node)):
            return Region((point(node),), name)
        case _:
            return _region(value, trial)


def _reals(modifier: str) -> Region | None:
    match modifier:
        case "":
            return Region((LINE,))
        case "+" | ">0" | "> 0" | "++":
            return Region((Piece(ZERO, INFINITY, False, False),))
        case "-" | "<0" | "< 0":
            return Region((Piece(MINUS_INFINITY, ZERO, False, False),))
        case ">=0" | "\\geq0" | "≥0":
            return Region((Piece(ZERO, INFINITY, True, False),))
        case _:
            return None


def _joined(parts: tuple[Value, ...], trial: Trial, *, union: bool) -> Region | None:
    found: list[Region] = []
    for part in parts:
        inner = _operand(part, trial)
        if inner is None:
            return None
        found.append(inner)
    names = {inner.variable for inner in found if inner.variable is not None}
    if len(names) > 1 or not found:
        return None
    name = next(iter(names), None)
    if union:
        return Region(tuple(piece for inner in found for piece in inner.pieces), name)
    pieces = found[0].pieces
    for inner in found[1:]:
        pieces = intersect(pieces, inner.pieces, trial)
    return Region(pieces, name)


def _inequality(value: Relation, trial: Trial) -> Region | None:
    """`a < x ≤ b`, `x > a`, `x ≠ a` where x stands alone, and what can be solved for it."""
    found = _plain_inequality(value, trial)
    if found is not None or any(op not in _FLIP and op != "!=" for op in value.ops):
        return found
    pieces: tuple[Piece, ...] = (LINE,)
    names: set[str] = set()
    for (left, right), op in zip(pairwise(value.terms), value.ops, strict=True):
        solved = inequalities.solve(left, op, right, trial)
        if solved is None:
            return None
        names.add(solved[0])
        pieces = intersect(pieces, solved[1], trial)
    return Region(pieces, names.pop()) if len(names) == 1 else None


def _plain_inequality(value: Relation, trial: Trial) -> Region | None:
    """One variable that stands alone or is linear; the ends may be any expressions."""
    terms, ops = value.terms, value.ops
    if ops == ("!=",):
        for first, other in ((terms[0], terms[1]), (terms[1], terms[0])):
            if isinstance(first, Sym) and first.name not in symbols(other):
                pieces = Piece(MINUS_INFINITY, other, False, False), Piece(other, INFINITY, False, False)
                return Region(pieces, first.name)
        return None
    if any(op not in _FLIP for op in ops):
        return None
    if len(terms) == 2:
        for place in (0, 1):
            variable, other = terms[place], terms[1 - place]
            if isinstance(variable, Sym) and variable.name not in symbols(other):
                if isinstance(other, Sym):
                    return None
                op = ops[0] if place == 0 else _FLIP[ops[0]]
                closed = op.endswith("=")
                if op[0] == "<":
                    return Region((Piece(MINUS_INFINITY, other, False, closed),), variable.name)
                return Region((Piece(other, INFINITY, closed, False),), variable.name)
        return _solved(ZERO, minus(terms[1], terms[0]), INFINITY, (ops[0], "<"), trial)
    if len(terms) == 3 and ops[0][0] == ops[1][0]:
        low, middle, high = terms
        if not isinstance(middle, Sym):
            return _solved(low, middle, high, ops, trial)
        if middle.name in symbols(low) | symbols(high):
            return None
        left, right = ops[0].endswith("="), ops[1].endswith("=")
        if ops[0][0] == ">":
            low, high, left, right = high, low, right, left
        left, right = left and not angles.infinite(low), right and not angles.infinite(high)
        return Region((Piece(low, high, left, right),), middle.name)
    return None


def _solved(low: Node, middle: Node, high: Node, ops: tuple[str, ...], trial: Trial) -> Region | None:
    """`low < a·x + b < high` solved for x; for a single inequality one end is infinite."""
    found = linear.in_one_symbol(middle, trial)
    if found is None or symbols(low) or symbols(high):
        return None
    name, factor, rest = found
    if ops[0][0] == ">":
        low, high, ops = high, low, (_FLIP[ops[1]], _FLIP[ops[0]])
        if low == INFINITY:
            low = MINUS_INFINITY
    ends: list[Node] = []
    for end in (low, high):
        turned = angles.infinite(end) * (1 if factor > 0 else -1)
        if turned:
            ends.append(INFINITY if turned > 0 else MINUS_INFINITY)
        else:
            ends.append(Mul((Num(1 / factor), minus(end, rest))))
    closed = [op.endswith("=") and not angles.infinite(end) for op, end in zip(ops, (low, high), strict=True)]
    if factor < 0:
        ends.reverse()
        closed.reverse()
    return Region((Piece(ends[0], ends[1], closed[0], closed[1]),), name)


def _builder(value: SetBuilder, trial: Trial) -> Region | None:
    element = value.element
    name: str | None = None
    within: Region | None = None
    match element:
        case Scalar(node=Sym(name=found)):
            name = found
        case Assignment(name=Sym(name=found), op="in", value=inner):
            name, within = found, _operand(inner, trial)
            if within is None:
                return None
        case _:
            return None
    condition = _operand(value.condition, trial)
    if condition is None or condition.variable not in (name, None):
        return None
    pieces = condition.pieces if within is None else intersect(condition.pieces, within.pieces, trial)
    return Region(pieces)


_MOST_WHOLE = 60
"""Whole numbers of a set that are listed."""


def listed(value: Value, trial: Trial) -> Value:
    """`{n ∈ ℤ : 1 ≤ n ≤ 3}` as the set of its members, where they are few; any other value as it is."""
    match value:
        case SetBuilder(Assignment(name=Sym(name=name), op="in", value=NamedSet("Z" | "N" as within, "")), condition):
            pass
        case _:
            return value
    try:
        found = _operand(condition, trial)
        pieces = None if found is None or found.variable != name else _wholes(tidy(found.pieces, trial))
    except Unordered:
        return value
    members: list[int] = []
    for low, high in pieces or ((None, None),):
        if low is None or high is None or high - low >= _MOST_WHOLE or (within == "N" and low < 1):
            return value
        members.extend(range(low, high + 1))
    return SetOf(tuple(Scalar(Num(Fraction(member))) for member in members))


# --------------------------------------------------------------------------- comparison


def compare(left: Region, right: Region, trial: Trial) -> Verdict:
    """Whether two sets of reals are the same."""
    proved = True
    try:
        one, two = tidy(left.pieces, trial), tidy(right.pieces, trial)
    except Unordered:
        proved = False
        one, two = left.pieces, right.pieces
    verdict = _pairwise(one, two, trial)
    fewer = len(one) < len(left.pieces) or len(two) < len(right.pieces)
    if fewer and isinstance(verdict, Equal) and any(_backwards(p, trial) for p in (*left.pieces, *right.pieces)):
        same = _pairwise(left.pieces, right.pieces, trial)
        return same if isinstance(same, Equal) else Undecided(UndecidedReason.NOT_PROVED, "ends in falling order")
    if isinstance(verdict, Different) and not proved and (len(one) > 1 or len(two) > 1):
        return Undecided(UndecidedReason.NOT_PROVED, "the order of the ends depends on a parameter")
    if isinstance(verdict, Different) and _for_whole_numbers(left, right) and _wholes(one) == _wholes(two) is not None:
        return Undecided(UndecidedReason.NOT_PROVED, "the same whole numbers")
    if isinstance(verdict, Equal) and left.variable and right.variable and left.variable != right.variable:
        return Undecided(UndecidedReason.NAMES_DIFFER, f"{left.variable} against {right.variable}")
    return verdict


def _backwards(piece: Piece, trial: Trial) -> bool:
    """Whether an interval ends where it should begin: `[5, -3]` is more likely a vector than the empty set."""
    return angles.order(piece.low, piece.high, trial) == 1 or (
        piece.low == piece.high and not (piece.low_closed and piece.high_closed)
    )


def _for_whole_numbers(left: Region, right: Region) -> bool:
    """Whether a variable was named that usually counts: `n < 3` and `n ≤ 2` may mean the same numbers."""
    return any(side.variable is not None and counting(side.variable) for side in (left, right))


def _wholes(pieces: tuple[Piece, ...]) -> list[tuple[int | None, int | None]] | None:
    """The whole numbers in the pieces, from first to last, None for an infinite end; None where an end is no number."""
    found: list[tuple[int | None, int | None]] = []
    for piece in pieces:
        ends: list[int | None] = []
        for end, closed, sign in ((piece.low, piece.low_closed, -1), (piece.high, piece.high_closed, 1)):
            if angles.infinite(end):
                ends.append(None)
            elif isinstance(end, Num):
                last = floor(sign * end.value)
                ends.append(sign * (last if closed or last != sign * end.value else last - 1))
            else:
                return None
        found.append((ends[0], ends[1]))
    return found


def _pairwise(one: tuple[Piece, ...], two: tuple[Piece, ...], trial: Trial) -> Verdict:
    if len(one) != len(two):
        return Different(Proof.EXACT, f"{len(one)} pieces against {len(two)}")
    unsure: Undecided | None = None
    for first, second in zip(one, two, strict=True):
        if (first.low_closed, first.high_closed) != (second.low_closed, second.high_closed):
            return Different(Proof.EXACT, "an end belongs to one and not to the other")
        for ends in ((first.low, second.low), (first.high, second.high)):
            verdict = numbers.compare(*ends, trial)
            if isinstance(verdict, Different):
                return Different(verdict.proof, f"ends: {verdict.evidence}")
            if isinstance(verdict, Undecided):
                unsure = unsure or verdict
    return unsure or Equal(Proof.EXACT, "the same pieces")

"""Sets of real numbers as disjoint pieces: intervals, unions, differences, inequalities, set-builders."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import angles, linear, numbers
from .trees import ZERO, minus, negated, symbols
from .trial import Trial
from .value import (
    Assignment,
    Compound,
    Const,
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

INFINITY = Const("oo")
MINUS_INFINITY = negated(INFINITY)
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Unordered(Exception):
    """Two ends whose order is not proved (a parameter, a limit)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """From low to high; a single point has equal, closed ends."""

    low: Node
    high: Node
    low_closed: bool
    high_closed: bool


LINE = Piece(MINUS_INFINITY, INFINITY, False, False)


@dataclass(frozen=True, slots=True)
class Region:
    """Pieces as read, and the variable that was named, if one was."""

    pieces: tuple[Piece, ...]
    variable: str | None = None


def point(node: Node) -> Piece:
    """A single number."""
    return Piece(node, node, True, True)


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
    """`a < x ≤ b`, `x > a`, `x ≠ a` in one variable that stands alone or is linear."""
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


# --------------------------------------------------------------------------- arithmetic of pieces


def order(left: Node, right: Node, trial: Trial) -> int:
    """The proved order of two ends."""
    found = angles.order(left, right, trial)
    if found is None:
        raise Unordered
    return found


def complement(pieces: tuple[Piece, ...], trial: Trial) -> tuple[Piece, ...]:
    """Everything else on the line."""
    rest: tuple[Piece, ...] = (LINE,)
    for piece in pieces:
        around: list[Piece] = []
        if not angles.infinite(piece.low):
            around.append(Piece(MINUS_INFINITY, piece.low, False, not piece.low_closed))
        if not angles.infinite(piece.high):
            around.append(Piece(piece.high, INFINITY, not piece.high_closed, False))
        rest = intersect(rest, tuple(around), trial)
    return rest


def intersect(left: tuple[Piece, ...], right: tuple[Piece, ...], trial: Trial) -> tuple[Piece, ...]:
    """Points in both."""
    found: list[Piece] = []
    for one in left:
        for two in right:
            piece = _meet(one, two, trial)
            if piece is not None:
                found.append(piece)
    return tuple(found)


def _meet(one: Piece, two: Piece, trial: Trial) -> Piece | None:
    lower, upper = order(one.low, two.low, trial), order(one.high, two.high, trial)
    low, low_closed = (one.low, one.low_closed) if lower > 0 else (two.low, two.low_closed)
    if lower == 0:
        low_closed = one.low_closed and two.low_closed
    high, high_closed = (one.high, one.high_closed) if upper < 0 else (two.high, two.high_closed)
    if upper == 0:
        high_closed = one.high_closed and two.high_closed
    piece = Piece(low, high, low_closed, high_closed)
    return None if _empty(piece, trial) else piece


def _empty(piece: Piece, trial: Trial) -> bool:
    width = order(piece.low, piece.high, trial)
    return width > 0 or (width == 0 and not (piece.low_closed and piece.high_closed))


def tidy(pieces: tuple[Piece, ...], trial: Trial) -> tuple[Piece, ...]:
    """Sorted, disjoint, maximal pieces.

    Raises:
        Unordered: the order of two ends is not proved.
    """
    todo = [piece for piece in pieces if not _empty(piece, trial)]
    done: list[Piece] = []
    while todo:
        first = todo[0]
        for piece in todo[1:]:
            low = order(piece.low, first.low, trial)
            if low < 0 or (low == 0 and piece.low_closed and not first.low_closed):
                first = piece
        todo.remove(first)
        if not done or not _touch(done[-1], first, trial):
            done.append(first)
            continue
        last = done[-1]
        high = order(first.high, last.high, trial)
        if high > 0:
            last = Piece(last.low, first.high, last.low_closed, first.high_closed)
        elif high == 0:
            last = Piece(last.low, last.high, last.low_closed, last.high_closed or first.high_closed)
        done[-1] = last
    return tuple(done)


def _touch(last: Piece, following: Piece, trial: Trial) -> bool:
    gap = order(following.low, last.high, trial)
    return gap < 0 or (gap == 0 and (following.low_closed or last.high_closed))


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
    if isinstance(verdict, Different) and not proved and (len(one) > 1 or len(two) > 1):
        return Undecided(UndecidedReason.NOT_PROVED, "the order of the ends depends on a parameter")
    if isinstance(verdict, Equal) and left.variable and right.variable and left.variable != right.variable:
        return Undecided(UndecidedReason.NAMES_DIFFER, f"{left.variable} against {right.variable}")
    return verdict


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

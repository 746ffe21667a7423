"""Arithmetic of pieces of the real line: what two have in common, what is left over, and their tidy union."""

from __future__ import annotations

from dataclasses import dataclass

from . import angles
from .trees import negated
from .trial import Trial
from .value import Const, Node

INFINITY = Const("oo")
MINUS_INFINITY = negated(INFINITY)


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


def point(node: Node) -> Piece:
    """A single number."""
    return Piece(node, node, True, True)


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

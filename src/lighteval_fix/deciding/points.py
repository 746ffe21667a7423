"""Refutation at exact points: two expressions whose enclosures do not meet at one point are different functions.

The points are rational, drawn from a seed made of the pair, so the same pair meets the same points everywhere. A
point counts only if both sides are real and defined there. Letters that usually count something (n, k, m, …) take
positive whole numbers only, because an expression in them may be meant for whole numbers alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .enclose import LOG_BASES, Unclear, apart, enclosure
from .trees import substitute, symbols, walk
from .trial import Limit, Trial, Undefined, Unsupported
from .value import BigOp, Call, Const, Node, Num

_COUNTING = frozenset("ijklmnpqrNMK")
POINTS = 16
_HALVES = (Fraction(1, 2), Fraction(3, 2), Fraction(5, 2), Fraction(1, 3), Fraction(7, 3), Fraction(2), Fraction(3))


@dataclass(frozen=True, slots=True)
class Refuted:
    """A point at which the two sides differ."""

    where: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """The number of points at which both sides are defined and their enclosures meet."""

    points: int


def counting(name: str) -> bool:
    """Whether the letter usually stands for a whole number."""
    return name.split("_")[0] in _COUNTING


def draw(names: list[str], trial: Trial) -> Iterator[dict[str, Fraction]]:
    """Points for these symbols: first easy positive ones, then of either sign, then larger."""
    source = random.Random(trial.seed)
    for round_number in range(POINTS):
        point: dict[str, Fraction] = {}
        for name in names:
            if counting(name):
                point[name] = Fraction(source.randint(1, 3 + 2 * round_number))
            elif round_number < 4:
                point[name] = source.choice(_HALVES) + Fraction(source.randint(0, 20), 97)
            elif round_number < 6:
                point[name] = Fraction(source.randint(1, 96), 97)
            elif round_number < 12:
                size = Fraction(source.randint(1, 400), 97)
                point[name] = size if source.random() < 0.4 else -size
            else:
                size = Fraction(source.randint(1, 60) ** 2, 31) + 4
                point[name] = size if source.random() < 0.7 else -size
        yield point


def refute(left: Node, right: Node, trial: Trial) -> Refuted | Agreed:
    """Look for a point at which the two differ.

    Raises:
        Unsupported: neither side can be evaluated with these functions.
    """
    names = sorted(symbols(left) | symbols(right))
    nodes = [*walk(left), *walk(right)]
    bare_log = any(isinstance(node, Call) and node.name == "log" and len(node.args) == 1 for node in nodes)
    real = Const("i") not in nodes
    met = 0
    written_out = any(isinstance(node, BigOp) for node in nodes)
    for point in draw(names, trial):
        one, two = (_at(side, point) for side in (left, right)) if written_out else (left, right)
        seen = [_differs(one, two, point, trial, real, base) for base in (LOG_BASES if bare_log else (10,))]
        if all(outcome is True for outcome in seen):
            shown = ", ".join(f"{name} = {value}" for name, value in point.items())
            return Refuted(shown)
        if any(outcome is False for outcome in seen):
            met += 1
    return Agreed(met)


def _at(node: Node, point: dict[str, Fraction]) -> Node:
    """The node at a point, so that a sum up to n has a bound."""
    return substitute(node, {name: Num(value) for name, value in point.items()})


def _differs(left: Node, right: Node, point: dict[str, Fraction], trial: Trial, real: bool, base: int) -> bool | None:
    """True and False as the enclosures are apart or meet; None where the point says nothing."""
    for bits in (96, 384):
        try:
            one = enclosure(left, bits, trial, point, real=real, log_base=base)
            two = enclosure(right, bits, trial, point, real=real, log_base=base)
        except Unclear:
            continue
        except (Undefined, Limit):
            if trial.work < 0:
                raise
            return None
        if apart(one, two):
            return True
    try:
        one = enclosure(left, 384, trial, point, real=real, log_base=base)
        two = enclosure(right, 384, trial, point, real=real, log_base=base)
    except (Unclear, Undefined, Limit):
        return None
    return apart(one, two)


__all__ = ["Agreed", "Refuted", "Unsupported", "counting", "draw", "refute"]

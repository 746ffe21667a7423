"""Inequalities in one real variable solved exactly: rational functions and absolute values of such.

`f(x) > 0` holds between the zeros and poles of f where its sign says so. The zeros are found by factoring over the
rationals; a factor whose real zeros have no plain form leaves the inequality unsolved.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from . import linear
from .field import Field
from .normal import normal
from .pieces import INFINITY, LINE, MINUS_INFINITY, Piece, complement, intersect, order, point
from .trees import MINUS_ONE, minus, rebuild, symbols, walk
from .trial import Limit, Trial, Undefined, Unsupported
from .value import Add, Call, Mul, Node, Num, Pow

Pieces: TypeAlias = tuple[Piece, ...]

_MOST_BARS = 4
"""Absolute values in one inequality; each doubles the cases."""
_MOST_DEGREE = 12
_MOST_BITS = 400
_TURNED = {"<": ">", "<=": ">=", ">": ">", ">=": ">=", "!=": "!=", "=": "="}


class Unsolved(Exception):
    """The zeros have no plain form, or the expression is none of those that are solved here."""


def solve(left: Node, op: str, right: Node, trial: Trial) -> tuple[str, Pieces] | None:
    """The variable and the reals for which `left op right` holds, or None where that is not found.

    Args:
        op: one of `<`, `<=`, `>`, `>=`, `!=`.

    Raises:
        Unordered: the order of two zeros is not proved.
    """
    names = symbols(left) | symbols(right)
    if len(names) != 1 or op not in _TURNED:
        return None
    (name,) = names
    difference = minus(right, left) if op[0] == "<" else minus(left, right)
    try:
        return name, _holds(difference, name, _TURNED[op], trial, 0)
    except (Unsolved, Unsupported, Undefined):
        return None


def _holds(node: Node, name: str, op: str, trial: Trial, bars: int) -> Pieces:
    """Where `node op 0`, one case for each sign of an absolute value."""
    trial.spend(20)
    inner = _bar(node, name)
    if inner is None:
        return _signs(node, name, op, trial)
    if bars >= _MOST_BARS:
        raise Unsolved
    found: list[Piece] = []
    for sign, case in ((1, ">="), (-1, ">")):
        argument = inner if sign > 0 else Mul((MINUS_ONE, inner))
        where = _holds(argument, name, case, trial, bars + 1)
        there = _holds(_without(node, inner, argument), name, op, trial, bars + 1)
        found.extend(intersect(where, there, trial))
    return tuple(found)


def _bar(node: Node, name: str) -> Node | None:
    """The argument of an innermost absolute value of something in the variable."""
    for part in walk(node):
        if isinstance(part, Call) and part.name == "abs" and len(part.args) == 1 and name in symbols(part):
            return _bar(part.args[0], name) or part.args[0]
    return None


def _without(node: Node, inner: Node, argument: Node) -> Node:
    if node == Call("abs", (inner,)):
        return argument
    return rebuild(node, lambda part: _without(part, inner, argument))


# --------------------------------------------------------------------------- rational functions


def _signs(node: Node, name: str, op: str, trial: Trial) -> Pieces:
    """Where a rational function is positive (`>`), not negative (`>=`), zero (`=`) or not zero (`!=`)."""
    zeros, lead, poles = _factored(node, name, trial)
    ends = sorted_ends([root for root, _ in zeros], trial)
    odd = {root for root, count in zeros if count % 2}
    positive = lead > 0
    found: list[Piece] = []
    high: Node = INFINITY
    for end in (*reversed(ends), MINUS_INFINITY):
        if (positive and op != "=") or (op == "!=" and lead):
            found.append(Piece(end, high, False, False))
        if end in odd:
            positive = not positive
        high = end
    if op in (">=", "="):
        found.extend(point(end) for end in ends)
        if not lead:
            found.append(LINE)
    return intersect(tuple(found), complement(tuple(point(pole) for pole in poles), trial), trial)


def sorted_ends(nodes: list[Node], trial: Trial) -> list[Node]:
    """Different zeros from left to right; raises `Unordered` where an order is not proved."""
    done: list[Node] = []
    for node in nodes:
        place = 0
        while place < len(done) and order(done[place], node, trial) < 0:
            place += 1
        done.insert(place, node)
    return done


def _factored(node: Node, name: str, trial: Trial) -> tuple[list[tuple[Node, int]], int, list[Node]]:
    """The real zeros of numerator times denominator with their multiplicities, the sign far to the right, the poles."""
    found = linear.in_one_symbol(node, trial)
    if found is not None:
        _, factor, rest = found
        poles = [root for base in _below(node, name) for root, _ in _zeros_of(base, name, trial)]
        return [(Mul((Num(-1 / factor), rest)), 1)], 1 if factor > 0 else -1, poles
    if any(isinstance(part, (Call, Pow)) and not _rational(part, name) for part in walk(node)):
        raise Unsolved
    field = Field(trial)
    form = normal(node, field)
    gen = field.gen("sym", name)
    over, lift = _polynomial(form.num, gen)
    under, sink = _polynomial(form.den, gen)
    product = [Fraction(0)] * (len(over) + len(under) - 1)
    for i, one in enumerate(over):
        for j, two in enumerate(under):
            product[i + j] += one * two
    if (lift - sink) % 2:
        product.insert(0, Fraction(0))
    poles = [root for base in _below(node, name) for root, _ in _zeros_of(base, name, trial)]
    if not any(product):
        return [], 0, poles
    return _zeros(product), 1 if product[-1] > 0 else -1, poles


def _rational(part: Node, name: str) -> bool:
    """Whether a power or function keeps the expression a rational function of the variable."""
    if name not in symbols(part):
        return True
    return isinstance(part, Pow) and isinstance(part.exp, Num) and part.exp.value.denominator == 1


def _below(node: Node, name: str) -> list[Node]:
    """Everything in the variable that stands below a fraction bar."""
    return [
        part.base
        for part in walk(node)
        if isinstance(part, Pow) and isinstance(part.exp, Num) and part.exp.value <= 0 and name in symbols(part.base)
    ]


def _zeros_of(node: Node, name: str, trial: Trial) -> list[tuple[Node, int]]:
    zeros, lead, _ = _factored(node, name, trial)
    if not lead:
        raise Unsolved
    return zeros


def _polynomial(poly: object, gen: int) -> tuple[list[Fraction], int]:
    """Coefficients from the lowest power up, and the power of the variable that was divided out."""
    assert isinstance(poly, dict)
    if not poly:
        return [Fraction(0)], 0
    terms: dict[int, Fraction] = {}
    for mono, coef in poly.items():
        power = 0
        for other, exponent in mono:
            if other != gen or Fraction(exponent).denominator != 1:
                raise Unsolved
            power = int(exponent)
        terms[power] = Fraction(coef)
    low = min(0, *terms)
    if max(terms) - low > _MOST_DEGREE:
        raise Unsolved
    return [terms.get(power, Fraction(0)) for power in range(low, max(terms) + 1)], low


def _zeros(coefficients: list[Fraction]) -> list[tuple[Node, int]]:
    """The real zeros of a polynomial with rational coefficients, each with its multiplicity."""
    import flint

    if any(c.numerator.bit_length() + c.denominator.bit_length() > _MOST_BITS for c in coefficients):
        raise Limit("digits")
    poly = flint.fmpq_poly([flint.fmpq(c.numerator, c.denominator) for c in coefficients])
    _, parts = poly.numer().factor()
    return [(root, int(count)) for part, count in parts for root in _roots([int(c) for c in part.coeffs()])]


def _roots(c: list[int]) -> list[Node]:
    """The real zeros of an irreducible factor of degree 1 or 2, or of the form a·xⁿ + b."""
    degree = len(c) - 1
    if degree == 0:
        return []
    if degree == 1:
        return [Num(Fraction(-c[0], c[1]))]
    if degree == 2:
        inside = c[1] * c[1] - 4 * c[0] * c[2]
        if inside < 0:
            return []
        middle, reach = Num(Fraction(-c[1], 2 * c[2])), Pow(Num(Fraction(inside)), Num(Fraction(1, 2)))
        return [Add((middle, Mul((Num(Fraction(sign, 2 * c[2])), reach)))) for sign in (1, -1)]
    if any(c[1:-1]):
        raise Unsolved
    inside_of = Fraction(-c[0], c[-1])
    if degree % 2 == 0 and inside_of < 0:
        return []
    root: Node = Pow(Num(abs(inside_of)), Num(Fraction(1, degree)))
    turned: Node = Mul((MINUS_ONE, root))
    if degree % 2 == 0:
        return [root, turned]
    return [root if inside_of > 0 else turned]

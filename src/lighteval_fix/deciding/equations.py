"""Equations and inequalities in several variables, compared as conditions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from .enclose import Unclear, enclosure
from .field import Field, Poly
from .normal import cleared, normal, proportional
from .trees import minus, renamed, renamings, symbols, walk
from .trial import Limit, Trial, Undefined, Unsupported, gave_up
from .value import BigOp, Call, Node, Relation, Sym

_NOT_PROVED = Undecided(UndecidedReason.NOT_PROVED)
_STEPS = 60


def is_equation(value: Relation) -> bool:
    """One equals sign."""
    return value.ops == ("=",)


def difference_of(value: Relation) -> Node:
    """Left minus right."""
    return minus(value.terms[0], value.terms[1])


def compare(left: Relation, right: Relation, trial: Trial) -> Verdict:
    """Equations are equal up to a constant factor that is not zero."""
    one, two = difference_of(left), difference_of(right)
    try:
        ratio, scaled = _factor(one, two, trial)
    except (Unsupported, Undefined) as why:
        return Undecided(UndecidedReason.UNSUPPORTED, str(why))
    except Limit as limit:
        return gave_up(limit)
    if ratio is not None and ratio != 0:
        trial.note("equation", "equal", f"one is {ratio} times the other")
        return Equal(Proof.NORMAL_FORM, f"one is {ratio} times the other")
    if scaled:
        return Undecided(UndecidedReason.NOT_PROVED, "one is the other times an expression")
    if _same_but_for_names(one, two, trial):
        return Undecided(UndecidedReason.NAMES_DIFFER)
    witness = separating(one, two, trial)
    if witness is not None:
        trial.note("equation", "different", witness)
        return Different(Proof.REFUTED, witness)
    return _NOT_PROVED


def factor(left: Relation, right: Relation, trial: Trial) -> Fraction | None:
    """The constant k with left - right of the one = k times that of the other, if it is found."""
    try:
        return _factor(difference_of(left), difference_of(right), trial)[0]
    except (Unsupported, Undefined, Limit):
        return None


def _same_but_for_names(one: Node, two: Node, trial: Trial) -> bool:
    """Whether some renaming of symbols makes one equation the other."""
    for names in renamings(symbols(one), symbols(two)):
        ratio, scaled = _factor(renamed(one, names), two, trial)
        if ratio or scaled:
            return True
    return False


def _factor(one: Node, two: Node, trial: Trial) -> tuple[Fraction | None, bool]:
    """The constant factor; and whether the two agree up to a factor in symbols."""
    field = Field(trial)
    first, second = normal(one, field), normal(two, field)
    ratio = proportional(field.poly_mul(first.num, second.den), field.poly_mul(second.num, first.den))
    if ratio is not None:
        return Fraction(ratio), False
    return None, proportional(*_primitive(cleared(first, field), cleared(second, field))) is not None


def _primitive(one: Poly, two: Poly) -> tuple[Poly, Poly]:
    """Both without their common monomial."""
    return _without_monomial(one), _without_monomial(two)


def _without_monomial(poly: Poly) -> Poly:
    lowest: dict[int, Any] = {}
    for gen in {g for mono in poly for g, _ in mono}:
        lowest[gen] = min(dict(mono).get(gen, 0) for mono in poly)
    rest: Poly = {}
    for mono, coef in poly.items():
        kept = tuple((g, e - lowest[g]) for g, e in mono if e != lowest[g])
        rest[kept] = coef
    return rest


def solves_to(equation: Relation, node: Node, trial: Trial) -> Verdict:
    """Equal where the equation says `symbol = node` and can be solved for that symbol only by a constant factor.

    An equation that is linear in several symbols could stand for several expressions, which differ; so there the
    question stays open.
    """
    whole = difference_of(equation)
    for name in sorted(symbols(whole) - symbols(node)):
        try:
            ratio, scaled = _factor(whole, minus(Sym(name), node), trial)
            if ratio and _linear(whole, trial) == {name}:
                return Equal(Proof.NORMAL_FORM, f"the equation solved for {name}")
        except (Unsupported, Undefined, Limit):
            return _NOT_PROVED
        if ratio or scaled:
            return Undecided(UndecidedReason.NAMES_DIFFER, f"the equation solved for {name}")
    return _NOT_PROVED


def _linear(node: Node, trial: Trial) -> set[str]:
    """Symbols that occur in one term only, alone and to the first power; so the equation says what each of them is."""
    field = Field(trial)
    poly = cleared(normal(node, field), field)
    found: set[str] = set()
    for name in symbols(node):
        gen = field.gen("sym", name)
        inside = [mono for mono in poly if any(_mentions(field, other, name) for other, _ in mono)]
        if inside == [((gen, 1),)]:
            found.add(name)
    return found


def _mentions(field: Field, gen: int, name: str) -> bool:
    """Whether a generator is the symbol, or may be built from it."""
    return field.keys[gen] == ("sym", name) or field.kind(gen) not in ("sym", "prime", "pi", "i", "lnprime")


# --------------------------------------------------------------------------- separating points


def separating(one: Node, two: Node, trial: Trial) -> str | None:
    """A point that provably solves one equation and not the other."""
    names = sorted(symbols(one) | symbols(two))
    if not symbols(one) or not symbols(two) or len(names) > 8 or not (_smooth(one) and _smooth(two)):
        return None
    for first, second in ((one, two), (two, one)):
        for point, name in _lines(first, names, trial):
            try:
                root = _root(first, name, point, trial)
                if root is None:
                    continue
                value = enclosure(second, 200, trial, {**point, name: root}, real=True)
            except (Unclear, Undefined, Unsupported):
                continue
            except Limit:
                if trial.work < 0:
                    raise
                continue
            if not value.contains(0):
                shown = ", ".join(f"{symbol} = {number}" for symbol, number in point.items())
                return f"a solution of one with {shown or name} does not solve the other"
    return None


def _smooth(node: Node) -> bool:
    """Whether an enclosure that is finite over a range also proves continuity there."""
    broken = {"floor", "ceil", "sgn", "mod", "arg", "gcd", "lcm"}
    return not any(isinstance(part, BigOp) or (isinstance(part, Call) and part.name in broken) for part in walk(node))


def _lines(node: Node, names: list[str], trial: Trial) -> Iterator[tuple[dict[str, Fraction], str]]:
    """Axis-parallel lines: all symbols fixed but one of the equation's own."""
    source = random.Random(trial.seed)
    inside = sorted(symbols(node))
    for round_number in range(10):
        name = inside[round_number % len(inside)]
        spread = 3 if round_number < 4 else 12
        point = {other: Fraction(source.randint(-spread, spread)) for other in names if other != name}
        yield point, name


def _root(node: Node, name: str, point: dict[str, Fraction], trial: Trial) -> Any:
    """A narrow ball around a real root along the line: a sign change over a range on which all is continuous."""

    def sign(at: Fraction) -> int:
        ball = enclosure(node, 200, trial, {**point, name: at}, real=True)
        if not ball.imag.is_zero():
            raise Undefined("complex")
        if ball.is_zero():
            return 0
        return 1 if ball.real > 0 else -1 if ball.real < 0 else 2

    grid = [Fraction(n) for n in (0, 1, -1, 2, -2, 3, -3, 5, -5, 8, -8, 13, -13, 34, -34)]
    seen: list[tuple[Fraction, int]] = []
    for at in grid:
        try:
            found = sign(at)
        except (Undefined, Unclear):
            continue
        if found == 0:
            return at
        if found != 2:
            seen.append((at, found))
    seen.sort()
    for (low, below), (high, above) in pairwise(seen):
        if below != above:
            return _bisect(node, name, point, trial, low, high, below, sign)
    return None


def _dyadic(value: Fraction) -> Any:
    """A fraction over a power of two, exactly, whatever the precision in force."""
    import flint

    return flint.arb((value.numerator, 1 - value.denominator.bit_length()))


def _bisect(
    node: Node,
    name: str,
    point: dict[str, Fraction],
    trial: Trial,
    low: Fraction,
    high: Fraction,
    below: int,
    sign: Any,
) -> Any:
    import flint

    for _ in range(_STEPS):
        middle = (low + high) / 2
        found = sign(middle)
        if found == 0:
            return middle
        if found == 2:
            return None
        if found == below:
            low = middle
        else:
            high = middle
    half = (high - low) / 2
    ball = flint.acb(flint.arb(_dyadic(low + half), _dyadic(half)))
    try:
        enclosure(node, 200, trial, {**point, name: ball}, real=True)
    except Unclear:
        return None
    return ball

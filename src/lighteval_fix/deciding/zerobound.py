"""When is a small algebraic number exactly zero? A constructive root bound answers.

An expression in rationals, roots, i and trigonometric functions of rational multiples of π is written as U/L with
algebraic integers U and L of one number field. If every conjugate of U is at most u in size, then U is zero or its
norm, a non-zero integer, forces |U| ≥ u^(1-D), where D bounds the degree of the field; so |U/L| ≥ 1/(u^(D-1)·l).
The rules for u and l under +, ·, / and roots follow Burnikel, Funke, Mehlhorn, Schirra and Schmitt, "A separation
bound for real algebraic expressions" (Algorithmica 55, 2009). All sizes are binary logarithms, rounded up.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from .enclose import Unclear, enclosure
from .exact import bounds
from .trees import substitute
from .trial import Limit, Trial, Unsupported
from .value import Add, BigOp, Call, Const, Mul, Node, Num, Pow

MAX_DEGREE = 1_024
MAX_BITS = 60_000
_SLACK = 1e-6


class Bound:
    """Collects the degree of the field while sizes are computed."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.roots: dict[Node, int] = {}
        self.order = 1
        """The field holds a root of unity of this order."""

    def degree(self) -> int:
        """A bound for the degree of the field."""
        total = _phi(self.order)
        for degree in self.roots.values():
            total *= degree
            if total > MAX_DEGREE:
                raise Limit("degree")
        return total

    def sizes(self, node: Node) -> tuple[float, float]:
        """log2 of u and l."""
        self.trial.spend(1)
        match node:
            case Num():
                return _log2(node.value.numerator), _log2(node.value.denominator)
            case Const(name="i"):
                self.order = lcm(self.order, 4)
                return 0.0, 0.0
            case Add():
                total: tuple[float, float] | None = None
                for part in node.args:
                    size = self.sizes(part)
                    total = size if total is None else _plus(total, size)
                return total or (0.0, 0.0)
            case Mul():
                upper = lower = 0.0
                for part in node.args:
                    u, l = self.sizes(part)
                    upper, lower = upper + u, lower + l
                return upper + _SLACK, lower + _SLACK
            case Pow(base, Num(value=exponent)):
                return self._power(base, exponent)
            case Call(name="sqrt", args=(only,)):
                return self._power(only, Fraction(1, 2))
            case Call(name="root", args=(only, Num(value=count))) if count.denominator == 1 and count > 0:
                return self._power(only, 1 / count)
            case Call(name="sin" | "cos" | "tan" | "cot" | "sec" | "csc", args=(angle,)):
                return self._trig(node.name, angle)
            case BigOp():
                return self._big(node)
            case _:
                raise Unsupported("not algebraic")

    def _power(self, base: Node, exponent: Fraction) -> tuple[float, float]:
        upper, lower = self.sizes(base)
        degree = exponent.denominator
        if degree > 1:
            self.roots[Pow(base, Num(Fraction(1, degree)))] = degree
            if degree > MAX_DEGREE:
                raise Limit("degree")
            if upper >= lower:
                upper = (upper + (degree - 1) * lower) / degree
            else:
                lower = ((degree - 1) * upper + lower) / degree
        count = exponent.numerator
        if count < 0:
            upper, lower, count = lower, upper, -count
        return upper * count + _SLACK, lower * count + _SLACK

    def _trig(self, name: str, angle: Node) -> tuple[float, float]:
        turns = pi_multiple(angle)
        if turns is None:
            raise Unsupported("not algebraic")
        self.order = lcm(self.order, 4, 2 * turns.denominator)
        if name in ("sin", "cos"):
            return 1.0, 1.0
        if name in ("sec", "csc"):
            return 1.0, 1.0
        return 2.0 + _SLACK, 2.0 + _SLACK

    def _big(self, node: BigOp) -> tuple[float, float]:
        steps = bounds(node, self.trial)
        if steps is None:
            raise Unsupported("not algebraic")
        parts = tuple(substitute(node.body, {node.var: Num(Fraction(index))}) for index in steps)
        if not parts:
            return 0.0, 0.0
        return self.sizes(Add(parts) if node.kind == "sum" else Mul(parts))


def _log2(value: int) -> float:
    """log2 of an integer's size, rounded up; of 0 and 1 it is 0."""
    size = abs(value)
    return 0.0 if size <= 1 else float(size.bit_length())


def _plus(left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    (u1, l1), (u2, l2) = left, right
    return max(u1 + l2, u2 + l1) + 1 + _SLACK, l1 + l2 + _SLACK


def _phi(order: int) -> int:
    count, rest, prime = order, order, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            count -= count // prime
            while rest % prime == 0:
                rest //= prime
        prime += 1
    if rest > 1:
        count -= count // rest
    return count


def pi_multiple(node: Node) -> Fraction | None:
    """r where the node is r·π, written as a product or a sum of such."""
    match node:
        case Const(name="pi"):
            return Fraction(1)
        case Num(value=value) if value == 0:
            return Fraction(0)
        case Mul():
            factor, found = Fraction(1), 0
            for part in node.args:
                if isinstance(part, Num):
                    factor *= part.value
                elif isinstance(part, Pow) and isinstance(part.base, Num) and part.exp == Num(Fraction(-1)):
                    if part.base.value == 0:
                        return None
                    factor /= part.base.value
                else:
                    inner = pi_multiple(part)
                    if inner is None:
                        return None
                    factor *= inner
                    found += 1
            return factor if found == 1 else None
        case Add():
            total = Fraction(0)
            for part in node.args:
                inner = pi_multiple(part)
                if inner is None:
                    return None
                total += inner
            return total
        case _:
            return None


def is_zero(node: Node, trial: Trial) -> bool | None:
    """Whether an algebraic constant is exactly zero: True and False are proved, None is not known.

    Raises:
        Unsupported: not an algebraic constant. Limit: the bound is out of reach.
    """
    bound = Bound(trial)
    upper, lower = bound.sizes(node)
    degree = bound.degree()
    needed = int((degree - 1) * upper + lower) + 2
    if needed > MAX_BITS:
        raise Limit("root bound")
    bits = 128
    while True:
        try:
            ball = enclosure(node, bits, trial)
        except Unclear:
            ball = None
        if ball is not None:
            if not ball.contains(0):
                return False
            if _below(ball, needed):
                return True
        if bits > 2 * needed + 512:
            return None
        bits = min(bits * 4, needed + 256) if bits < needed + 256 else bits * 2


def _below(ball: object, bits: int) -> bool:
    """Whether every point of the ball is smaller than 2^-bits in size."""
    import flint

    limit = flint.arb(2) ** (-bits)
    return bool(ball.abs_upper() < limit)  # type: ignore[attr-defined]

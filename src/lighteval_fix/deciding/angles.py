"""Facts about single constants that need numbers to find and exact arithmetic to prove: signs, floors, angles."""

from __future__ import annotations

from fractions import Fraction

from .enclose import Unclear, enclosure
from .trees import MINUS_ONE, minus, symbols, walk
from .trial import Limit, Trial, Undefined, Unsupported
from .value import Add, BigOp, Call, Const, Mul, Node, Num, Pow
from .zerobound import is_zero

_INVERSE_OF = {"arcsin": "sin", "arccos": "cos", "arctan": "tan"}
_MOST_PARTS = 240
"""Largest denominator of an angle, in parts of π, that is looked for."""


def sign(node: Node, trial: Trial) -> int | None:
    """The sign of a real constant: -1, 0 or 1, or None where it is not proved."""
    if isinstance(node, Num):
        return (node.value > 0) - (node.value < 0)
    if symbols(node):
        return None
    for bits in (64, 256, 1024):
        try:
            ball = enclosure(node, bits, trial)
        except Unclear:
            continue
        except (Unsupported, Undefined, Limit):
            return None
        if not ball.imag.is_zero():
            return None
        if ball.real > 0:
            return 1
        if ball.real < 0:
            return -1
    try:
        return 0 if is_zero(node, trial) else None
    except (Unsupported, Undefined, Limit):
        return None


def order(left: Node, right: Node, trial: Trial) -> int | None:
    """-1, 0 or 1 as left is below, equal to or above right; infinite ends included; None where not proved."""
    low, high = infinite(left), infinite(right)
    if low or high:
        return (low > high) - (low < high)
    if isinstance(left, Num) and isinstance(right, Num):
        return (left.value > right.value) - (left.value < right.value)
    return sign(minus(left, right), trial)


def infinite(node: Node) -> int:
    """1 for infinity, -1 for its negative, 0 for anything else."""
    if node == Const("oo"):
        return 1
    match node:
        case Mul(args=(Num(value=value), Const(name="oo"))) if value != 0:
            return 1 if value > 0 else -1
        case Mul(args=(Const(name="oo"), Num(value=value))) if value != 0:
            return 1 if value > 0 else -1
        case Add(args=(only,)) | Mul(args=(only,)):
            return infinite(only)
        case _:
            return 0


def whole_part(node: Node, trial: Trial) -> Fraction | None:
    """Floor or ceiling of a real constant, where an enclosure shows it or the argument is provably whole."""
    assert isinstance(node, Call)
    for bits in (64, 256, 1024):
        try:
            ball = enclosure(node, bits, trial)
        except Unclear:
            continue
        except (Unsupported, Undefined, Limit):
            return None
        found = ball.real.unique_fmpz()
        if found is not None:
            return Fraction(int(found))
    inner = node.args[0]
    try:
        found = enclosure(inner, 256, trial).real.unique_fmpz()
        if found is not None and is_zero(minus(inner, Num(Fraction(int(found)))), trial):
            return Fraction(int(found))
    except (Unclear, Unsupported, Undefined, Limit):
        return None
    return None


def recognise(node: Node, trial: Trial) -> Fraction | None:
    """r where arcsin, arccos or arctan of an algebraic constant, or the argument of one, is provably r·π."""
    if not isinstance(node, Call) or node.name not in (*_INVERSE_OF, "arg") or len(node.args) != 1:
        return None
    try:
        ball = enclosure(Mul((node, _over_pi())), 128, trial)
    except (Unclear, Unsupported, Undefined, Limit):
        return None
    if not ball.imag.is_zero():
        return None
    turns = _simple_fraction(ball.real)
    if turns is None:
        return None
    angle = Mul((Num(turns), Const("pi")))
    shown = node.args[0]
    if node.name == "arg":
        mirror = _mirrored(shown, trial)
        if mirror is None:
            return None
        turned = Add((Call("cos", (angle,)), Mul((Const("i"), Call("sin", (angle,))))))
        claim = minus(shown, Mul((Pow(Mul((shown, mirror)), Num(Fraction(1, 2))), turned)))
    else:
        claim = minus(Call(_INVERSE_OF[node.name], (angle,)), shown)
    try:
        # the ball around r places the angle on the right branch
        return turns if is_zero(claim, trial) else None
    except (Unsupported, Undefined, Limit):
        return None


def _mirrored(node: Node, trial: Trial) -> Node | None:
    """The complex conjugate of a constant that is made of reals and i by rational operations."""
    match node:
        case Const(name="i"):
            return Mul((MINUS_ONE, node))
        case Num() | Const():
            return node
        case Add(args=args) | Mul(args=args):
            parts = [_mirrored(part, trial) for part in args]
            found = tuple(part for part in parts if part is not None)
            return type(node)(found) if len(found) == len(args) else None
        case Pow(base=base, exp=Num(value=value) as power) if value.denominator == 1:
            turned = _mirrored(base, trial)
            return None if turned is None else Pow(turned, power)
        case _:
            return node if sign(node, trial) is not None else None


def _over_pi() -> Node:
    return Pow(Const("pi"), Num(Fraction(-1)))


def _simple_fraction(ball: object) -> Fraction | None:
    """The one fraction with a small denominator next to the middle of a narrow real ball; whether it is meant is
    proved by whoever asks."""
    middle = ball.mid()  # type: ignore[attr-defined]
    mantissa, exponent = middle.man_exp()
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    found = value.limit_denominator(_MOST_PARTS)
    return found if abs(found - value) < Fraction(1, 2**100) else None


def has_value(node: Node, trial: Trial) -> bool:
    """Whether the constant provably has a value, so that no zero stood below a fraction bar."""
    for bits in (64, 256, 1024):
        try:
            enclosure(node, bits, trial)
            return True
        except Unclear:
            continue
        except Undefined:
            return False
        except Unsupported:
            return not any(isinstance(part, BigOp) for part in walk(node))
        except Limit:
            if trial.work < 0:
                raise
            return True
    return False

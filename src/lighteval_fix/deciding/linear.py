"""Linear expressions: in one symbol (an inequality is solved for it), and in logarithms or angles."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from . import angles
from .enclose import Unclear, enclosure
from .field import ONE, Field
from .normal import normal
from .trees import MINUS_ONE, minus, substitute, symbols
from .trees import ONE as ONE_NODE
from .trees import ZERO as NOTHING
from .trial import Limit, Trial, Undefined, Unsupported
from .value import Add, Call, Const, Mul, Node, Num, Pow
from .zerobound import is_zero

_MOST = 200
"""Largest exponent in a product of powers."""


def in_one_symbol(node: Node, trial: Trial) -> tuple[str, Fraction, Node] | None:
    """(x, a, b) where the node is a·x + b with a rational a that is not zero and b free of symbols."""
    names = symbols(node)
    if len(names) != 1:
        return None
    (name,) = names
    try:
        field = Field(trial)
        form = normal(node, field)
        gen = field.gen("sym", name)
    except (Unsupported, Limit, Undefined):
        return None
    factor = form.num.get(((gen, 1),))
    if form.den != ONE or not factor:
        return None
    plain = {"prime", "pi", "lnprime", "i"}
    for mono in form.num:
        if mono != ((gen, 1),) and any(field.kind(other) not in plain for other, _ in mono):
            return None
    return name, Fraction(factor), substitute(node, {name: NOTHING})


def parts_cancel(difference: Node, trial: Trial) -> bool | None:
    """Whether a rational combination of logarithms, or of inverse trigonometric values and π, is exactly zero.

    Logarithms of positive numbers a, b, … cancel if and only if a product of their powers is 1. Angles α, β, … that
    add up to less than a turn cancel if and only if the product of the e^(iα), … is 1. Either product is algebraic
    where the arguments are, so a root bound decides. None where the expression is no such combination.
    """
    terms: dict[Node, Fraction] = {}
    if not _collect(difference, Fraction(1), terms) or not terms:
        return None
    scale = lcm(*(factor.denominator for factor in terms.values()))
    if any(abs(factor * scale) > _MOST for factor in terms.values()):
        return None
    logs = [node for node in terms if isinstance(node, Call) and node.name == "ln"]
    if logs and len(logs) < len(terms):
        return None
    try:
        if logs:
            return _logs_cancel(terms, scale, trial)
        return _angles_cancel(terms, scale, trial)
    except (Unsupported, Limit, Undefined, Unclear):
        return None


def _logs_cancel(terms: dict[Node, Fraction], scale: int, trial: Trial) -> bool | None:
    factors: list[Node] = []
    for node, factor in terms.items():
        assert isinstance(node, Call)
        if angles.sign(node.args[0], trial) != 1:
            return None
        factors.append(Pow(node.args[0], Num(factor * scale)))
    return is_zero(Add((Mul(tuple(factors)), MINUS_ONE)), trial)


def _angles_cancel(terms: dict[Node, Fraction], scale: int, trial: Trial) -> bool | None:
    total = Add(tuple(Mul((Num(factor * scale), node)) for node, factor in terms.items()))
    ball = enclosure(total, 128, trial)
    if not ball.imag.is_zero() or not abs(ball.real) < 1:
        return None
    factors: list[Node] = []
    for node, factor in terms.items():
        exponent = factor * scale
        if node == Const("pi"):
            if exponent.numerator % 2:
                factors.append(MINUS_ONE)
            continue
        assert isinstance(node, Call)
        factors.append(Pow(_turned(node.name, node.args[0]), Num(exponent)))
    return is_zero(Add((Mul(tuple(factors)), MINUS_ONE)), trial)


def _turned(name: str, argument: Node) -> Node:
    """e^(i·angle) for the angle whose sine, cosine or tangent is the argument."""
    i = Const("i")
    square = Pow(argument, Num(Fraction(2)))
    if name == "arctan":
        size = Pow(Add((ONE_NODE, square)), Num(Fraction(-1, 2)))
        return Mul((Add((ONE_NODE, Mul((i, argument)))), size))
    other = Pow(minus(ONE_NODE, square), Num(Fraction(1, 2)))
    if name == "arcsin":
        return Add((other, Mul((i, argument))))
    return Add((argument, Mul((i, other))))


def _collect(node: Node, factor: Fraction, terms: dict[Node, Fraction]) -> bool:
    match node:
        case Num(value=value):
            return value == 0
        case Add():
            return all(_collect(part, factor, terms) for part in node.args)
        case Mul():
            rest = [part for part in node.args if not isinstance(part, Num)]
            for part in node.args:
                if isinstance(part, Num):
                    factor *= part.value
            return len(rest) == 1 and _collect(rest[0], factor, terms)
        case Const(name="pi") | Call(name="ln" | "arcsin" | "arccos" | "arctan", args=(_,)):
            terms[node] = terms.get(node, Fraction(0)) + factor
            return True
        case _:
            return False

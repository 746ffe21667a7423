"""Linear expressions: in one symbol (an inequality is solved for it), and in logarithms (their product is 1)."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from . import angles
from .field import ONE, Field
from .normal import normal
from .trees import MINUS_ONE, substitute, symbols
from .trees import ZERO as NOTHING
from .trial import Limit, Trial, Undefined, Unsupported
from .value import Add, Call, Mul, Node, Num, Pow
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


def logarithms_cancel(difference: Node, trial: Trial) -> bool | None:
    """Whether a rational combination of logarithms of positive algebraic numbers is zero: then and only then the
    product of their powers is 1. None where the expression is no such combination."""
    terms: dict[Node, Fraction] = {}
    if not _collect(difference, Fraction(1), terms) or not terms:
        return None
    scale = lcm(*(factor.denominator for factor in terms.values()))
    factors: list[Node] = []
    for argument, factor in terms.items():
        exponent = factor * scale
        if abs(exponent) > _MOST or angles.sign(argument, trial) != 1:
            return None
        factors.append(Pow(argument, Num(exponent)))
    try:
        return is_zero(Add((Mul(tuple(factors)), MINUS_ONE)), trial)
    except (Unsupported, Limit, Undefined):
        return None


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
        case Call(name="ln", args=(argument,)):
            terms[argument] = terms.get(argument, Fraction(0)) + factor
            return True
        case _:
            return False

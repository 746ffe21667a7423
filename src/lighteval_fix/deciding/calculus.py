"""Identities between inverse trigonometric functions: equal derivatives, and equal values at one point.

Used only where that is a proof: one symbol, and every root and inverse function of it taken of a linear expression or
the square root of one, so that both sides are smooth on one interval and continuous up to its ends.
"""

from __future__ import annotations

from fractions import Fraction

from . import angles
from .field import Field
from .normal import normal
from .points import draw
from .trees import MINUS_ONE, ONE, ZERO, minus, substitute, symbols, walk
from .trial import Limit, Trial, Undefined, Unsupported
from .value import Add, Call, Mul, Node, Num, Pow, Sym

_INVERSE = frozenset(("arcsin", "arccos", "arctan"))


def constant_difference(left: Node, right: Node, trial: Trial) -> bool:
    """Whether left - right has derivative zero on one interval and is exactly zero at a point of it."""
    names = symbols(left) | symbols(right)
    both = (*walk(left), *walk(right))
    if len(names) != 1 or not any(isinstance(node, Call) and node.name in _INVERSE for node in both):
        return False
    (name,) = names
    if not all(_tame(node, name) for node in both):
        return False
    difference = minus(left, right)
    try:
        slope = derivative(difference, name)
        field = Field(trial, positive=True)
        rising = normal(slope, field)
        field_below = Field(trial, positive=True)
        falling = normal(substitute(slope, {name: Mul((MINUS_ONE, Sym(name)))}), field_below)
        if field.settle(rising.num) or field_below.settle(falling.num):
            return False
    except Undefined:
        pass
    except (Unsupported, Limit):
        return False
    return any(_vanishes(difference, name, value, trial) for value in _values(name, trial))


def _values(name: str, trial: Trial) -> list[Fraction]:
    drawn = [point[name] for point in draw([name], trial)]
    return [Fraction(1, 2), Fraction(0), Fraction(1), Fraction(-1, 2), *drawn[:3]]


def _vanishes(difference: Node, name: str, value: Fraction, trial: Trial) -> bool:
    at = substitute(difference, {name: Num(value)})
    try:
        field = Field(trial)
        form = normal(at, field)
        return not field.settle(form.num) and angles.has_value(at, trial)
    except (Unsupported, Undefined, Limit):
        return False


def _tame(node: Node, name: str) -> bool:
    """Whether the node keeps the domain one interval."""
    if name not in symbols(node):
        return True
    match node:
        case Sym() | Add() | Mul():
            return True
        case Pow(base, Num(value=exponent)):
            whole = exponent.denominator == 1 and exponent > 0
            return whole or (exponent == Fraction(1, 2) and _linear(base, name))
        case Call(name=function, args=(only,)) if function in _INVERSE:
            match only:
                case Pow(base, Num(value=exponent)) if exponent == Fraction(1, 2):
                    return _linear(base, name)
                case _:
                    return _linear(only, name)
        case _:
            return False


def _linear(node: Node, name: str) -> bool:
    match node:
        case Sym():
            return True
        case Add():
            return all(_linear(part, name) or name not in symbols(part) for part in node.args)
        case Mul():
            inside = [part for part in node.args if name in symbols(part)]
            return len(inside) == 1 and _linear(inside[0], name)
        case _:
            return False


def derivative(node: Node, name: str) -> Node:
    """The derivative, for sums, products, powers with a number as exponent, and inverse functions."""
    if name not in symbols(node):
        return ZERO
    match node:
        case Sym():
            return ONE
        case Add():
            return Add(tuple(derivative(part, name) for part in node.args))
        case Mul():
            terms: list[Node] = []
            for place, part in enumerate(node.args):
                rest = node.args[:place] + node.args[place + 1 :]
                terms.append(Mul((derivative(part, name), *rest)))
            return Add(tuple(terms))
        case Pow(base, Num(value=exponent)):
            lowered = Pow(base, Num(exponent - 1)) if exponent != 1 else ONE
            return Mul((Num(exponent), lowered, derivative(base, name)))
        case Call(name=function, args=(only,)) if function in _INVERSE:
            square = Pow(only, Num(Fraction(2)))
            inner = derivative(only, name)
            if function == "arctan":
                return Mul((inner, Pow(Add((ONE, square)), MINUS_ONE)))
            sign = ONE if function == "arcsin" else MINUS_ONE
            return Mul((sign, inner, Pow(minus(ONE, square), Num(Fraction(-1, 2)))))
        case _:
            raise Unsupported("derivative")

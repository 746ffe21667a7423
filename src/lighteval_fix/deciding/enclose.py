"""Rigorous numeric enclosures: balls that surely contain the value. Two that do not meet prove a difference.

python-flint keeps its working precision in one place for the whole process, so every evaluation holds a lock; the
lock is made anew after a fork.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from .balls import RECIPROCAL, Ball, Balls, Unclear
from .exact import bounds
from .trees import substitute
from .trial import Trial, Undefined, Unsupported
from .value import Add, BigOp, Call, Const, Mul, Node, Num, PlusMinus, Pow, Sym

Env: TypeAlias = Mapping[str, Fraction | Any]

LOG_BASES = (10, 3, 0)
"""Bases at which a logarithm without one is tried: what differs at each differs whichever was meant (0 is e)."""
_lock = threading.RLock()


def _renew() -> None:
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


class Evaluator(Balls):
    """Evaluates at one precision.

    Args:
        bits: working precision.
        env: values of the symbols.
        real: a symbol stands for a real number, and what leaves the reals is undefined.
        log_base: base of a logarithm without one; 0 is e.
    """

    def __init__(self, bits: int, trial: Trial, env: Env, *, real: bool, log_base: int = 10) -> None:
        super().__init__(real=real, log_base=log_base)
        self.bits = bits
        self.trial = trial
        self.env = env

    def value(self, node: Node) -> Ball:
        """The ball of a node."""
        self.trial.spend(1)
        match node:
            case Num():
                return self.rational(node.value)
            case Sym():
                found = self.env.get(node.name)
                if found is None:
                    raise Unsupported(node.name)
                return self.rational(found) if isinstance(found, Fraction) else found
            case Const():
                return self._constant(node.name)
            case Add():
                total = self.zero
                for part in node.args:
                    total = total + self.value(part)
                return total
            case Mul():
                product = self.flint.acb(1)
                for part in node.args:
                    product = product * self.value(part)
                return product
            case Pow():
                return self._power(node)
            case Call():
                return self._call(node)
            case BigOp():
                return self._big(node)
            case PlusMinus():
                raise Unsupported("±")

    def _constant(self, name: str) -> Ball:
        match name:
            case "pi":
                return self.flint.acb.pi()
            case "e":
                return self.flint.acb(1).exp()
            case "i":
                return self.flint.acb(0, 1)
            case _:
                raise Unsupported(name)

    def _big(self, node: BigOp) -> Ball:
        steps = bounds(node, self.trial)
        if steps is None:
            raise Unsupported(node.kind)
        total = self.flint.acb(0 if node.kind == "sum" else 1)
        for index in steps:
            self.trial.spend(8)
            part = self.value(substitute(node.body, {node.var: Num(Fraction(index))}))
            total = total + part if node.kind == "sum" else total * part
        return total

    # ------------------------------------------------------------------ powers

    def _power(self, node: Pow) -> Ball:
        base = self.value(node.base)
        exponent = node.exp.value if isinstance(node.exp, Num) else self._as_rational(node.exp)
        if exponent is not None:
            return self.rational_power(base, exponent)
        power = self.value(node.exp)
        if node.base == Const("e"):
            return self.exponential(power)
        if base.imag.is_zero() and base.real > 0:
            return self.exponential(power * base.log())
        if self.real:
            raise Undefined("power of a number that is not positive")
        return self.exponential(power * self.logarithm(base))

    def _as_rational(self, node: Node) -> Fraction | None:
        """An exponent that is exactly rational once the symbols have their values."""
        match node:
            case Num():
                return node.value
            case Sym():
                found = self.env.get(node.name)
                return found if isinstance(found, Fraction) else None
            case Add():
                total = Fraction(0)
                for part in node.args:
                    value = self._as_rational(part)
                    if value is None:
                        return None
                    total += value
                return total
            case Mul():
                product = Fraction(1)
                for part in node.args:
                    value = self._as_rational(part)
                    if value is None:
                        return None
                    product *= value
                return product
            case Pow(base, Num(value=exponent)) if exponent.denominator == 1 and abs(exponent) < 100:
                value = self._as_rational(base)
                if value is None:
                    return None
                if value == 0 and exponent <= 0:
                    raise Undefined("division by zero")
                return value**exponent.numerator
            case _:
                return None

    # ------------------------------------------------------------------ functions

    def _call(self, node: Call) -> Ball:
        if node.name in RECIPROCAL and len(node.args) == 1:
            return self.inverse(RECIPROCAL[node.name], self.whole_power(self.value(node.args[0]), -1))
        name, arguments = node.name, [self.value(part) for part in node.args]
        if len(arguments) == 1:
            return self.unary(name, arguments[0])
        if len(arguments) == 2:
            return self.binary(name, *arguments)
        raise Unsupported(name)


def enclosure(
    node: Node, bits: int, trial: Trial, env: Env | None = None, *, real: bool = False, log_base: int = 10
) -> Ball:
    """A ball that contains the value of the node.

    Raises:
        Unclear: not at this precision.
        Undefined, Unsupported, Limit: not at all.
    """
    with _lock:
        import flint

        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            trial.spend(bits // 64)
            return Evaluator(bits, trial, env or {}, real=real, log_base=log_base).value(node)
        finally:
            flint.ctx.prec = before


def apart(left: Ball, right: Ball) -> bool:
    """Whether two balls share no point."""
    return not left.overlaps(right)


__all__ = ["LOG_BASES", "Ball", "Env", "Evaluator", "Unclear", "apart", "enclosure"]

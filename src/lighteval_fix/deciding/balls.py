"""Functions on balls: what is defined where, and how large a number may become before it is given up."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from .trial import Limit, Undefined, Unsupported

Ball: TypeAlias = Any
"""`flint.acb`; flint has no type information."""
MAX_EXPONENT = 2**26
"""Bits before the point of the largest number that is enclosed."""
MAX_GAMMA = 10_000


class Unclear(Exception):
    """The enclosure is too wide at this precision (a divisor may be zero, a root's argument may be negative)."""


class Balls:
    """Arithmetic on balls at the precision in force.

    Args:
        real: a symbol stands for a real number, and what leaves the reals is undefined.
        log_base: base of a logarithm without one; 0 is e.
    """

    def __init__(self, *, real: bool, log_base: int = 10) -> None:
        import flint

        self.flint = flint
        self.real = real
        self.log_base = log_base
        self.zero = flint.acb(0)

    def rational(self, value: Fraction) -> Ball:
        """A rational number."""
        top = self.flint.fmpz(value.numerator)
        return self.flint.acb(top) if value.denominator == 1 else self.flint.acb(self._quotient(value))

    def _quotient(self, value: Fraction) -> Any:
        return self.flint.arb(self.flint.fmpq(value.numerator, value.denominator))

    def rational_power(self, base: Ball, exponent: Fraction) -> Ball:
        """Real odd roots of negative numbers, else the principal power."""
        if exponent.denominator == 1:
            return self.whole_power(base, exponent.numerator)
        if base.is_zero():
            if exponent <= 0:
                raise Undefined("power of zero")
            return self.zero
        if base.imag.is_zero():
            if base.real > 0:
                return self._positive_root(base.real, exponent)
            if base.real < 0:
                if exponent.denominator % 2:
                    size = self._positive_root(-base.real, exponent)
                    return -size if exponent.numerator % 2 else size
                if self.real:
                    raise Undefined("even root of a negative number")
            elif exponent > 0 and base.real.is_finite():
                return self._root_near_zero(base.real, exponent)
            else:
                raise Unclear("root")
        elif self.real:
            raise Undefined("root of a complex number")
        if exponent == Fraction(1, 2):
            return self._finite(base.sqrt())
        return self.exponential(self.logarithm(base) * self.rational(exponent))

    def _root_near_zero(self, base: Any, exponent: Fraction) -> Ball:
        """A positive power of a real ball around zero: every value lies within the power of its largest size."""
        size = self._positive_root(self.flint.arb(base.abs_upper()), exponent).real
        reach = self.flint.arb(0, size.abs_upper())
        return self.flint.acb(reach) if exponent.denominator % 2 else self.flint.acb(reach, reach)

    def _positive_root(self, base: Any, exponent: Fraction) -> Ball:
        root = base.sqrt() if exponent.denominator == 2 else base.root(exponent.denominator)
        return self.whole_power(self.flint.acb(root), exponent.numerator)

    def whole_power(self, base: Ball, exponent: int) -> Ball:
        if exponent == 0:
            if base.contains(0):
                raise Undefined("power of zero") if base.is_zero() else Unclear("power")
            return self.flint.acb(1)
        if exponent < 0:
            if base.contains(0):
                raise Undefined("division by zero") if base.is_zero() else Unclear("division")
            return self.whole_power(1 / base, -exponent)
        if exponent == 1:
            return base
        self._check_size(base, exponent)
        return self._finite(base**exponent)

    def _check_size(self, base: Ball, exponent: int) -> None:
        if exponent.bit_length() > 60:
            raise Limit("exponent")
        size = base.abs_upper()
        if not size.is_finite():
            raise Unclear("size")
        if size > 2:
            bits = float(size.log()) * 1.4427 * exponent
            if bits > MAX_EXPONENT:
                raise Limit("size")

    def exponential(self, power: Ball) -> Ball:
        """e to a ball, within the limit of size."""
        if not power.is_finite():
            raise Unclear("exponent")
        if power.abs_upper() > MAX_EXPONENT:
            raise Limit("size")
        return self._finite(power.exp())

    def logarithm(self, value: Ball) -> Ball:
        """The principal logarithm; in real mode, of positive numbers only."""
        if value.contains(0):
            raise Undefined("logarithm of zero") if value.is_zero() else Unclear("logarithm")
        if self.real and not (value.imag.is_zero() and value.real > 0):
            if value.imag.is_zero() and not value.real < 0:
                raise Unclear("logarithm")
            raise Undefined("logarithm of a number that is not positive")
        return self._finite(value.log())

    def _finite(self, value: Ball) -> Ball:
        if not value.is_finite():
            raise Unclear("not finite")
        return value

    def unary(self, name: str, x: Ball) -> Ball:
        if name in _ENTIRE:
            if not x.is_finite() or x.abs_upper() > MAX_EXPONENT:
                raise Limit("size")
            return self._finite(_ENTIRE[name](x))
        if name in _POLES:
            if not x.is_finite() or x.abs_upper() > MAX_EXPONENT:
                raise Limit("size")
            top, bottom = _POLES[name]
            below = bottom(x)
            if below.contains(0):
                raise Unclear("pole")
            return self._finite(top(x) / below)
        match name:
            case "exp":
                return self.exponential(x)
            case "ln":
                return self.logarithm(x)
            case "log":
                return self.logarithm(x) / (self.flint.acb(self.log_base).log() if self.log_base else 1)
            case "sqrt":
                return self.rational_power(x, Fraction(1, 2))
            case "abs":
                return self._abs(x)
            case "re":
                return self.flint.acb(x.real)
            case "im":
                return self.flint.acb(x.imag)
            case "conj":
                return x.conjugate()
            case "factorial":
                return self._gamma(x + 1)
            case "floor" | "ceil":
                return self._whole(name, x)
            case "arcsin" | "arccos" | "arctan" | "arcsinh" | "arccosh" | "arctanh":
                return self.inverse(name, x)
            case "sgn":
                return self._sign(x)
            case "arg":
                return self._angle(x)
            case _:
                raise Unsupported(name)

    def _abs(self, x: Ball) -> Ball:
        if x.imag.is_zero():
            return self.flint.acb(abs(x.real))
        return self.flint.acb((x.real * x.real + x.imag * x.imag).sqrt())

    def _angle(self, x: Ball) -> Ball:
        if x.is_zero():
            raise Undefined("the argument of zero")
        if x.contains(0) or (x.real < 0 and x.imag.contains(0) and not x.imag.is_zero()):
            raise Unclear("argument")
        return self.flint.acb(x.arg())

    def _sign(self, x: Ball) -> Ball:
        if x.imag.is_zero():
            if x.real > 0:
                return self.flint.acb(1)
            if x.real < 0:
                return self.flint.acb(-1)
        raise Unclear("sign")

    def _whole(self, name: str, x: Ball) -> Ball:
        if not x.imag.is_zero() or not x.real.is_finite():
            raise Unclear("floor")
        result = x.real.floor() if name == "floor" else x.real.ceil()
        if not result.is_exact():
            raise Unclear("floor")
        return self.flint.acb(result)

    def _gamma(self, x: Ball) -> Ball:
        if not x.is_finite() or x.abs_upper() > MAX_GAMMA:
            raise Limit("factorial")
        if x.imag.is_zero() and not x.real > 0:
            raise Undefined("factorial below zero")
        return self._finite(x.gamma())

    def inverse(self, name: str, x: Ball) -> Ball:
        if not x.imag.is_zero():
            raise Unsupported("inverse function of a complex number")
        real = x.real
        match name:
            case "arctan":
                result = real.atan()
            case "arcsinh":
                result = real.asinh()
            case "arcsin" | "arccos":
                if abs(real) > 1:
                    raise Undefined("inverse sine beyond 1")
                if not abs(real) < 1 and not real.is_exact():
                    raise Unclear("inverse sine")
                result = real.asin() if name == "arcsin" else real.acos()
            case "arccosh":
                if real < 1:
                    raise Undefined("inverse cosine below 1")
                result = real.acosh()
            case "arctanh":
                if abs(real) >= 1:
                    raise Undefined("inverse tangent beyond 1")
                result = real.atanh()
            case _:
                raise Unsupported(name)
        if not result.is_finite():
            raise Unclear("inverse function")
        return self.flint.acb(result)

    def binary(self, name: str, x: Ball, y: Ball) -> Ball:
        match name:
            case "log":
                below = self.logarithm(y)
                if below.contains(0):
                    raise Undefined("logarithm to base 1") if below.is_zero() else Unclear("base")
                return self.logarithm(x) / below
            case "root":
                count = y.real.unique_fmpz() if y.imag.is_zero() else None
                if count is None or int(count) < 1:
                    raise Unsupported(name)
                return self.rational_power(x, Fraction(1, int(count)))
            case "binom":
                rest = self._gamma(y + 1) * self._gamma(x - y + 1)
                if rest.contains(0):
                    raise Unclear("binomial")
                return self._gamma(x + 1) / rest
            case "max" | "min":
                if not (x.imag.is_zero() and y.imag.is_zero()):
                    raise Unsupported(name)
                pick = x.real.max(y.real) if name == "max" else x.real.min(y.real)
                return self.flint.acb(pick)
            case _:
                raise Unsupported(name)


RECIPROCAL = {"arcsec": "arccos", "arccsc": "arcsin"}
"""Inverse functions that are others at one over the argument."""
_ENTIRE: dict[str, Callable[[Ball], Ball]] = {
    "sin": lambda x: x.sin(),
    "cos": lambda x: x.cos(),
    "sinh": lambda x: x.sinh(),
    "cosh": lambda x: x.cosh(),
}
_POLES: dict[str, tuple[Callable[[Ball], Ball], Callable[[Ball], Ball]]] = {
    "tan": (lambda x: x.sin(), lambda x: x.cos()),
    "cot": (lambda x: x.cos(), lambda x: x.sin()),
    "sec": (lambda x: x * 0 + 1, lambda x: x.cos()),
    "csc": (lambda x: x * 0 + 1, lambda x: x.sin()),
    "tanh": (lambda x: x.sinh(), lambda x: x.cosh()),
    "coth": (lambda x: x.cosh(), lambda x: x.sinh()),
    "sech": (lambda x: x * 0 + 1, lambda x: x.cosh()),
    "csch": (lambda x: x * 0 + 1, lambda x: x.sinh()),
}

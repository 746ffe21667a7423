"""Rational functions over a growing list of generators: the arithmetic behind the normal forms.

A generator is a symbol, π, a prime under a root, i, e to a monomial, the logarithm of a prime, an unknown function at
an argument, and so on. A monomial maps generators to rational exponents, a polynomial maps monomials to rationals, a
`Rat` is a quotient of two. What is *used* of the generators is true of their values (i² = -1, p^(1/2)·p^(1/2) = p), so
two quotients that reduce to one another are equal wherever both are defined. That they are independent is never used:
a difference that does not vanish here proves nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TypeAlias

from .trial import MAX_BITS, MAX_TERMS, Limit, Trial, Undefined

Exp: TypeAlias = int | Fraction
Coef: TypeAlias = int | Fraction
Mono: TypeAlias = tuple[tuple[int, Exp], ...]
Poly: TypeAlias = dict[Mono, Coef]
Key: TypeAlias = tuple[Hashable, ...]

_COEF_BITS = 2 * MAX_BITS
_MOST_PRODUCTS = 40_000
"""Products of terms in one multiplication."""
CONSTANT: Mono = ()
ONE: Poly = {CONSTANT: 1}


@dataclass(slots=True)
class Rat:
    """`num / den`; `den` is the polynomial 1 wherever that was possible without any division."""

    num: Poly
    den: Poly


class Field:
    """The generators of one decision, shared by both sides, and arithmetic over them."""

    def __init__(self, trial: Trial, positive: bool = False) -> None:
        self.trial = trial
        self.positive = positive
        """Every symbol is taken for a positive real, and even roots and logarithms of negative reals are undefined."""
        self.keys: list[Key] = []
        self.parts: list[Rat | None] = []
        """What a root, absolute value or logarithm is taken of."""
        self._index: dict[Key, int] = {}

    # ------------------------------------------------------------------ generators

    def gen(self, *key: Hashable, part: Rat | None = None) -> int:
        """The number of a generator, made on first use."""
        found = self._index.get(key)
        if found is None:
            found = self._index[key] = len(self.keys)
            self.keys.append(key)
            self.parts.append(part)
        return found

    def kind(self, gen: int) -> str:
        """The kind of a generator: `sym`, `prime`, `i`, …"""
        return str(self.keys[gen][0])

    def power_of(self, gen: int, exponent: Exp = 1) -> Rat:
        """A power of one generator."""
        mono, factor = self._reduced(gen, exponent)
        return Rat({mono: factor}, ONE)

    def key(self, rat: Rat) -> Hashable:
        """A hashable form; equal keys mean equal values."""
        lead = rat.den[min(rat.den)]
        if lead == 1:
            return (tuple(sorted(rat.num.items())), tuple(sorted(rat.den.items())))
        scale = Fraction(1) / lead
        num = {mono: coef * scale for mono, coef in rat.num.items()}
        den = {mono: coef * scale for mono, coef in rat.den.items()}
        return (tuple(sorted(num.items())), tuple(sorted(den.items())))

    # ------------------------------------------------------------------ monomials

    def _reduced(self, gen: int, exponent: Exp) -> tuple[Mono, Coef]:
        """One generator's power with whatever of it is a plain number taken out."""
        if exponent == 0:
            return CONSTANT, 1
        key = self.keys[gen]
        kind = key[0]
        if kind == "i":
            turn = int(exponent) % 4
            return (((gen, 1),) if turn % 2 else CONSTANT), (1 if turn < 2 else -1)
        if kind == "prime":
            prime = key[1]
            assert isinstance(prime, int)
            whole = floor(exponent)
            if whole and abs(whole) * prime.bit_length() <= MAX_BITS:
                rest = exponent - whole
                factor: Coef = prime**whole if whole > 0 else Fraction(1, prime**-whole)
                return (((gen, rest),) if rest else CONSTANT), factor
        if kind == "unity":
            turn_by = exponent % 2
            sign = 1
            if turn_by >= 1:
                turn_by, sign = turn_by - 1, -1
            return (((gen, turn_by),) if turn_by else CONSTANT), sign
        return ((gen, exponent),), 1

    def mono_mul(self, left: Mono, right: Mono) -> tuple[Mono, Coef]:
        """Product of two monomials, and the number that falls out of it."""
        if not left:
            return right, 1
        if not right:
            return left, 1
        merged: list[tuple[int, Exp]] = []
        factor: Coef = 1
        i = j = 0
        while i < len(left) and j < len(right):
            (a, p), (b, q) = left[i], right[j]
            if a < b:
                merged.append(left[i])
                i += 1
            elif b < a:
                merged.append(right[j])
                j += 1
            else:
                part, number = self._reduced(a, p + q)
                merged.extend(part)
                factor = factor * number
                i += 1
                j += 1
        merged.extend(left[i:])
        merged.extend(right[j:])
        return tuple(merged), factor

    # ------------------------------------------------------------------ polynomials

    def poly_add(self, left: Poly, right: Poly) -> Poly:
        """Sum."""
        if len(left) < len(right):
            left, right = right, left
        self.trial.spend(len(right))
        total = dict(left)
        for mono, coef in right.items():
            value = total.get(mono, 0) + coef
            if value:
                total[mono] = value
            else:
                total.pop(mono, None)
        if len(total) > MAX_TERMS:
            raise Limit("terms")
        return total

    def poly_mul(self, left: Poly, right: Poly) -> Poly:
        """Product."""
        if left is ONE or left == ONE:
            return right
        if right is ONE or right == ONE:
            return left
        if len(left) * len(right) > _MOST_PRODUCTS:
            raise Limit("terms")
        self.trial.spend(len(left) * len(right))
        total: Poly = {}
        for first, one in left.items():
            for second, two in right.items():
                mono, factor = self.mono_mul(first, second)
                value = total.get(mono, 0) + one * two * factor
                if value:
                    total[mono] = value
                else:
                    total.pop(mono, None)
        if len(total) > MAX_TERMS:
            raise Limit("terms")
        for coef in total.values():
            if coef.numerator.bit_length() > _COEF_BITS or coef.denominator.bit_length() > _COEF_BITS:
                raise Limit("digits")
        return total

    def poly_pow(self, base: Poly, exponent: int) -> Poly:
        """Whole power, not negative."""
        result = ONE
        while exponent:
            if exponent & 1:
                result = self.poly_mul(result, base)
            exponent >>= 1
            if exponent:
                base = self.poly_mul(base, base)
        return result

    def settle(self, poly: Poly) -> Poly:
        """Whole powers of roots and squares of absolute values multiplied out, times something that is not zero."""
        for gen in sorted({g for mono in poly for g, _ in mono}, reverse=True):
            kind = self.kind(gen)
            if kind == "base":
                poly = self._unroot(poly, gen, 1)
            elif kind == "abs":
                poly = self._unroot(poly, gen, 2)
        return poly

    def _unroot(self, poly: Poly, gen: int, step: int) -> Poly:
        part = self.parts[gen]
        if part is None or not poly:
            return poly
        sorted_out: dict[int, Poly] = {}
        for mono, coef in poly.items():
            exponent: Exp = next((e for g, e in mono if g == gen), 0)
            whole = floor(exponent / step) if isinstance(exponent, Fraction) else exponent // step
            rest = exponent - whole * step
            kept = tuple((g, rest if g == gen else e) for g, e in mono if g != gen or rest)
            level = sorted_out.setdefault(whole, {})
            level[kept] = level.get(kept, 0) + coef
        if set(sorted_out) == {0}:
            return poly
        low, high = min(min(sorted_out), 0), max(max(sorted_out), 0)
        if high - low > 60:
            raise Limit("powers")
        num, den = self.poly_pow(part.num, step), self.poly_pow(part.den, step)
        total: Poly = {}
        for whole, level in sorted_out.items():
            scale = self.poly_mul(self.poly_pow(num, whole - low), self.poly_pow(den, high - whole))
            total = self.poly_add(total, self.poly_mul({m: c for m, c in level.items() if c}, scale))
        if any(self.kind(g) in ("base", "abs") for mono in total for g, _ in mono if g > gen):
            raise Limit("nested roots")
        return total

    # ------------------------------------------------------------------ quotients

    def number(self, value: Coef) -> Rat:
        """A constant."""
        if isinstance(value, Fraction) and value.denominator == 1:
            value = value.numerator
        return Rat({CONSTANT: value} if value else {}, ONE)

    def constant(self, rat: Rat) -> Fraction | None:
        """The rational number that it is, if it visibly is one."""
        if not rat.num:
            return Fraction(0)
        if rat.den != ONE:
            return None
        if len(rat.num) == 1 and CONSTANT in rat.num:
            return Fraction(rat.num[CONSTANT])
        return None

    def add(self, left: Rat, right: Rat) -> Rat:
        """Sum."""
        if left.den == right.den:
            return Rat(self.poly_add(left.num, right.num), left.den)
        num = self.poly_add(self.poly_mul(left.num, right.den), self.poly_mul(right.num, left.den))
        return Rat(num, self.poly_mul(left.den, right.den))

    def mul(self, left: Rat, right: Rat) -> Rat:
        """Product."""
        if left.num == right.den:
            return Rat(right.num, left.den)
        if right.num == left.den:
            return Rat(left.num, right.den)
        return Rat(self.poly_mul(left.num, right.num), self.poly_mul(left.den, right.den))

    def scaled(self, rat: Rat, factor: Coef) -> Rat:
        """Times a number."""
        if not factor:
            return self.number(0)
        return Rat({mono: coef * factor for mono, coef in rat.num.items()}, rat.den)

    def sub(self, left: Rat, right: Rat) -> Rat:
        """Difference."""
        return self.add(left, self.scaled(right, -1))

    def inverse(self, rat: Rat) -> Rat:
        """One over it; a single term goes to negative exponents, so that no denominator grows."""
        if not rat.num:
            raise Undefined("division by zero")
        if len(rat.num) == 1:
            ((mono, coef),) = rat.num.items()
            flipped: Mono = CONSTANT
            factor: Coef = Fraction(1) / coef
            for gen, exponent in mono:
                part, number = self._reduced(gen, -exponent)
                flipped, extra = self.mono_mul(flipped, part)
                factor = factor * number * extra
            if isinstance(factor, Fraction) and factor.denominator == 1:
                factor = factor.numerator
            return Rat(self.poly_mul({flipped: factor}, rat.den), ONE)
        return Rat(rat.den, rat.num)

    def div(self, left: Rat, right: Rat) -> Rat:
        """Quotient."""
        return self.mul(left, self.inverse(right))

    def whole_power(self, rat: Rat, exponent: int) -> Rat:
        """Any whole power."""
        if exponent < 0:
            return self.whole_power(self.inverse(rat), -exponent)
        if exponent == 0:
            if not rat.num:
                raise Undefined("power of zero")
            return self.number(1)
        return Rat(self.poly_pow(rat.num, exponent), self.poly_pow(rat.den, exponent))

    def same(self, left: Rat, right: Rat) -> bool:
        """Whether both reduce to one quotient."""
        return not self.difference(left, right)

    def difference(self, left: Rat, right: Rat) -> Poly:
        """Numerator of the difference, times something that is not zero."""
        if left.den == right.den:
            difference = self.poly_add(left.num, {mono: -coef for mono, coef in right.num.items()})
        else:
            crossed = self.poly_mul(right.num, left.den)
            difference = self.poly_add(
                self.poly_mul(left.num, right.den), {mono: -coef for mono, coef in crossed.items()}
            )
        return self.settle(difference)

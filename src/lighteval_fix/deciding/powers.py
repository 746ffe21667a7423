"""Powers, exponentials and logarithms over a `Field`: which laws hold at every real point, and no others."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from .exact import int_power
from .factors import all_real, even, leading_sign, positive, rational_factors, real, split, square_free
from .field import CONSTANT, ONE, Coef, Exp, Field, Mono, Poly, Rat
from .trial import MAX_BITS, Limit, Undefined

HALF = Fraction(1, 2)
_MOST_EXPANDED = 600
"""Terms up to which a power of a sum is multiplied out."""
_PLAIN = ("call", "ln", "bigop", "logbase")
"""Generators of which a fractional exponent is the principal power."""


# --------------------------------------------------------------------------- powers


def power(base: Rat, exponent: Fraction, field: Field) -> Rat:
    """A rational power."""
    if exponent.denominator == 1:
        return _whole(base, exponent.numerator, field)
    number = field.constant(base)
    if number is not None:
        return number_power(number, exponent, field)
    content, mono, rest = split(base, field)
    result = field.number(1)
    if content < 0 and exponent.denominator % 2 and all_real(mono, rest, field):
        content = -content
        if exponent.numerator % 2:
            result = field.number(-1)
    inner: list[tuple[int, Exp]] = []
    for gen, count in mono:
        if positive(gen, field) or (exponent.denominator % 2 and real(gen, field)):
            result = field.mul(result, field.power_of(gen, count * exponent))
        elif even(count) and real(gen, field):
            part = field.power_of(gen)
            result = field.mul(result, power(absolute(part, field), count * exponent, field))
        else:
            inner.append((gen, count))
    if content > 0:
        result = field.mul(result, number_power(content, exponent, field))
        content = Fraction(1)
    else:
        result = field.mul(result, number_power(-content, exponent, field))
        content = Fraction(-1)
    if content == -1 and field.positive and rest is None and not inner:
        raise Undefined("even root of a negative number")
    if content == 1 and rest is None:
        if not inner:
            return result
        gen, count = inner[0]
        # of a negative x, the root of x³ is not x·√x, nor that of 1/x one over √x
        if len(inner) == count == 1 and (real(gen, field) or field.kind(gen) in _PLAIN):
            return field.mul(result, field.power_of(gen, count * exponent))
    if rest is None and not inner:
        return field.mul(result, number_power(Fraction(-1), exponent, field))
    if rest is not None and field.positive and exponent.denominator % 2 == 0:
        squares, rest = _squares(rest, exponent, field)
        result = field.mul(result, squares)
        if rest is None:
            start = Rat({tuple(inner): content.numerator}, ONE)
            return field.mul(result, power(start, exponent, field)) if inner or content < 0 else result
    whole = exponent.numerator // exponent.denominator
    kept = _join(content, inner, rest, field)
    root = field.power_of(field.gen("base", field.key(kept), part=kept), exponent - whole)
    return field.mul(result, field.mul(root, field.whole_power(kept, whole)) if whole else root)


def _squares(rest: Rat, exponent: Fraction, field: Field) -> tuple[Rat, Rat | None]:
    """The power of what stands squared in a polynomial, and what is left under the root."""
    factors = square_free(rest.num, field) if rest.den == ONE else None
    if factors is None:
        return field.number(1), rest
    result = field.number(1)
    left = field.number(1)
    for factor, count in factors:
        part = Rat(factor, ONE)
        number = field.constant(part)
        if number is not None and number > 0:
            result = field.mul(result, number_power(number, exponent * count, field))
        elif count % 2 == 0:
            result = field.mul(result, power(absolute(part, field), exponent * count, field))
        else:
            left = field.mul(left, field.whole_power(part, count))
    return result, None if left.num == ONE else left


def _join(content: Fraction, inner: list[tuple[int, Exp]], rest: Rat | None, field: Field) -> Rat:
    start: Rat = Rat({tuple(inner): content.numerator}, ONE)
    return start if rest is None else field.mul(start, rest)


def _whole(base: Rat, exponent: int, field: Field) -> Rat:
    number = field.constant(base)
    if number is not None:
        try:
            return field.number(int_power(number, exponent))
        except Limit:
            return _tower(number, exponent, field)
    if len(base.num) == 1 and base.den == ONE:
        ((mono, coef),) = base.num.items()
        result = _whole(field.number(coef), exponent, field)
        for gen, count in mono:
            result = field.mul(result, field.power_of(gen, count * exponent))
        return result
    if abs(exponent) > 40 or comb(abs(exponent) + len(base.num) - 1, len(base.num) - 1) > _MOST_EXPANDED:
        kept = base if exponent > 0 else field.inverse(base)
        return field.power_of(field.gen("large", field.key(kept)), abs(exponent))
    return field.whole_power(base, exponent)


def _tower(number: Fraction, exponent: int, field: Field) -> Rat:
    """A power too large to write out, kept as powers of primes."""
    if abs(exponent).bit_length() > MAX_BITS:
        raise Limit("digits")
    result = field.number(1 if number > 0 or exponent % 2 == 0 else -1)
    for prime, count in rational_factors(abs(number)):
        result = field.mul(result, field.power_of(field.gen("prime", prime), count * exponent))
    return result


def number_power(number: Fraction, exponent: Fraction, field: Field) -> Rat:
    """A rational power of a rational number: real odd roots, principal even ones."""
    if number == 0:
        if exponent <= 0:
            raise Undefined("power of zero")
        return field.number(0)
    if number < 0:
        size = number_power(-number, exponent, field)
        if exponent.denominator % 2:
            return field.scaled(size, -1 if exponent.numerator % 2 else 1)
        cos, sin = turn(exponent, field)
        return field.mul(size, field.add(cos, field.mul(sin, field.power_of(field.gen("i")))))
    result = field.number(1)
    for prime, count in rational_factors(number):
        result = field.mul(result, field.power_of(field.gen("prime", prime), count * exponent))
    return result


def general_power(base: Rat, exponent: Rat, field: Field) -> Rat:
    """A power whose exponent is no number."""
    number = field.constant(base)
    if exponent.den == ONE and number is not None and number > 0:
        result = field.number(1)
        for prime, count in rational_factors(number):
            result = field.mul(result, _spread(field.gen("prime", prime), count, exponent, field))
        return result
    single = _single(base, field)
    if exponent.den == ONE and single is not None:
        gen, power_of_gen = single
        if power_of_gen == 1 or positive(gen, field):
            return _spread(gen, power_of_gen, exponent, field)
    fixed = Fraction(exponent.num.get(CONSTANT, 0)) if exponent.den == ONE else Fraction(0)
    rest = field.sub(exponent, field.number(fixed))
    sign = leading_sign(rest)
    tower = field.gen("tower", field.key(base), field.key(field.scaled(rest, sign)))
    return field.mul(power(base, fixed, field), field.power_of(tower, sign))


def _single(base: Rat, field: Field) -> tuple[int, Exp] | None:
    if base.den != ONE or len(base.num) != 1:
        return None
    ((mono, coef),) = base.num.items()
    return mono[0] if coef == 1 and len(mono) == 1 else None


def _spread(gen: int, count: Exp, exponent: Rat, field: Field) -> Rat:
    """gen^(count·(a·m + b·n + c)), one generator for each monomial of the exponent."""
    result = field.number(1)
    for mono, coef in exponent.num.items():
        if mono == CONSTANT:
            part = power(field.power_of(gen), Fraction(count * coef), field)
        else:
            part = field.power_of(field.gen("pow", gen, mono), count * coef)
        result = field.mul(result, part)
    return result


# --------------------------------------------------------------------------- exponentials


def exponential(exponent: Rat, field: Field) -> Rat:
    """e to the exponent."""
    if exponent.den != ONE:
        sign = leading_sign(exponent)
        key = field.key(field.scaled(exponent, sign))
        return field.power_of(field.gen("expof", key), sign)
    result = field.number(1)
    for mono, coef in exponent.num.items():
        result = field.mul(result, _exp_term(mono, coef, field))
    return result


def _exp_term(mono: Mono, coef: Coef, field: Field) -> Rat:
    if len(mono) == 1 and mono[0][1] == 1:
        gen = mono[0][0]
        key = field.keys[gen]
        if key[0] == "lnprime":
            return field.power_of(field.gen("prime", key[1]), coef)
        part = field.parts[gen]
        if key[0] == "ln" and part is not None:
            return power(part, Fraction(coef), field)
    if len(mono) == 2 and all(e == 1 for _, e in mono) and {field.kind(g) for g, _ in mono} == {"pi", "i"}:
        cos, sin = turn(Fraction(coef), field)
        return field.add(cos, field.mul(sin, field.power_of(field.gen("i"))))
    return field.power_of(field.gen("exp", mono), coef)


def unit(angle: Rat, field: Field) -> tuple[Rat, Rat]:
    """e^(i·angle) and its inverse."""
    i = field.gen("i")
    pi = field.gen("pi")
    turns = Fraction(0)
    rest: Poly = {}
    if angle.den == ONE:
        for mono, coef in angle.num.items():
            if mono == ((pi, 1),):
                turns = Fraction(coef)
            else:
                rest[mono] = coef
        angle = Rat(rest, ONE)
    plus = exponential(field.mul(angle, field.power_of(i)), field) if angle.num else field.number(1)
    minus = field.inverse(plus)
    if turns:
        cos, sin = turn(turns, field)
        side = field.mul(sin, field.power_of(i))
        plus, minus = field.mul(plus, field.add(cos, side)), field.mul(minus, field.sub(cos, side))
    return plus, minus


def turn(turns: Fraction, field: Field) -> tuple[Rat, Rat]:
    """(cos, sin) of turns·π: in roots for multiples of π/12, else over a root of unity."""
    steps = turns * 12
    if steps.denominator == 1:
        return _cos12(steps.numerator, field), _cos12(steps.numerator - 6, field)
    unity = field.gen("unity")
    plus, minus = field.power_of(unity, turns), field.power_of(unity, -turns)
    i = field.power_of(field.gen("i"))
    sin = field.mul(field.scaled(field.sub(plus, minus), -HALF), i)
    return field.scaled(field.add(plus, minus), HALF), sin


def _cos12(steps: int, field: Field) -> Rat:
    steps %= 24
    if steps > 12:
        steps = 24 - steps
    if steps > 6:
        return field.scaled(_cos12(12 - steps, field), -1)
    root = {2: field.power_of(field.gen("prime", 2), HALF), 3: field.power_of(field.gen("prime", 3), HALF)}
    six = field.mul(root[2], root[3])
    match steps:
        case 0:
            return field.number(1)
        case 1:
            return field.scaled(field.add(six, root[2]), Fraction(1, 4))
        case 2:
            return field.scaled(root[3], HALF)
        case 3:
            return field.scaled(root[2], HALF)
        case 4:
            return field.number(HALF)
        case 5:
            return field.scaled(field.sub(six, root[2]), Fraction(1, 4))
        case _:
            return field.number(0)


# --------------------------------------------------------------------------- logarithms and absolute values


def logarithm(argument: Rat, field: Field) -> Rat:
    """The natural logarithm, split as far as it may be for every real value."""
    if not argument.num:
        raise Undefined("logarithm of zero")
    content, mono, rest = split(argument, field)
    total = field.number(0)
    inner: list[tuple[int, Exp]] = []
    for gen, count in mono:
        if positive(gen, field):
            total = field.add(total, field.scaled(_log_gen(gen, field), count))
        elif even(count) and real(gen, field):
            size = logarithm(absolute(field.power_of(gen), field), field)
            total = field.add(total, field.scaled(size, count))
        else:
            inner.append((gen, count))
    for prime, count in rational_factors(abs(content)):
        total = field.add(total, field.scaled(field.power_of(field.gen("lnprime", prime)), count))
    sign = Fraction(1 if content > 0 else -1)
    if sign < 0 and field.positive and rest is None and not inner:
        raise Undefined("logarithm of a negative number")
    if rest is None and not inner:
        if sign < 0:
            half_turn = field.mul(field.power_of(field.gen("pi")), field.power_of(field.gen("i")))
            total = field.add(total, half_turn)
        return total
    kept = _join(sign, inner, rest, field)
    return field.add(total, field.power_of(field.gen("ln", field.key(kept), part=kept)))


def _log_gen(gen: int, field: Field) -> Rat:
    key = field.keys[gen]
    if key[0] == "prime":
        return field.power_of(field.gen("lnprime", key[1]))
    if key[0] == "exp":
        mono = key[1]
        assert isinstance(mono, tuple)
        return Rat({mono: 1}, ONE)
    if key[0] == "pow":
        under, mono = key[1], key[2]
        assert isinstance(under, int)
        assert isinstance(mono, tuple)
        return field.mul(_log_gen(under, field), Rat({mono: 1}, ONE))
    part = field.power_of(gen)
    return field.power_of(field.gen("ln", field.key(part), part=part))


def _never_negative(rat: Rat, field: Field) -> bool:
    """Whether every term of both polynomials is a positive number times something that is never negative."""
    return all(
        coef > 0 and all(positive(gen, field) or (even(count) and real(gen, field)) for gen, count in mono)
        for poly in (rat.num, rat.den)
        for mono, coef in poly.items()
    )


def absolute(argument: Rat, field: Field) -> Rat:
    """The absolute value of something real."""
    if not argument.num:
        return argument
    content, mono, rest = split(argument, field)
    result = field.number(abs(content))
    for gen, count in mono:
        if positive(gen, field) or (even(count) and real(gen, field)):
            result = field.mul(result, field.power_of(gen, count))
        else:
            part = field.power_of(gen)
            result = field.mul(result, field.power_of(field.gen("abs", field.key(part), part=part), count))
    if rest is not None:
        rest = field.scaled(rest, leading_sign(rest))
        if _never_negative(rest, field):
            return field.mul(result, rest)
        result = field.mul(result, field.power_of(field.gen("abs", field.key(rest), part=rest)))
    return result

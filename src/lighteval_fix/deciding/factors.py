"""Quotients over a `Field` taken apart: number, monomial and rest; primes; signs; real and imaginary parts."""

from __future__ import annotations

from fractions import Fraction

from .exact import exact_root
from .field import ONE, Exp, Field, Mono, Poly, Rat
from .trial import Limit, Undefined, Unsupported

HALF = Fraction(1, 2)
_SMALL_PRIMES = [p for p in range(2, 1000) if all(p % d for d in range(2, int(p**0.5) + 1))]


def prime_factors(value: int) -> list[tuple[int, int]]:
    """Factors with exponents; what trial division up to 1000 leaves over counts as one factor."""
    if value.bit_length() > 4096:
        raise Limit("digits")
    found: list[tuple[int, int]] = []
    for prime in _SMALL_PRIMES:
        if prime * prime > value:
            break
        count = 0
        while value % prime == 0:
            value //= prime
            count += 1
        if count:
            found.append((prime, count))
    if value > 1:
        for degree in (6, 5, 4, 3, 2):
            root = exact_root(Fraction(value), degree)
            if root is not None:
                found.append((root.numerator, degree))
                break
        else:
            found.append((value, 1))
    return found


def rational_factors(value: Fraction) -> list[tuple[int, int]]:
    """Prime factors of a positive rational, those below with negative exponents."""
    below = [(prime, -count) for prime, count in prime_factors(value.denominator)]
    return prime_factors(value.numerator) + below


def leading_sign(rat: Rat) -> int:
    """The sign of the leading coefficient, so that u and -u share one form."""
    if not rat.num:
        return 1
    sign = 1 if rat.num[max(rat.num)] > 0 else -1
    return sign if rat.den[max(rat.den)] > 0 else -sign


def positive(gen: int, field: Field) -> bool:
    """Whether the generator stands for a positive real."""
    kind = field.kind(gen)
    if kind in ("prime", "pi", "abs"):
        return True
    if kind == "sym":
        return field.positive
    if kind in ("exp", "pow"):
        mono = field.keys[gen][2 if kind == "pow" else 1]
        under = field.keys[gen][1]
        assert isinstance(mono, tuple)
        fine = kind == "exp" or (isinstance(under, int) and positive(under, field))
        return fine and all(real(inner, field) for inner, _ in mono)
    return False


def even(count: Exp) -> bool:
    """Whether a real number to this exponent is never negative: 2, 2/3, -4."""
    return Fraction(count).numerator % 2 == 0


def all_real(mono: Mono, rest: Rat | None, field: Field) -> bool:
    """Whether everything in a split quotient surely stands for a real number."""
    inside = [mono] if rest is None else [mono, *rest.num, *rest.den]
    return all(real(gen, field) for part in inside for gen, _ in part)


def real(gen: int, field: Field) -> bool:
    """Whether the generator surely stands for a real number."""
    return field.kind(gen) in ("sym", "lnprime") or positive(gen, field)


# --------------------------------------------------------------------------- parts


def split(rat: Rat, field: Field) -> tuple[Fraction, Mono, Rat | None]:
    """A quotient as number · monomial · rest, the rest with leading coefficient 1; None where nothing is left."""
    if not rat.num:
        raise Undefined("zero")
    top_coef, top_mono, top = _content(rat.num)
    low_coef, low_mono, low = _content(rat.den)
    mono, factor = top_mono, Fraction(1)
    for gen, exponent in low_mono:
        part = field.power_of(gen, -exponent)
        ((piece, number),) = part.num.items()
        mono, extra = field.mono_mul(mono, piece)
        factor *= Fraction(number) * extra
    rest = None if top == ONE and low == ONE else Rat(top, low)
    return factor * top_coef / low_coef, mono, rest


def _content(poly: Poly) -> tuple[Fraction, Mono, Poly]:
    common: dict[int, Exp] | None = None
    for mono in poly:
        exponents = dict(mono)
        if common is None:
            common = exponents
        else:
            common = {
                gen: min(common.get(gen, 0), exponents.get(gen, 0))
                for gen in common.keys() | exponents.keys()
                if common.get(gen, 0) or exponents.get(gen, 0)
            }
    shift = {gen: exponent for gen, exponent in (common or {}).items() if exponent}
    size = Fraction(poly[max(poly)])
    scale = abs(size) if len(poly) > 1 else size
    rest: Poly = {}
    for mono, coef in poly.items():
        kept = dict(mono)
        for gen, exponent in shift.items():
            left = kept.pop(gen, 0) - exponent
            if left:
                kept[gen] = left
        value = coef / scale
        rest[tuple(sorted(kept.items()))] = value.numerator if value.denominator == 1 else value
    return scale, tuple(sorted(shift.items())), rest


def conjugate(rat: Rat, field: Field) -> Rat:
    """The complex conjugate, where every generator is known to be real or i."""
    return Rat(_conjugate(rat.num, field), _conjugate(rat.den, field))


def _conjugate(poly: Poly, field: Field) -> Poly:
    total: Poly = {}
    for mono, coef in poly.items():
        sign = 1
        for gen, _exponent in mono:
            if field.kind(gen) == "i":
                sign = -sign
            elif not real(gen, field):
                raise Unsupported("conjugate")
        total[mono] = coef * sign
    return total


def real_and_imaginary(rat: Rat, field: Field) -> tuple[Rat, Rat] | None:
    """Real and imaginary part, or None where they are not visible."""
    try:
        mirrored = conjugate(rat, field)
    except Unsupported:
        return None
    real_part = field.scaled(field.add(rat, mirrored), HALF)
    gap = field.scaled(field.sub(rat, mirrored), -HALF)
    return real_part, field.mul(gap, field.power_of(field.gen("i")))


def square_free(poly: Poly, field: Field) -> list[tuple[Poly, int]] | None:
    """Factors with exponents, without a common divisor; None where nothing is a square or flint cannot say.

    Only for polynomials with whole exponents in generators that are real.
    """
    gens = sorted({gen for mono in poly for gen, _ in mono})
    whole = all(isinstance(e, int) and e >= 0 for mono in poly for _, e in mono)
    if not gens or not whole or len(poly) > 60 or not all(real(gen, field) for gen in gens):
        return None
    import flint

    context = flint.fmpq_mpoly_ctx.get([f"g{gen}" for gen in gens], "lex")
    terms = {
        tuple(int(dict(mono).get(gen, 0)) for gen in gens): flint.fmpq(Fraction(c).numerator, Fraction(c).denominator)
        for mono, c in poly.items()
    }
    number, found = context.from_dict(terms).factor_squarefree()
    if all(count == 1 for _, count in found):
        return None
    scale = Fraction(int(number.p), int(number.q))
    factors: list[tuple[Poly, int]] = [({(): scale}, 1)] if scale != 1 else []
    for factor, count in found:
        back: Poly = {}
        for exponents, c in factor.to_dict().items():
            mono = tuple((gen, int(e)) for gen, e in zip(gens, exponents, strict=True) if int(e))
            value = Fraction(int(c.p), int(c.q))
            back[mono] = value.numerator if value.denominator == 1 else value
        factors.append((back, int(count)))
    return factors

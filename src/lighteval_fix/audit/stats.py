"""How sure we are: Wilson intervals, a clustered bootstrap, the exact McNemar test.

numpy is imported only where a bootstrap is drawn. Sources: Wilson 1927; Hesterberg 2015 (arXiv 1411.5279) for the
expanded percentile interval; McNemar 1947 in its exact binomial form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi, sqrt, tan
from statistics import NormalDist

Interval = tuple[float, float]

_NORMAL = NormalDist()
SEED = 20_240_229
RESAMPLES = 4_000
_CHUNK = 2_000_000
_FEW = 10
"""Below so many questions resamples hold too few different means, and Student's t is used instead."""
_MANY = 20_000
"""Above so many the mean is as good as normal, Student's t says the same, and four thousand resamples take minutes."""


def wilson(right: int, of: int, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion; (0, 1) where there is nothing to count."""
    if of == 0:
        return 0.0, 1.0
    z = _NORMAL.inv_cdf(0.5 + level / 2)
    share = right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(
    values: Sequence[float],
    level: float = 0.95,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    lowest: float = 0.0,
) -> Interval:
    """Interval of the mean of one value per question, questions drawn with replacement (so samples of one question
    stay together). Percentiles are widened as a t interval would be, which a plain percentile interval is not; for
    fewer than ten questions, or very many, it is the t interval itself.

    Args:
        values: one a question, between `lowest` and 1.
        level: coverage.
        seed: the same values give the same interval.
        resamples: draws.
        lowest: 0 for scores, -1 for differences of scores.
    """
    of = len(values)
    if of == 0:
        return lowest, 1.0
    if of == 1 or all(value == values[0] for value in values):
        # No spread was seen: the most that can be said is what Wilson says of so many equal marks.
        low, high = wilson(of, of, level)
        reach = (high - low) * (1.0 - lowest)
        return max(lowest, values[0] - reach), min(1.0, values[0] + reach)
    if of < _FEW or of > _MANY:
        mean = sum(values) / of
        error = sqrt(sum((value - mean) ** 2 for value in values) / (of - 1) / of)
        reach = t_quantile(0.5 + level / 2, of - 1) * error
        return max(lowest, mean - reach), min(1.0, mean + reach)
    import numpy as np

    array = np.asarray(values, dtype=float)
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(1, _CHUNK // of)
    for start in range(0, resamples, step):
        stop = min(resamples, start + step)
        means[start:stop] = array[generator.integers(0, of, size=(stop - start, of))].mean(axis=1)
    tail = _NORMAL.cdf(-sqrt(of / (of - 1)) * t_quantile(0.5 + level / 2, of - 1))
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def t_quantile(p: float, freedom: int) -> float:
    """Quantile of Student's t, exact for 1 and 2 degrees of freedom, else by the Cornish-Fisher expansion (within
    0.01 from 3 degrees upwards at the usual levels)."""
    if freedom == 1:
        return tan(pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)))
    z = _NORMAL.inv_cdf(p)
    v = float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def interval(counts: Mapping[float, int]) -> Interval:
    """Wilson where every value is 0 or 1, else the clustered bootstrap.

    Args:
        counts: value -> questions that have it. The order in which they came does not matter.
    """
    if all(value in (0.0, 1.0) for value in counts):
        return wilson(counts.get(1.0, 0), sum(counts.values()))
    return bootstrap([value for value in sorted(counts) for _ in range(counts[value])])


@dataclass(frozen=True, slots=True)
class McNemar:
    """Paired marks: `b` right only under the first, `c` right only under the second, and the two-sided p."""

    b: int
    c: int
    p: float
    test: str = "mcnemar_exact"


def mcnemar(b: int, c: int) -> McNemar:
    """Exact McNemar test: under no difference, `b` is binomial with `b + c` trials and a half."""
    trials, fewer = b + c, min(b, c)
    if trials == 0:
        return McNemar(b, c, 1.0)
    tail, term = 0, 1
    for hits in range(fewer + 1):
        tail += term
        term = term * (trials - hits) // (hits + 1)
    return McNemar(b, c, min(1.0, _ratio(2 * tail, 2**trials)))


def _ratio(over: int, under: int) -> float:
    # int / int rounds correctly at any size and goes to 0.0 where the quotient is below the smallest float.
    return over / under


def sign_counts(first: Sequence[float], second: Sequence[float]) -> tuple[int, int]:
    """How many pairs are higher under the first, and how many under the second."""
    pairs = list(zip(first, second, strict=True))
    return sum(a > b for a, b in pairs), sum(b > a for a, b in pairs)

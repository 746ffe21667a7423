from __future__ import annotations

import random
from collections import Counter
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.audit.stats import bootstrap, interval, mcnemar, sign_counts, t_quantile, wilson


@pytest.mark.parametrize(("right", "of"), [(0, 10), (3, 10), (10, 10), (357, 500), (1, 1), (50, 100000)])
def test_wilson_agrees_with_scipy(right: int, of: int) -> None:
    from scipy.stats import binomtest

    theirs = binomtest(right, of).proportion_ci(0.95, method="wilson")
    assert wilson(right, of) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_nothing_counted_is_nothing_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert bootstrap([]) == (0.0, 1.0)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_agrees_with_scipy(b: int, c: int) -> None:
    from scipy.stats import binomtest

    theirs = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert isclose(mcnemar(b, c).p, theirs, rel_tol=1e-9)


def test_mcnemar_of_many_discordant_pairs_does_not_overflow() -> None:
    assert mcnemar(9000, 10000).p == pytest.approx(4.2e-13, rel=0.2)
    assert mcnemar(0, 5000).p < 1e-300


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 29, 500])
def test_t_quantiles_agree_with_scipy(freedom: int) -> None:
    from scipy.stats import t

    assert t_quantile(0.975, freedom) == pytest.approx(t.ppf(0.975, freedom), abs=0.011)


def test_the_bootstrap_is_seeded() -> None:
    values = [0.25, 0.5, 1.0, 0.0, 0.75] * 3
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values) != bootstrap(values, seed=1)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=30))
def test_intervals_hold_the_mean_and_stay_in_range(values: list[float]) -> None:
    low, high = interval(Counter(values))
    assert -1e-9 <= low <= sum(values) / len(values) + 1e-9
    assert sum(values) / len(values) - 1e-9 <= high <= 1 + 1e-9


def test_few_questions_get_students_t() -> None:
    from scipy.stats import t

    values = [0.25, 0.5, 0.5, 0.75]
    mean, error = 0.5, 0.2041241452319315 / 2
    reach = t.ppf(0.975, 3) * error
    assert bootstrap(values) == pytest.approx((mean - reach, mean + reach), abs=0.002)
    assert bootstrap([0.25, 0.5]) == (0.0, 1.0)


def test_zeros_and_ones_get_wilson() -> None:
    assert interval(Counter([1.0, 0.0, 1.0])) == wilson(2, 3)


def test_differences_may_be_negative() -> None:
    low, high = bootstrap([-1.0, 0.0, -1.0, 1.0, 0.0, -1.0], lowest=-1.0)
    assert -1.0 <= low < high <= 1.0
    assert bootstrap([0.0] * 8, lowest=-1.0)[0] < 0.0


def test_sign_counts() -> None:
    assert sign_counts([1.0, 0.0, 0.5], [0.0, 0.0, 0.75]) == (1, 1)


@pytest.mark.slow
def test_coverage_of_wilson_by_simulation() -> None:
    """Over shares drawn at random: at a single share the coverage jumps with the lattice of possible counts."""
    generator = random.Random(7)
    for of in (30, 120, 500):
        held = 0
        for _ in range(4000):
            share = generator.uniform(0.05, 0.95)
            low, high = wilson(sum(generator.random() < share for _ in range(of)), of)
            held += low <= share <= high
        assert 0.93 <= held / 4000 <= 0.97


@pytest.mark.slow
def test_coverage_of_the_clustered_bootstrap_by_simulation() -> None:
    """Questions differ in difficulty, four samples each: an interval over single samples would be far too narrow."""
    import numpy as np

    generator = np.random.default_rng(11)
    for questions in (30, 120):
        held = 0
        rounds = 1500
        for _ in range(rounds):
            difficulty = generator.beta(0.7, 0.9, size=questions)
            values = generator.binomial(4, difficulty) / 4
            low, high = bootstrap(values.tolist(), resamples=800, seed=3)
            held += low <= 0.7 / 1.6 <= high
        assert 0.93 <= held / rounds <= 0.97

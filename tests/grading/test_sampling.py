from __future__ import annotations

from itertools import combinations
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.grading.sampling import (
    Metric,
    NotEnoughSamples,
    Over,
    avg_at_n,
    g_pass_at_k,
    maj_at_n,
    majority,
    mean_g_pass_at_k,
    parse_metric,
    pass_at_k,
    score_item,
)

marks = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("avg@n:n=4", Metric("avg@n:n=4", Over.MEAN, n=4)),
        ("pass@k:k=1&n=4", Metric("pass@k:k=1&n=4", Over.PASS, k=1, n=4)),
        ("gpqa_pass@k:k=1", Metric("gpqa_pass@k:k=1", Over.PASS, k=1)),
        ("codegen_pass@1:16", Metric("codegen_pass@1:16", Over.PASS, k=1, n=16)),
        ("pass@10", Metric("pass@10", Over.PASS, k=10)),
        ("maj@n:n=8", Metric("maj@n:n=8", Over.MAJORITY, n=8)),
        ("maj@8", Metric("maj@8", Over.MAJORITY, n=8)),
        ("g-pass@16_0.25", Metric("g-pass@16_0.25", Over.G_PASS, k=16, threshold=0.25)),
        ("math_g-pass@16_1.0", Metric("math_g-pass@16_1.0", Over.G_PASS, k=16, threshold=1.0)),
        ("mmath_g-pass@16", Metric("mmath_g-pass@16", Over.MEAN_G_PASS, k=16)),
        ("mg-pass@8", Metric("mg-pass@8", Over.MEAN_G_PASS, k=8)),
        ("extractive_match", Metric("extractive_match", Over.MEAN)),
        ("exact_match,flexible-extract", Metric("exact_match,flexible-extract", Over.MEAN)),
        ("mean@4", Metric("mean@4", Over.MEAN, n=4)),
    ],
)
def test_names_are_understood(name: str, metric: Metric) -> None:
    assert parse_metric(name) == metric


@pytest.mark.parametrize(
    "name", ["f1", "bleu_4", "rouge1", "word_perplexity", "ppl", "g-pass@k", "g-pass@8", "acc_norm"]
)
def test_what_is_no_matter_of_right_and_wrong_is_not_re_graded(name: str) -> None:
    assert parse_metric(name) is None


def drawn(values: list[float], k: int, need: int) -> float:
    draws = list(combinations(values, k))
    return sum(sum(draw) >= need for draw in draws) / len(draws)


@given(marks, st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(values: list[float], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(values)))
    assert isclose(pass_at_k(values, k), drawn(values, k, 1), abs_tol=1e-12)


@given(marks, st.data(), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
def test_g_pass_at_k_is_the_share_of_draws_with_enough_right_ones(
    values: list[float], data: st.DataObject, threshold: float
) -> None:
    k = data.draw(st.integers(1, len(values)))
    need = max(-(-int(threshold * 100) * k // 100), 1)
    assert isclose(g_pass_at_k(values, k, threshold), drawn(values, k, need), abs_tol=1e-12)


@given(marks, st.data())
def test_mean_g_pass_is_twice_the_mean_over_the_upper_half(values: list[float], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(values)))
    expected = 2 * sum(drawn(values, k, need) for need in range(-(-k // 2) + 1, k + 1)) / k
    assert isclose(mean_g_pass_at_k(values, k), expected, abs_tol=1e-12)


def test_a_threshold_is_not_raised_by_floating_point() -> None:
    values = [1.0] * 3 + [0.0] * 27
    assert g_pass_at_k(values, 30, 0.1) == 1.0


def test_large_samples_do_not_overflow() -> None:
    assert pass_at_k([1.0] + [0.0] * 199, 100) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pass_at_k([0.0, 0.0, 0.0], 10),
        lambda: pass_at_k([], 1),
        lambda: avg_at_n([1.0] * 8, 16),
        lambda: g_pass_at_k([1.0] * 4, 8, 0.5),
        lambda: mean_g_pass_at_k([1.0] * 4, 8),
        lambda: maj_at_n(["1"], [1.0], str.__eq__, 2),
        lambda: score_item(Metric("pass@10", Over.PASS, k=10), [1.0]),
        lambda: score_item(Metric("avg@n:n=4", Over.MEAN, n=4), [1.0, 1.0]),
    ],
)
def test_too_few_samples_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotEnoughSamples):
        call()


def test_k_of_zero_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        pass_at_k([1.0], 0)


def test_only_the_first_n_samples_count() -> None:
    assert avg_at_n([1.0, 0.0, 1.0, 1.0], 2) == 0.5
    assert pass_at_k([0.0, 0.0, 1.0], 1, 2) == 0.0


def test_a_pass_rate_uses_the_samples_there_are() -> None:
    # LightEval's metric is called codegen_pass@1:16 whether 16 programs were sampled or one.
    assert score_item(Metric("codegen_pass@1:16", Over.PASS, k=1, n=16), [1.0]) == 1.0


def loosely(a: str, b: str) -> bool:
    return sorted(a) == sorted(b)


def test_votes_are_counted_by_value() -> None:
    assert maj_at_n(["x+1", "y", "1+x"], [1.0, 0.0, 1.0], loosely) == 1.0
    assert maj_at_n(["x+1", "y", "y", "1+x"], [1.0, 0.0, 0.0, 1.0], str.__eq__) == 0.0


def test_a_vote_looks_at_whole_answers() -> None:
    assert maj_at_n(["137", "162", "5", "5"], [0.0, 0.0, 1.0, 1.0], str.__eq__) == 1.0


def test_a_tie_is_stated_and_the_first_answer_wins() -> None:
    vote = majority(["a", "b", "b", "a", "c"], str.__eq__)
    assert (vote.winner, vote.votes, vote.tied) == (0, 2, (0, 1))


def test_no_answer_is_no_vote() -> None:
    assert maj_at_n([None, None, "C"], [0.0, 0.0, 1.0], str.__eq__) == 1.0
    assert maj_at_n([None, None, None], [1.0, 1.0, 1.0], str.__eq__) == 0.0

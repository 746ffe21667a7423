"""What a LightEval metric is for our own grading: its name, and the numbers that only the metric itself has."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lighteval_fix.upstream.lighteval.in_process import meant


@pytest.mark.parametrize(
    ("name", "numbers", "k", "n"),
    [
        ("pass@k:k=1&n=4", {"k": 1, "n": 4}, 1, 4),
        ("pass@k_with_k&n", {"k": 2, "n": 8}, 2, 8),
        ("gpqa_pass@k_with_k", {"k": 3, "n": None}, 3, None),
        ("avg@n:n=4", {"n": 4}, None, 4),
        ("avg@k_with_k", {"k": 4}, None, 4),
        ("maj@k_with_k", {"k": 8}, None, 8),
        ("codegen_pass@1:16", {}, 1, 16),
        ("extractive_match", {}, None, None),
    ],
)
def test_numbers(name: str, numbers: dict[str, int | None], k: int | None, n: int | None) -> None:
    metric = meant(name, SimpleNamespace(sample_level_fn=SimpleNamespace(**numbers)))
    assert (metric.k, metric.n) == (k, n)


def test_a_metric_that_is_no_matter_of_right_and_wrong() -> None:
    with pytest.raises(ValueError, match="bleu is no score of right and wrong"):
        meant("bleu", SimpleNamespace(sample_level_fn=object()))

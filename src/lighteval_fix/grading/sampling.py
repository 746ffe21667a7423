"""Scores over several samples of one item: avg@n, pass@k, maj@n, g-pass@k, and the names harnesses give them.

Pure functions over one item's marks (1.0 right, 0.0 not). Asking for more samples than there are is refused
(`NotEnoughSamples`), never answered with a number. Sources: pass@k, Chen et al. 2021 (arXiv 2107.03374), unbiased
estimator; G-Pass@k, Liu et al. 2024 (arXiv 2412.13147).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import ceil, comb
from typing import TypeVar

T = TypeVar("T")


class NotEnoughSamples(ValueError):
    """The metric asks for more samples than the item has."""


class Over(StrEnum):
    """How an item's samples become one score."""

    MEAN = "mean"
    """One score of each sample, averaged: accuracy, exact match, avg@n."""
    PASS = "pass"
    MAJORITY = "majority"
    G_PASS = "g_pass"
    MEAN_G_PASS = "mean_g_pass"


@dataclass(frozen=True, slots=True)
class Metric:
    """A recorded metric's name, understood.

    Args:
        name: as the harness wrote it.
        over: how samples become a score.
        k: samples drawn (pass@k, g-pass@k), else None.
        n: samples the name asks for, else None (all there are).
        threshold: the share of `k` that must be right (g-pass@k).
    """

    name: str
    over: Over
    k: int | None = None
    n: int | None = None
    threshold: float = 0.0


_NOT_RIGHT_OR_WRONG = re.compile(
    r"(?:^|[^a-z])(?:f1|bleu|rouge\w*|bertscore\w*|chrf\w*|ter|ppl|perplexity|bits_per_byte|loglikelihood|mrr|brier\w*"
    r"|judge\w*|stderr|std|summac|edit_\w+|summarization_\w+|acc_norm\w*|mc[12]|tokens?|length|latency|time|cost)"
    r"(?:$|[^a-z])",
    re.IGNORECASE,
)
_G_PASS = re.compile(r"^(?P<mean>m)?(?:\w*?_)?g-pass@(?P<k>\d+)(?:_(?P<t>[\d.]+))?")
_AT = re.compile(r"(?P<what>g-pass|pass|avg|mean|maj|cons|majority)(?:@|_at_|\^)(?P<at>\d+|[kn])", re.IGNORECASE)
_PARAMETER = re.compile(r"\b(?P<key>[kn])=(?P<value>\d+)")
_TRAILING = re.compile(r":(?P<n>\d+)$")


@lru_cache(maxsize=256)
def parse_metric(name: str) -> Metric | None:
    """What a metric's name means, or None where it is no matter of right and wrong (F1, BLEU, perplexity, …).

    Knows LightEval's names (`avg@n:n=4`, `pass@k:k=1&n=4`, `maj@n:n=8`, `codegen_pass@1:16`, `math_g-pass@16_0.25`,
    `mmath_g-pass@16`) and the customary ones of others (`pass@1`, `maj@8`, `mean@4`, `exact_match,flexible-extract`).
    """
    if (g := _G_PASS.match(name)) is not None:
        parameters = {p["key"]: int(p["value"]) for p in _PARAMETER.finditer(name)}
        k = int(g["k"])
        if g["t"] is not None:
            return Metric(name, Over.G_PASS, k=k, n=parameters.get("n"), threshold=float(g["t"].rstrip(".")))
        return Metric(name, Over.MEAN_G_PASS, k=k, n=parameters.get("n")) if g["mean"] else None
    parameters = {p["key"]: int(p["value"]) for p in _PARAMETER.finditer(name)}
    if (at := _AT.search(name)) is not None:
        number = int(at["at"]) if at["at"].isdigit() else None
        what = at["what"].lower()
        if what == "g-pass":
            return None  # no threshold is named
        if what == "pass":
            # LightEval's `codegen_pass@1:16` names the samples asked for after the colon.
            trailing = _TRAILING.search(name)
            n = parameters.get("n", int(trailing["n"]) if trailing else None)
            return Metric(name, Over.PASS, k=parameters.get("k", number or 1), n=n)
        n = parameters.get("n", number)
        return Metric(name, Over.MEAN if what in ("avg", "mean") else Over.MAJORITY, n=n)
    if _NOT_RIGHT_OR_WRONG.search(name):
        return None
    return Metric(name, Over.MEAN, n=parameters.get("n"))


def _first(marks: Sequence[float], n: int | None) -> Sequence[float]:
    if n is not None and n > len(marks):
        raise NotEnoughSamples(f"{n} samples asked for, {len(marks)} there")
    if not marks:
        raise NotEnoughSamples("no samples")
    return marks if n is None else marks[:n]


def avg_at_n(marks: Sequence[float], n: int | None = None) -> float:
    """Mean over the first `n` samples (all of them by default)."""
    taken = _first(marks, n)
    return sum(taken) / len(taken)


def pass_at_k(marks: Sequence[float], k: int, n: int | None = None) -> float:
    """Probability that at least one of `k` samples drawn without replacement from the first `n` is right."""
    taken = _first(marks, n)
    total, right = len(taken), _right(taken)
    _check_k(k, total)
    return 1.0 - comb(total - right, k) / comb(total, k)


def g_pass_at_k(marks: Sequence[float], k: int, threshold: float, n: int | None = None) -> float:
    """Probability that at least ⌈threshold · k⌉ (and at least one) of `k` samples drawn are right."""
    taken = _first(marks, n)
    total, right = len(taken), _right(taken)
    _check_k(k, total)
    # 0.1 * 30 is 3.0000000000000004 in floating point; a need of 4 of 30 would be an artefact.
    return _tail(total, right, k, max(ceil(round(threshold * k, 9)), 1))


def mean_g_pass_at_k(marks: Sequence[float], k: int, n: int | None = None) -> float:
    """mG-Pass@k: twice the mean of G-Pass@k over the thresholds above one half."""
    taken = _first(marks, n)
    total, right = len(taken), _right(taken)
    _check_k(k, total)
    return 2.0 * sum(_tail(total, right, k, need) for need in range(ceil(k / 2) + 1, k + 1)) / k


def _tail(total: int, right: int, k: int, need: int) -> float:
    ways = sum(comb(right, hits) * comb(total - right, k - hits) for hits in range(need, min(right, k) + 1))
    return ways / comb(total, k)


def _right(marks: Sequence[float]) -> int:
    return sum(1 for mark in marks if mark == 1.0)


def _check_k(k: int, n: int) -> None:
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if k > n:
        raise NotEnoughSamples(f"k={k} of {n} samples")


@dataclass(frozen=True, slots=True)
class Majority:
    """What a vote came to.

    Args:
        winner: index of the sample that speaks for the winning answer, None where nobody voted.
        votes: how many samples gave it.
        tied: indices of the samples that speak for the answers with as many votes (the winner's among them).
    """

    winner: int | None
    votes: int
    tied: tuple[int, ...]


def majority(answers: Sequence[T | None], equal: Callable[[T, T], bool], n: int | None = None) -> Majority:
    """Vote by value over the first `n` answers; None is no vote. On a tie the answer that came first wins.

    Args:
        answers: what each sample answered.
        equal: whether two answers are the same; called with the earlier one first.
        n: samples that vote, all by default.
    """
    if n is not None and n > len(answers):
        raise NotEnoughSamples(f"{n} samples asked for, {len(answers)} there")
    heads: list[tuple[int, T]] = []
    votes: list[int] = []
    for index, answer in enumerate(answers if n is None else answers[:n]):
        if answer is None:
            continue
        for place, (_, head) in enumerate(heads):
            if head == answer or equal(head, answer):
                votes[place] += 1
                break
        else:
            heads.append((index, answer))
            votes.append(1)
    if not votes:
        return Majority(None, 0, ())
    most = max(votes)
    tied = tuple(index for (index, _), count in zip(heads, votes, strict=True) if count == most)
    return Majority(tied[0], most, tied)


def maj_at_n(
    answers: Sequence[T | None],
    marks: Sequence[float],
    equal: Callable[[T, T], bool],
    n: int | None = None,
) -> float:
    """The mark of the answer that most of the first `n` samples gave; 0 where nobody answered."""
    vote = majority(answers, equal, n)
    return 0.0 if vote.winner is None else marks[vote.winner]


def score_item(
    metric: Metric,
    marks: Sequence[float],
    answers: Sequence[str | None] = (),
    equal: Callable[[str, str], bool] = str.__eq__,
) -> float:
    """One item's score under `metric`.

    A pass@k whose name asks for more samples than were kept is estimated from those there are, as long as k is not
    above their number: the estimator stays unbiased. A mean or a vote over too few samples is refused.

    Raises:
        NotEnoughSamples: the metric is not defined on so few samples.
    """
    match metric.over:
        case Over.MEAN:
            return avg_at_n(marks, metric.n)
        case Over.PASS:
            return pass_at_k(marks, metric.k or 1, _there(metric.n, marks))
        case Over.MAJORITY:
            return maj_at_n(answers, marks, equal, metric.n)
        case Over.G_PASS:
            return g_pass_at_k(marks, metric.k or 1, metric.threshold, _there(metric.n, marks))
        case Over.MEAN_G_PASS:
            return mean_g_pass_at_k(marks, metric.k or 1, _there(metric.n, marks))


def _there(n: int | None, marks: Sequence[float]) -> int | None:
    return None if n is None or n > len(marks) else n

"""Every pair of the corpus comes to what its row says, in both orders, and equal under one policy stays equal under
every looser one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import Any

import pytest

from lighteval_fix.deciding.decide import decide

from .corpus import Row, pairs


def _together(rows: Iterable[Row]) -> list[Any]:
    """A test for the pairs of one fault, since thousands of tests take longer than their pairs; one for each pair that
    is known to be wrong today."""
    found = []
    for (file, fault, xfail), members in groupby(rows, key=lambda row: (row.file, row.fault, row.xfail)):
        if xfail:
            mark = pytest.mark.xfail(reason=xfail, strict=True)
            found += [pytest.param([row], id=row.name, marks=mark) for row in members]
        else:
            found.append(pytest.param(list(members), id=f"{file}:{fault}"))
    return found


def _meets(kind: str, want: str) -> bool:
    match want:
        case "not_equal":
            return kind != "equal"
        case "not_different":
            return kind != "different"
        case _:
            return kind == want


@pytest.mark.parametrize("rows", _together(pairs()))
def test_pairs(rows: list[Row]) -> None:
    wrong = []
    for row in rows:
        for gold, answer in [(row.gold, row.answer), (row.answer, row.gold)][: 2 if row.both_ways else 1]:
            verdict = decide(gold, answer, question=row.question, policy=row.policy)
            if not _meets(verdict.kind, row.want):
                wrong.append((gold, answer, row.want, verdict))
    assert not wrong


@pytest.mark.parametrize("rows", _together(row for row in pairs() if row.want == "equal" and not row.xfail))
def test_equal_stays_equal_under_every_looser_policy(rows: list[Row]) -> None:
    order = ("identical", "value", "in-context")
    for row in rows:
        for stricter, looser in pairwise(order):
            # That it is equal under its own policy is the test above; what costs is asked once.
            known = order.index(stricter) >= order.index(row.policy)
            if looser != row.policy and (known or _equal(row, stricter)):
                assert _equal(row, looser), (row.name, looser)


def _equal(row: Row, policy: str) -> bool:
    question = row.question or "Find the value."
    return decide(row.gold, row.answer, question=question, policy=policy).kind == "equal"

"""Every pair of the corpus comes to what its row says, in both orders, and equal under one policy stays equal under
every looser one."""

from __future__ import annotations

import pytest

from lighteval_fix.deciding.decide import decide

from .corpus import Row, pairs

ROWS = [
    pytest.param(row, id=row.name, marks=[pytest.mark.xfail(reason=row.xfail, strict=True)] if row.xfail else [])
    for row in pairs()
]


def _kind(row: Row, gold: str, answer: str) -> str:
    return decide(gold, answer, question=row.question, policy=row.policy).kind


def _meets(kind: str, want: str) -> bool:
    match want:
        case "not_equal":
            return kind != "equal"
        case "not_different":
            return kind != "different"
        case _:
            return kind == want


@pytest.mark.parametrize("row", ROWS)
def test_pair(row: Row) -> None:
    verdict = decide(row.gold, row.answer, question=row.question, policy=row.policy)
    assert _meets(verdict.kind, row.want), verdict
    if row.both_ways:
        turned = decide(row.answer, row.gold, question=row.question, policy=row.policy)
        assert _meets(turned.kind, row.want), ("turned round", turned)


@pytest.mark.parametrize("row", [row for row in ROWS if row.values[0].want == "equal" and not row.values[0].xfail])
def test_equal_stays_equal_under_every_looser_policy(row: Row) -> None:
    order = ("identical", "value", "in-context")
    kinds = [
        decide(row.gold, row.answer, question=row.question or "Find the value.", policy=policy).kind for policy in order
    ]
    first = kinds.index("equal")
    assert all(kind == "equal" for kind in kinds[first:]), kinds

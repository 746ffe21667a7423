"""Inferred causes held against LightEval's own metric with single fixes switched on, over every real run at hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lighteval_fix.audit.regrade import iter_grades
from lighteval_fix.model import Cause, Change, Grade, Item, Kind, RowError
from lighteval_fix.sources import open_runs

RUNS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "runs" / "lighteval"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.lighteval,
    pytest.mark.skipif(not RUNS.exists(), reason="the shared runs are not on this machine"),
]


def test_causes_are_found_and_replay_agrees() -> None:
    pytest.importorskip("lighteval")
    from lighteval_fix.upstream.lighteval.replay import replay

    changed = unexplained = proved = 0
    apart: Counter[tuple[str, str]] = Counter()
    for run in open_runs(str(RUNS)):
        if run.kind is Kind.CODE:
            continue
        items = {item.row: item for item in run.items() if not isinstance(item, RowError)}
        for grade in iter_grades(run):
            if not isinstance(grade, Grade) or grade.change not in (Change.RECOVERED, Change.WITHDRAWN):
                continue
            if grade.cause is None:
                continue  # another sample of the item carries it
            item = items[grade.row]
            assert isinstance(item, Item)
            changed += 1
            unexplained += grade.cause is Cause.UNEXPLAINED
            cause = replay(item, grade)
            if cause is not None:
                proved += 1
                if cause is not grade.cause:
                    apart[grade.cause, cause] += 1
    assert changed > 50
    assert unexplained <= 0.05 * changed
    assert proved >= 0.95 * changed
    assert apart.total() <= 0.05 * proved, apart

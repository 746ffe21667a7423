"""LightEval's unfixed metric gives, for every item of the real runs at hand, the score that was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from lighteval_fix.grading.kind import kind_of
from lighteval_fix.model import Item, Kind, Recorded
from lighteval_fix.sources import open_runs

RUNS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "runs" / "lighteval"

pytest.importorskip("lighteval")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.lighteval,
    pytest.mark.skipif(not RUNS.exists(), reason="needs ../shared"),
]


def test_every_recorded_score_of_maths_and_choices_is_reproduced() -> None:
    from lighteval_fix.upstream.lighteval.replay import reproduces

    asked = 0
    metrics: set[str] = set()
    other: list[tuple[str, str, tuple[Recorded, ...]]] = []
    for run in open_runs(str(RUNS)):
        for item in run.items():
            assert isinstance(item, Item)
            if (kind := kind_of(item, run.kind)) is Kind.CODE:
                continue
            asked += 1
            metrics.update(recorded.metric.partition(":")[0] for recorded in item.recorded)
            if reproduces(item, kind) is not True:
                other.append((run.task, item.id, item.recorded))
    assert asked > 2000
    assert metrics == {"pass@k", "avg@n", "gpqa_pass@k"}
    assert other == []

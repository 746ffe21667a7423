"""A run as a few plain values, for comparing with the golden ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lighteval_fix.model import Item, RowError, Run
from lighteval_fix.sources import open_runs

DATA = Path(__file__).parents[1] / "data"


def summary(run: Run, root: Path = DATA) -> dict[str, Any]:
    found = list(run.items())
    items = [item for item in found if isinstance(item, Item)]
    scores: dict[str, list[float]] = {}
    for item in items:
        for each in item.recorded:
            scores.setdefault(each.metric, []).append(each.score)
    told: dict[str, Any] = {
        "path": os.path.relpath(run.path, root),
        "format": run.format,
        "version": run.version,
        "date": run.date,
        "model": run.model,
        "task": run.task,
        "metrics": list(run.metrics),
        "reported": {name: round(score, 4) for name, score in run.reported},
        "recorded": {name: round(sum(each) / len(each), 4) for name, each in scores.items()},
        "kind": run.kind,
        "skip": run.skip,
        "items": len(items),
        "generations": sum(len(item.generations) for item in items),
        "errors": [f"{error.row}: {error.reason}" for error in found if isinstance(error, RowError)],
        "ids": [item.id for item in items],
        "golds": [[gold.text for gold in item.golds] for item in items],
        "labels": ["".join(item.labels) for item in items],
        "ends": [item.generations[0].text[-12:] for item in items],
    }
    return {name: value for name, value in told.items() if value not in (None, [], {}, "") and set_somewhere(value)}


def set_somewhere(value: Any) -> bool:
    """Whether a list says anything at all."""
    return not isinstance(value, list) or any(each not in ("", []) for each in value)


def all_summaries() -> list[dict[str, Any]]:
    return [summary(run) for run in open_runs(str(DATA))]


if __name__ == "__main__":
    import json

    golden = json.dumps(all_summaries(), indent=1, ensure_ascii=False)
    (Path(__file__).parents[1] / "golden_runs.json").write_text(golden + "\n", encoding="utf-8")

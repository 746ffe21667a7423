"""Small details files in LightEval's shape, and a call of the command line in this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lighteval_fix.cli.app import app
from lighteval_fix.cli.exits import exit_code

PROMPT = 'Solve the problem. The final line of your reply MUST be "ANSWER: $ANSWER" (without quotes).\n\n'
DATE = "2026-03-04T05-06-07.000008"


def row(
    number: int,
    question: str,
    gold: str | None,
    texts: Sequence[str] | None,
    score: float | None = 0.0,
    metric: str = "pass@k:k=1&n=1",
    choices: Sequence[str] | None = None,
    index: int | None = 0,
) -> dict[str, Any]:
    held = list(choices) if choices is not None else None if gold is None else [gold]
    return {
        "doc": {
            "query": PROMPT + question,
            "choices": held,
            "gold_index": None if held is None else index,
            "instruction": None,
            "specific": None,
            "id": str(number),
            "task_name": "sums|0",
            "sampling_methods": ["GENERATIVE"],
            "generation_size": 512,
        },
        "metric": {metric: score},
        "model_response": {"text": None if texts is None else list(texts), "text_post_processed": None},
    }


def details(folder: Path, rows: Sequence[dict[str, Any]], model: str = "acme/tiny", task: str = "sums") -> Path:
    """Write `rows` where LightEval would, and return the file."""
    path = folder / "details" / model / DATE / f"details_{task}|0_{DATE}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


SUMS = [
    row(0, "Two and five?", "7", ["Two and five.\nANSWER: 7"], 1.0),
    row(1, "The area of a disc of radius 12, doubled?", "$288\\pi$", ["So:\nANSWER: 288\\pi"], 0.0),
    row(2, "Half?", "\\frac12", ["ANSWER: 3"], 1.0),
    row(3, "How far?", "5 \\text{ parsecs}", ["ANSWER: 5"], 0.0),
]


def call(*arguments: str) -> int:
    """The exit code of `lighteval-fix ARGUMENTS`."""
    return int(exit_code(lambda: app(list(arguments), prog_name="lighteval-fix", standalone_mode=False)))

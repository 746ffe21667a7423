"""Generations made to be slow: each is graded, none stops the others, alone or in a pool.

How long each takes is measured by `python -m bench --only worst`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from bench.hostile import GOLD, QUESTION, texts
from lighteval_fix.audit.regrade import options_of
from lighteval_fix.audit.work import Work
from lighteval_fix.model import Generation, Gold, Item, Run, Standing
from lighteval_fix.sources.source import NoReader


def graded(name: str, text: str) -> Any:
    work = Work(Run(name, "lighteval", NoReader()), options_of())
    item = Item(name, 0, QUESTION, None, (Gold(GOLD),), generations=(Generation(text),))
    [grade] = work.one(item)
    return grade


@pytest.mark.slow
@pytest.mark.parametrize("name", texts())
def test_a_hostile_generation_is_graded(name: str) -> None:
    grade = graded(name, texts()[name])
    assert grade.standing is not Standing.ERROR, grade.detail
    seven = grade.reading is not None and getattr(grade.reading, "text", "").strip("{}()$* \\") == "7"
    assert grade.standing is not Standing.RIGHT or seven


def details(folder: Path, generations: dict[str, str]) -> Path:
    """A details file of hostile rows, each followed by a plain one."""
    rows = []
    for name, text in generations.items():
        for id_, given, score in ((name, text, 0.0), (f"after {name}", "ANSWER: 7", 1.0)):
            rows.append(
                {
                    "doc": {"id": id_, "query": QUESTION, "choices": [GOLD], "gold_index": 0},
                    "metric": {"extractive_match": score},
                    "model_response": {"text": [given]},
                }
            )
    path = folder / "details_hostile|0_2026-01-01T00-00-00.000000.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_of_hostile_generations_is_graded_whole(tmp_path: Path, jobs: int) -> None:
    generations = {**texts(), "50 MB": "and so on and on, $x_{17}$ is \\boxed{3} or not. " * 1_000_000 + "\nANSWER: 7"}
    out = tmp_path / "out.json"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "lighteval_fix", "regrade", str(details(tmp_path, generations)), "--quiet"),
            *("--jobs", str(jobs), "--json", str(out)),
        ],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [run] = json.loads(out.read_text())["runs"]
    assert run["generations"] == 2 * len(generations) == sum(run["verdicts"].values())
    assert run["verdicts"]["error"] == 0
    assert run["verdicts"]["right"] > len(generations)
    changed = {flip["id"] for flip in run["flips"]}
    assert "50 MB" in changed
    assert not [id_ for id_ in changed if id_.startswith("after ")]

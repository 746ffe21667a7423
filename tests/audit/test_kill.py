"""kill -9 at any moment, go on with --resume: the same result, twenty times."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples" / "run"
FILLER = "We go through the cases one by one and find nothing new. " * 600


def long_run(folder: Path) -> Path:
    """The example's maths details many times over, with longer texts: several parts of work."""
    [source] = EXAMPLES.rglob("details_maths*.parquet")
    rows = pyarrow.parquet.read_table(source).to_pylist()
    many = []
    for turn in range(24):
        for row in rows:
            texts = [f"{turn} {FILLER}{text}" for text in row["model_response"]["text"]]
            many.append({**row, "model_response": {**row["model_response"], "text": texts}})
    made = folder / source.name
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(many), made)
    return made


def command(details: Path, out: Path, journal: Path, jobs: int = 2) -> list[str]:
    return [
        *(sys.executable, "-m", "lighteval_fix", "regrade", str(details), "--quiet"),
        *("--jobs", str(jobs), "--resume", str(journal), "--json", str(out)),
    ]


def result(out: Path) -> Any:
    return json.loads(out.read_text())["runs"]


def test_killed_at_random_moments_and_resumed(tmp_path: Path) -> None:
    details = long_run(tmp_path)
    took = {}
    for jobs in (2, 1):
        started = time.monotonic()
        subprocess.run(command(details, tmp_path / "whole.json", tmp_path / f"{jobs}.whole", jobs), check=False)
        took[jobs] = time.monotonic() - started
    expected = result(tmp_path / "whole.json")
    assert sum(expected[0]["verdicts"].values()) == expected[0]["generations"] > 0
    chance = random.Random(20)
    resumed = 0
    for turn in range(20):
        journal, out = tmp_path / f"{turn}.journal", tmp_path / f"{turn}.json"
        jobs = 2 if turn % 4 == 0 else 1  # a pool takes long to start
        process = subprocess.Popen(command(details, out, journal, jobs), start_new_session=True)
        time.sleep(chance.uniform(took[jobs] / 4, took[jobs]))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        resumed += journal.exists() and journal.stat().st_size > 1000 and not out.exists()
        subprocess.run(command(details, out, journal, 1), check=False)
        assert result(out) == expected
    assert resumed, "no kill fell between the first part and the end: the run is too short to test anything"

"""`lighteval eval`, the Inspect backend, end to end with inspect_ai's mock model, offline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lighteval")
pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

DRIVER = Path(__file__).with_name("inspect_driver.py")


def evaluate(folder: Path, fixes: str, says: str) -> subprocess.CompletedProcess[str]:
    data = folder / "data"
    data.mkdir(exist_ok=True)
    (data / "train.jsonl").write_text(json.dumps({"problem": "What is 200 plus 4?", "answer": "204"}) + "\n")
    return subprocess.run(
        [sys.executable, str(DRIVER), fixes, says, str(folder / "logs"), str(data)],
        cwd=folder,
        # Its cache of answers outlives a run otherwise.
        env={**os.environ, "HF_HUB_OFFLINE": "1", "INSPECT_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
    )


def log(folder: Path) -> Any:
    from inspect_ai.log import read_eval_log

    (file,) = (folder / "logs").glob("*.eval")
    return read_eval_log(str(file))


def test_it_dies_before_the_first_request(tmp_path: Path) -> None:
    done = evaluate(tmp_path, "xxhash-text", "It is $\\boxed{204}$.")
    assert done.returncode != 0
    assert "frequence_penalty" in done.stdout + done.stderr
    assert not list((tmp_path / "logs").glob("*.eval"))


def test_it_finishes_and_writes_its_log(tmp_path: Path) -> None:
    done = evaluate(tmp_path, "dying", "It is $\\boxed{204}$.")
    assert done.returncode == 0, done.stderr[-2000:]
    written = log(tmp_path)
    assert written.status == "success"
    assert written.results.scores[0].metrics["accuracy"].value == 1
    assert "inspect-options" in written.eval.metadata["lighteval_fix"]["fixes"]


@pytest.mark.parametrize(("fixes", "accuracy"), [("dying", 0), ("default", 1), ("default,grading", 1)])
def test_a_value_in_another_form(tmp_path: Path, fixes: str, accuracy: int) -> None:
    done = evaluate(tmp_path, fixes, "It is $\\boxed{\\frac{408}{2}}$.")
    assert done.returncode == 0, done.stderr[-2000:]
    assert log(tmp_path).results.scores[0].metrics["accuracy"].value == accuracy


def test_our_own_scorer_says_what_it_read(tmp_path: Path) -> None:
    done = evaluate(tmp_path, "dying,grading", "First $\\boxed{200}$, and four more.\n\nTherefore, the answer is 204.")
    assert done.returncode == 0, done.stderr[-2000:]
    (score,) = log(tmp_path).samples[0].scores.values()
    assert score.metadata["standing"] in ("right", "wrong", "no_answer")
    assert score.metadata["golds"] == ["204"]

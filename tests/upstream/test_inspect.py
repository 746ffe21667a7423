"""`lighteval eval`, the Inspect backend, end to end with inspect_ai's mock model, offline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lighteval")
pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

DRIVER = Path(__file__).with_name("inspect_driver.py")
PLAIN = "It is $\\boxed{204}$."
FRACTION = "It is $\\boxed{\\frac{408}{2}}$."
# Name -> fixes, and what the model says. Where it dies comes first: nothing is in place before it.
SCENARIOS = {
    "dies": ("xxhash-text", PLAIN),
    "finishes": ("dying", PLAIN),
    "fraction, dying": ("dying", FRACTION),
    "fraction, default": ("default", FRACTION),
    "fraction, grading": ("default,grading", FRACTION),
    "sentence": ("dying,grading", "First $\\boxed{200}$, and four more.\n\nTherefore, the answer is 204."),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Scenario -> its folder, all of them run in one process."""
    asked, found = [], {}
    for name, (fixes, says) in SCENARIOS.items():
        folder = found[name] = tmp_path_factory.mktemp("inspect")
        (folder / "data").mkdir()
        question = {"problem": "What is 200 plus 4?", "answer": "204"}
        (folder / "data" / "train.jsonl").write_text(json.dumps(question) + "\n")
        asked.append({"fixes": fixes, "says": says, "folder": str(folder)})
    ended = subprocess.run(
        [sys.executable, str(DRIVER)],
        input=json.dumps(asked),
        cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    last = max(
        (path for path in tmp_path_factory.getbasetemp().rglob("said.txt")),
        key=lambda path: path.stat().st_mtime,
        default=None,
    )
    assert ended.returncode == 0, ended.stderr[-2000:] + (last.read_text()[-2000:] if last else "")
    return found


def log(folder: Path) -> Any:
    from inspect_ai.log import read_eval_log

    assert (folder / "code.txt").read_text() == "0", (folder / "said.txt").read_text()[-2000:]
    (file,) = (folder / "logs").glob("*.eval")
    return read_eval_log(str(file))


def test_it_dies_before_the_first_request(folders: Mapping[str, Path]) -> None:
    folder = folders["dies"]
    assert (folder / "code.txt").read_text() == "1"
    assert "frequence_penalty" in (folder / "said.txt").read_text()
    assert not list((folder / "logs").glob("*.eval"))


def test_it_finishes_and_writes_its_log(folders: Mapping[str, Path]) -> None:
    written = log(folders["finishes"])
    assert written.status == "success"
    assert written.results.scores[0].metrics["accuracy"].value == 1
    assert "inspect-options" in written.eval.metadata["lighteval_fix"]["fixes"]


@pytest.mark.parametrize(("fixes", "accuracy"), [("dying", 0), ("default", 1), ("grading", 1)])
def test_a_value_in_another_form(folders: Mapping[str, Path], fixes: str, accuracy: int) -> None:
    written = log(folders[f"fraction, {fixes}"])
    assert written.results.scores[0].metrics["accuracy"].value == accuracy


def test_our_own_scorer_says_what_it_read(folders: Mapping[str, Path]) -> None:
    (score,) = log(folders["sentence"]).samples[0].scores.values()
    assert score.metadata["standing"] in ("right", "wrong", "no_answer")
    assert score.metadata["golds"] == ["204"]


def test_the_log_that_it_writes_can_be_graded_again(folders: Mapping[str, Path]) -> None:
    from lighteval_fix import open_run, regrade

    (file,) = (folders["fraction, dying"] / "logs").glob("*.eval")
    run = open_run(str(file))
    assert run.format == "inspect_eval"
    assert run.model is not None
    assert run.model.startswith("mockllm")
    (made,) = regrade(run).to_dict()["runs"]
    (score,) = made["scores"]
    assert score["recorded"]["score"] == 0.0
    assert score["regraded"]["score"] == 1.0
    assert [flip["answer"] for flip in made["flips"]] == [r"\frac{408}{2}"]

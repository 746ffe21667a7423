"""LightEval's real pipeline, offline, on the example tasks: what it dies of, fix by fix, and what it scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

ROOT = Path(__file__).resolve().parents[2]
TASKS = "maths|0,choice|0,contest|0,programs|0"


def run(
    output: Path, fixes: str, tasks: str = TASKS, folder: Path = ROOT / "examples"
) -> subprocess.CompletedProcess[str]:
    """`lighteval-fix run --fixes … -- custom …` in the folder that holds the tasks."""
    code = "from lighteval_fix.cli.app import main; main()"
    arguments = ["custom", "example/replay", str(ROOT / "examples" / "replay_model.py"), tasks]
    arguments += ["--custom-tasks", "tasks.py", "--output-dir", str(output), "--save-details"]
    return subprocess.run(
        [sys.executable, "-c", code, "run", "--fixes", fixes, "--", *arguments],
        cwd=folder,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )


def results(output: Path) -> dict[str, Any]:
    (file,) = (output / "results" / "example" / "replay").glob("results_*.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def scores(output: Path) -> dict[str, float]:
    return {
        f"{task} {metric}": value
        for task, metrics in results(output)["results"].items()
        if task != "all"
        for metric, value in metrics.items()
        if not metric.endswith("_stderr")
    }


def regraded(output: Path, sandbox: str = "bubblewrap") -> dict[str, float]:
    """What the offline re-grader gives for the details below `output`."""
    from lighteval_fix import open_runs, regrade

    found = {}
    for each in open_runs(str(output)):
        for entry in regrade(each, sandbox=sandbox).to_dict()["runs"]:
            for score in entry["scores"]:
                found[f"{entry['task']} {score['metric']}"] = score["regraded"]["score"]
    return found


def without(*names: str) -> str:
    from lighteval_fix.upstream import catalog

    return ",".join(fix.name for fix in catalog.select(["dying"]) if fix.name not in names) or "none"


@pytest.mark.parametrize(
    ("missing", "dies_of"),
    [
        (("tiny-benchmarks-download",), "raw.githubusercontent.com"),
        (("judge-lookup",), "unexpected keyword argument 'model_name'"),
        (("xxhash-text",), "Strings must be encoded before hashing"),
    ],
)
def test_it_dies_of_each_fault_alone(tmp_path: Path, missing: Sequence[str], dies_of: str) -> None:
    done = run(tmp_path, without(*missing))
    assert done.returncode != 0
    assert dies_of in done.stdout + done.stderr
    assert not list(tmp_path.rglob("results_*.json"))


def test_it_dies_without_fixes(tmp_path: Path) -> None:
    done = run(tmp_path, "none")
    assert done.returncode != 0
    assert not list(tmp_path.rglob("*.parquet"))


def test_with_the_dying_group_it_scores_as_it_always_did(tmp_path: Path) -> None:
    done = run(tmp_path, "dying")
    assert done.returncode == 0, done.stderr[-2000:]
    assert scores(tmp_path) == pytest.approx(scores(ROOT / "examples" / "run"))
    stamp = results(tmp_path)["config_general"]["lighteval_fix"]
    assert "xxhash-text" in stamp["fixes"]
    assert stamp["version"]
    assert "lighteval-fix: 0005 xxhash-text: on" in done.stderr


def test_the_default_changes_only_what_is_averaged(tmp_path: Path) -> None:
    done = run(tmp_path, "default")
    assert done.returncode == 0, done.stderr[-2000:]
    before, after = scores(ROOT / "examples" / "run"), scores(tmp_path)
    assert after.pop("contest|0 avg@n:n=4") == 0.5
    assert before.pop("contest|0 avg@n:n=4") == 0.375
    assert after == pytest.approx(before)


@pytest.mark.sandbox
def test_with_all_fixes_it_scores_what_a_regrade_gives(tmp_path: Path) -> None:
    done = run(tmp_path, "default,reading,grading,code")
    assert done.returncode == 0, done.stderr[-2000:]
    found = scores(tmp_path)
    assert found == pytest.approx(regraded(ROOT / "examples" / "run"))
    assert found == pytest.approx(regraded(tmp_path)), "and for the details that it wrote"
    assert found["maths|0 pass@k:k=1&n=1"] > scores(ROOT / "examples" / "run")["maths|0 pass@k:k=1&n=1"]
    assert found["programs|0 codegen_pass@1:16"] == 1.0


def test_the_group_reading_by_itself(tmp_path: Path) -> None:
    done = run(tmp_path, "dying,0002,0004", tasks="choice|0,contest|0")
    assert done.returncode == 0, done.stderr[-2000:]
    found = scores(tmp_path)
    assert found["choice|0 gpqa_pass@k:k=1"] > 0.4
    assert found["contest|0 avg@n:n=4"] > 0.375


def test_lightevals_own_exit_code_and_words() -> None:
    code = "from lighteval_fix.cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", "--fixes", "none", "--", "custom", "--no-such-option"],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 2
    assert "--no-such-option" in done.stdout + done.stderr


def test_an_unknown_fix_is_a_usage_error() -> None:
    code = "from lighteval_fix.cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", "--fixes", "nonsense", "--", "custom"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "nonsense" in done.stderr

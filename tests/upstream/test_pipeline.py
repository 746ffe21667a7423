"""LightEval's real pipeline, offline, on the example tasks: what it dies of, fix by fix, and what it scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.upstream import catalog

pytest.importorskip("lighteval")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

ROOT = Path(__file__).resolve().parents[2]
TASKS = "maths|0,choice|0,contest|0,programs|0"


def command(tasks: str) -> list[str]:
    """Arguments of a run in the folder of the examples."""
    model = ["custom", "example/replay", "replay_model.py", tasks]
    return [*model, "--custom-tasks", "tasks.py", "--save-details"]


DYING = {
    # Fixes left out -> what LightEval dies of.
    "tiny-benchmarks-download": "raw.githubusercontent.com",
    "judge-lookup": "unexpected keyword argument 'model_name'",
    "xxhash-text": "Strings must be encoded before hashing",
}


def without(name: str) -> str:
    return ",".join(fix.name for fix in catalog.select(["dying"]) if fix.name != name)


# In this order, in one process: what cannot be imported stays out of it, so each sees its own fault.
SCENARIOS: dict[str, tuple[str, Sequence[str]]] = {
    "none": ("none", command(TASKS)),
    **{name: (without(name), command(TASKS)) for name in DYING},
    "no such option": ("none", ["custom", "--no-such-option"]),
    "dying": ("dying", command(TASKS)),
    "reading": ("dying,0002,0004", command("choice|0,contest|0")),
    "all": ("default,reading,grading,code", command(TASKS)),
}


@dataclass(frozen=True)
class Done:
    """What came of one scenario."""

    output: Path
    code: int
    said: str


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Done]:
    """Every scenario, run in one process."""
    folder = tmp_path_factory.mktemp("pipeline")
    asked = []
    for name, (fixes, arguments) in SCENARIOS.items():
        output = folder / name
        output.mkdir()
        place = ["--output-dir", str(output)] if "--save-details" in arguments else []
        asked.append({"output": str(output), "fixes": fixes, "arguments": [*arguments, *place]})
    ended = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("pipeline_driver.py"))],
        input=json.dumps(asked),
        cwd=ROOT / "examples",
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return {
        name: Done(
            folder / name, int((folder / name / "code.txt").read_text()), (folder / name / "said.txt").read_text()
        )
        for name in SCENARIOS
    }


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


@pytest.mark.parametrize("missing", DYING)
def test_it_dies_of_each_fault_alone(done: Mapping[str, Done], missing: str) -> None:
    ended = done[missing]
    assert ended.code == 1, "as LightEval itself ends by an exception"
    assert DYING[missing] in ended.said
    assert not list(ended.output.rglob("results_*.json"))


def test_it_dies_without_fixes(done: Mapping[str, Done]) -> None:
    assert done["none"].code == 1
    assert not list(done["none"].output.rglob("*.parquet"))


def test_with_the_dying_group_it_scores_as_it_always_did(done: Mapping[str, Done]) -> None:
    ended = done["dying"]
    assert ended.code == 0, ended.said[-2000:]
    assert scores(ended.output) == pytest.approx(scores(ROOT / "examples" / "run"))
    stamp = results(ended.output)["config_general"]["lighteval_fix"]
    assert "xxhash-text" in stamp["fixes"]
    assert stamp["version"]
    assert "lighteval-fix: 0005 xxhash-text: on" in ended.said


def test_the_default_changes_only_what_is_averaged(tmp_path: Path) -> None:
    """Through the installed command, in a process of its own: the fixes are there before LightEval is imported."""
    ended = subprocess.run(
        [Path(sys.executable).with_name("lighteval-fix"), "run", "--", *command(TASKS), "--output-dir", str(tmp_path)],
        cwd=ROOT / "examples",
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    before, after = scores(ROOT / "examples" / "run"), scores(tmp_path)
    assert after.pop("contest|0 avg@n:n=4") == 0.5
    assert before.pop("contest|0 avg@n:n=4") == 0.375
    assert after == pytest.approx(before)


@pytest.mark.sandbox
def test_with_all_fixes_it_scores_what_a_regrade_gives(done: Mapping[str, Done]) -> None:
    ended = done["all"]
    assert ended.code == 0, ended.said[-2000:]
    found = scores(ended.output)
    assert found == pytest.approx(regraded(ROOT / "examples" / "run"))
    assert found == pytest.approx(regraded(ended.output)), "and for the details that it wrote"
    assert found["maths|0 pass@k:k=1&n=1"] > scores(ROOT / "examples" / "run")["maths|0 pass@k:k=1&n=1"]
    assert found["programs|0 codegen_pass@1:16"] == 1.0


def test_the_group_reading_by_itself(done: Mapping[str, Done]) -> None:
    ended = done["reading"]
    assert ended.code == 0, ended.said[-2000:]
    found = scores(ended.output)
    assert found["choice|0 gpqa_pass@k:k=1"] > 0.4
    assert found["contest|0 avg@n:n=4"] > 0.375


def test_lightevals_own_exit_code_and_words(done: Mapping[str, Done]) -> None:
    assert done["no such option"].code == 2
    assert "--no-such-option" in done["no such option"].said


def test_an_unknown_fix_is_a_usage_error() -> None:
    code = "from lighteval_fix.cli.app import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "run", "--fixes", "nonsense", "--", "custom"], capture_output=True, text=True
    )
    assert ended.returncode == 2
    assert "nonsense" in ended.stderr

"""LightEval's own unit tests, from its source distribution: no new failures with the fixes in place. And a real run
of many loops of boxes goes through its metric."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("lighteval")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

ROOT = Path(__file__).resolve().parents[2]
GENERATIONS = ROOT.parent / "shared" / "data" / "generations" / "qwen2.5-math-7b_math500.jsonl"
FIXES = ("none", "default", "all")
# One process, since LightEval takes long to import; every pass collects the tests anew.
DRIVER = """
import os, sys, pytest
from lighteval_fix import harness
from lighteval_fix.upstream.install import installer
class Outcomes:
    def __init__(self):
        self.found = {}
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or not report.passed:
            self.found[report.nodeid.split("::", 1)[1]] = report.outcome
found = {}
for fixes in sys.argv[2:]:
    if fixes != "none":
        harness.apply_all(fixes=[fixes])
    outcomes = Outcomes()
    options = ["-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "--import-mode=importlib", "-q"]
    pytest.main([*options, "test_unit_base_metrics.py"], plugins=[outcomes])
    installer().uninstall()
    found[fixes] = outcomes.found
import json, pathlib
pathlib.Path(sys.argv[1]).write_text(json.dumps(found))
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lighteval-sdist")
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--no-binary",
        "lighteval",
        "-d",
        str(folder),
    ]
    done = subprocess.run([*command, "lighteval==0.13.0"], capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"pip cannot download the source distribution here: {done.stderr.strip()[-200:]}")
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    tests = folder / "lighteval-0.13.0" / "tests"
    if not (tests / "test_unit_base_metrics.py").exists():
        pytest.skip("this source distribution ships no metric tests")
    return tests


def test_lightevals_own_tests_fail_and_pass_alike(suite: Path, tmp_path: Path) -> None:
    written = tmp_path / "outcomes.json"
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(written), *FIXES],
        cwd=suite,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = json.loads(written.read_text())
    before = outcomes.pop("none")
    assert list(before.values()).count("passed") > 5
    assert outcomes == {"default": before, "all": before}


@pytest.mark.skipif(not GENERATIONS.exists(), reason="needs ../shared")
def test_the_metric_finishes_on_real_loops_of_boxes() -> None:
    code = f"""
import json
from lighteval_fix import harness
harness.apply_all(fixes=["dying", "hanging"])
from lighteval.metrics.metrics import Metrics
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
metric = Metrics.pass_at_k_math(sample_params={{"k": 1, "n": 1}})
scores = []
for line in open({str(GENERATIONS)!r}, encoding="utf-8"):
    row = json.loads(line)
    doc = Doc(query="", choices=["ANSWER: $" + row["answer"] + "$"], gold_index=0)
    (score,) = metric.compute_sample(doc=doc, model_response=ModelResponse(text=[row["text"]])).values()
    scores.append(float(score))
print(json.dumps([len(scores), sum(scores)]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    count, right = json.loads(done.stdout.strip().splitlines()[-1])
    assert count == 500
    assert right > 200

"""What every fix finds and does in the versions of LightEval that people have: the table in docs/fixes.

    python -m tools.versions PYTHON…     ask each interpreter (an environment with LightEval and this package), and
                                         write what came of it into docs/fixes/versions.json

An interpreter is asked in processes of its own: the probes on the harness as it is; all fixes before LightEval is
imported, and after; installing them twice; taking them out again; and a small evaluation through `lighteval custom`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "docs" / "fixes" / "versions.json"
OLD = ROOT / "tests" / "upstream" / "old_versions"
RUNS = ("none", "default")
_ERROR = re.compile(r"[\w.]*(?:Error|Exception): ")
_LONGEST = 90  # characters of what a run said last
_STAND_IN = "def get_tokenizer(name):\n    return name\n"


def ask(python: str, environment: Mapping[str, str] | None = None, *, evaluate: bool = True) -> dict[str, Any]:
    """What the data file holds of one interpreter's LightEval; without `evaluate`, all but the two evaluations."""
    env = {**os.environ, "HF_HUB_OFFLINE": "1", **(environment or {})}
    with tempfile.TemporaryDirectory() as folder:
        found = {stage: _inside(python, stage, env, folder) for stage in STAGES}
        runs = {fixes: _evaluation(python, fixes, env, Path(folder)) for fixes in RUNS if evaluate}
        with_sglang = _stand_in(Path(folder))
        env["PYTHONPATH"] = os.pathsep.join([str(with_sglang), *filter(None, [env.get("PYTHONPATH")])])
        sglang = _inside(python, "sglang", env, folder)
    doctor, early, late = (found[stage] for stage in ("doctor", "early", "late"))
    doctor["faults"]["sglang-import"], early["sglang-import"] = sglang["fault"], sglang["fix"]
    late["sglang-import"] = sglang["fix"]
    fixes = {
        name: {"fault": fault, "before_import": early[name], "after_import": late[name]}
        for name, fault in doctor["faults"].items()
    }
    return {"version": doctor["version"], "with": doctor["with"], "fixes": fixes, "runs": runs}


def _inside(python: str, stage: str, env: Mapping[str, str], folder: str) -> dict[str, Any]:
    written = Path(folder) / f"{stage}.json"
    done = subprocess.run(
        [python, "-m", "tools.versions", "--inside", stage, str(written)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=900,
    )
    if not written.exists():
        raise SystemExit(f"{python} {stage}: {done.stderr[-3000:]}")
    loaded: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
    return loaded


def _evaluation(python: str, fixes: str, env: Mapping[str, str], folder: Path) -> str:
    """How a small run ends: with its score, or with the last line that it said."""
    output = folder / f"run-{fixes}"
    examples = not _version(python, env).startswith(("0.10.", "0.11."))
    task, place = ("maths|0", ROOT / "examples") if examples else ("custom|sums|0|0", OLD)
    arguments = ["custom", "example/replay", "replay_model.py", task, "--custom-tasks", "tasks.py", "--output-dir"]
    done = subprocess.run(
        [python, "-m", "lighteval_fix", "run", "--fixes", fixes, "--", *arguments, str(output), "--save-details"],
        cwd=place,
        env=env,
        capture_output=True,
        text=True,
        timeout=900,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()
        last = next((line for line in reversed(said) if _ERROR.match(line)), said[-1])
        return f"ends with {last.strip()[:_LONGEST]}"
    (file,) = output.rglob("results_*.json")
    result = json.loads(file.read_text(encoding="utf-8"))
    assert fixes == "none" or result["config_general"]["lighteval_fix"]["fixes"]
    (score,) = [
        value
        for task, scores in result["results"].items()
        if task != "all"
        for name, value in scores.items()
        if not name.endswith("_stderr")
    ]
    details = len(list(output.rglob("*.parquet")))
    return f"finishes: {score:.4g}, results and {details} file of details written"


def _version(python: str, env: Mapping[str, str]) -> str:
    code = "from importlib.metadata import version; print(version('lighteval'))"
    return subprocess.run([python, "-c", code], env=env, capture_output=True, text=True, check=True).stdout.strip()


def _stand_in(folder: Path) -> Path:
    """A package in SGLang's place that keeps its tokenizers where a current one does."""
    place = folder / "stand-in" / "sglang" / "srt" / "utils"
    place.mkdir(parents=True)
    for package in (place, place.parent, place.parent.parent):
        (package / "__init__.py").touch()
    (place / "hf_transformers_utils.py").write_text(_STAND_IN)
    return folder / "stand-in"


def outcome(found: Mapping[str, Any]) -> str:
    """One cell of the table, from what was found about one fix."""
    fault, early, late = found["fault"], found["before_import"], found["after_import"]
    match fault["state"]:
        case "not_there":
            return NO_PLACE if "builds on" in fault["detail"] else "not there"
        case "unknown":
            return str(fault["detail"])
    mended = {"state": "installed", "installed": "absent", "again": "already in place", "taken_out": "present"}
    if fault["state"] == "present" and all({**each, **mended} == each for each in (early, late)):
        return MENDED
    return f"{fault['state']}; before import {early['state']}, after {late['state']}"


MENDED = "mended"
NO_PLACE = "no place for it"

# In the interpreter that is asked.


def _doctor() -> dict[str, Any]:
    from importlib.metadata import version

    from lighteval_fix.upstream import catalog
    from lighteval_fix.upstream.doctor import examine

    report = examine([fix for fix in catalog.all_fixes() if fix.harness == "lighteval"])
    libraries = ("datasets", "huggingface_hub", "numpy", "pyarrow", "transformers", "xxhash")
    return {
        "version": report.harnesses["lighteval"],
        "with": {name: version(name) for name in libraries},
        "faults": {fault.name: {"state": fault.state, "detail": fault.detail} for fault in report.faults},
    }


def _early() -> dict[str, Any]:
    assert "lighteval" not in sys.modules
    return _in_and_out(["all"])


def _late() -> dict[str, Any]:
    from lighteval_fix import harness
    from lighteval_fix.upstream import catalog, live
    from lighteval_fix.upstream.fix import Hook, Transplant

    with harness.applied(fixes=["dying"]):
        for fix in catalog.select(["all"]):
            body = fix.body
            named = [edit.modules for edit in body.edits] if isinstance(body, Transplant) else []
            for modules in [*named, *([body.modules] if isinstance(body, Hook) else [])]:
                for module in modules:
                    if live.source_of(module) is not None:
                        import_module(module)
    return _in_and_out(["all"])


def _sglang() -> dict[str, Any]:
    from lighteval_fix.upstream import catalog

    (fix,) = catalog.select(["sglang-import"])
    finding = fix.look()
    return {
        "fault": {"state": finding.seen.value, "detail": f"with a stand-in for SGLang: {finding.detail}"},
        "fix": _in_and_out(["sglang-import"])["sglang-import"],
    }


def _in_and_out(wanted: list[str]) -> dict[str, Any]:
    """Install, look, install again, take out, look."""
    from lighteval_fix import harness
    from lighteval_fix.upstream import catalog
    from lighteval_fix.upstream.fix import State
    from lighteval_fix.upstream.install import installer

    results = harness.apply_all(fixes=wanted)
    found: dict[str, dict[str, str]] = {
        result.fix.name: {"state": result.state.value, "detail": result.detail} for result in results
    }
    inside = {fix.name for fix in installer().installed()}
    for fix in catalog.select(wanted):
        if fix.name in inside:
            finding = fix.look()
            found[fix.name].update(installed=finding.seen.value, finds=finding.detail)
    again = harness.apply_all(fixes=wanted)
    assert {fix.name for fix in installer().installed()} == inside
    for result in again:
        if result.fix.name in inside:
            found[result.fix.name]["again"] = result.detail
    installer().uninstall()
    for fix in catalog.select(wanted):
        if fix.name in inside:
            found[fix.name]["taken_out"] = fix.look().seen.value
    assert all(result.state is not State.PENDING or result.detail for result in results)
    return found


STAGES: dict[str, Callable[[], dict[str, Any]]] = {"doctor": _doctor, "early": _early, "late": _late}


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--inside"]:
        stages = {**STAGES, "sglang": _sglang}
        Path(arguments[2]).write_text(json.dumps(stages[arguments[1]]()), encoding="utf-8")
        return 0
    if not arguments:
        print(__doc__)
        return 2
    known = {entry["version"]: entry for entry in (json.loads(DATA.read_text()) if DATA.exists() else [])}
    for python in arguments:
        entry = ask(python)
        known[entry["version"]] = entry
        ordered = [known[version] for version in sorted(known)]
        DATA.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(entry["version"])
    return 0


if __name__ == "__main__":
    sys.exit(main())

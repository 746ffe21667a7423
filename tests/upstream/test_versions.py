"""The table of versions in docs/fixes says what a run finds, and the fixes name the versions that it shows.

`LIGHTEVAL_FIX_OLD_VERSIONS` may name a folder of environments (`lighteval-0.10.0/bin/python`, with this package);
without it, the old LightEval is put before this environment's own, which has all that it needs for the probes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.upstream import catalog
from tools import versions

FIXES = [fix for fix in catalog.all_fixes() if fix.harness == "lighteval"]
ASKED: Mapping[str, Mapping[str, Any]] = {
    entry["version"]: entry for entry in json.loads(versions.DATA.read_text(encoding="utf-8"))
}


def test_it_covers_the_versions_and_the_fixes() -> None:
    assert set(ASKED) == {version for fix in FIXES for version in fix.seen_in}
    for version, entry in ASKED.items():
        asked = set(entry["fixes"])
        assert asked == {fix.name for fix in FIXES}, (
            f"{version}: run `python -m tools.versions PYTHON…` (docs/adding.md)"
        )


@pytest.mark.parametrize("version", ASKED)
def test_a_fix_names_the_versions_in_which_its_fault_was_shown_and_mended(version: str) -> None:
    found = {name: versions.outcome(each) for name, each in ASKED[version]["fixes"].items()}
    assert {name for name, what in found.items() if what == versions.MENDED} == {
        fix.name for fix in FIXES if version in fix.seen_in
    }
    assert set(found.values()) <= {versions.MENDED, versions.NO_PLACE, "not there"}


@pytest.mark.parametrize("version", ASKED)
def test_a_run_dies_without_the_fixes_and_finishes_with_them(version: str) -> None:
    runs = ASKED[version]["runs"]
    assert runs["none"].startswith("ends with ")
    assert runs["default"].startswith("finishes: ")


def test_what_counts_as_mended() -> None:
    (found, *_) = (each for each in ASKED["0.13.0"]["fixes"].values() if versions.outcome(each) == versions.MENDED)
    for step, other in (("installed", "present"), ("taken_out", "absent"), ("again", ""), ("state", "pending")):
        worse = {**found, "after_import": {**found["after_import"], step: other}}
        assert versions.outcome(worse) != versions.MENDED
    assert versions.outcome({**found, "fault": {"state": "unknown", "detail": "cannot be probed: x"}}) == (
        "cannot be probed: x"
    )


@pytest.mark.slow
@pytest.mark.lighteval
@pytest.mark.sandbox
@pytest.mark.parametrize("version", ["0.10.0", "0.12.2"])
def test_the_table_is_what_a_run_finds(version: str, tmp_path: Path) -> None:
    given = os.environ.get("LIGHTEVAL_FIX_OLD_VERSIONS")
    python, environment = sys.executable, {}
    if given:
        python = str(Path(given) / f"lighteval-{version}" / "bin" / "python")
    else:
        pytest.importorskip("lighteval")
        environment["PYTHONPATH"] = str(tmp_path)
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(tmp_path)]
        done = subprocess.run([*command, f"lighteval=={version}"], capture_output=True, text=True, timeout=300)
        if done.returncode:
            pytest.skip(f"pip cannot install it here: {done.stderr.strip()[-200:]}")
    found = versions.ask(python, environment, evaluate=False)
    assert found["version"] == version
    assert {name: versions.outcome(each) for name, each in found["fixes"].items()} == {
        name: versions.outcome(each) for name, each in ASKED[version]["fixes"].items()
    }

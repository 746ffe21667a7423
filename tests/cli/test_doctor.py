"""`lighteval-fix doctor`: nothing but our own findings, with and without a harness."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from lighteval_fix.upstream import live

# A machine without LightEval, also where the tests run beside one.
WITHOUT = "from lighteval_fix.upstream import live; live.package_root = lambda package: None; "
# `_version` asks the metadata first, which a stand-in cannot take away.
WITHOUT += "from lighteval_fix.upstream import doctor; doctor._version = lambda package: None; "
MAIN = "from lighteval_fix.cli.app import main; main()"


def doctor(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, "doctor", *arguments],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_machine_without_a_harness() -> None:
    done = doctor(WITHOUT + MAIN)
    assert done.returncode == 0
    assert done.stdout == "lighteval is not installed\nomlx is not installed\n"
    probed, programs = done.stderr.splitlines()
    assert probed == "lighteval-fix: no harness is installed here, so there is nothing to probe"
    assert programs.startswith("lighteval-fix: programs ")


@pytest.mark.slow
@pytest.mark.lighteval
@pytest.mark.skipif(live.package_root("lighteval") is None, reason="LightEval is not installed")
def test_what_a_harness_prints_is_not_passed_on() -> None:
    done = doctor(MAIN, "--json", "-")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    states = {fault["name"]: fault["state"] for fault in report["faults"]}
    assert report["harnesses"]["lighteval"]
    assert states["xxhash-text"] == "present"
    assert "unknown" not in states.values()
    assert done.stderr == ""

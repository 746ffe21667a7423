"""The options that need LightEval."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.details import SUMS, call, details


@pytest.mark.lighteval
@pytest.mark.slow
def test_causes_are_proved_by_replay(tmp_path: Path) -> None:
    pytest.importorskip("lighteval")
    path = details(tmp_path, SUMS[:2])
    out = tmp_path / "out.json"
    assert call("regrade", str(path), "--explain", "replay", "--json", str(out), "--quiet") == 0
    (flip,) = json.loads(out.read_text())["runs"][0]["flips"]
    assert (flip["cause"], flip["cause_by"]) == ("answer_line_unread", "replayed")


@pytest.mark.lighteval
@pytest.mark.slow
def test_lightevals_comparator_can_be_asked(tmp_path: Path) -> None:
    pytest.importorskip("lighteval")
    path = details(tmp_path, SUMS[:3])
    out = tmp_path / "out.json"
    assert call("regrade", str(path), "--comparator", "lighteval", "--json", str(out), "--quiet") == 0
    document = json.loads(out.read_text())
    assert document["settings"]["comparator"] == "lighteval"
    assert document["runs"][0]["verdicts"]["right"] == 2


@pytest.mark.parametrize("option", [("--explain", "replay"), ("--comparator", "lighteval")])
def test_without_lighteval_they_are_usage_errors(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if find_spec("lighteval") is not None:
        pytest.skip("LightEval is installed here")
    assert call("regrade", str(tmp_path), *option) == 2
    assert "lighteval-fix[lighteval]" in capsys.readouterr().err

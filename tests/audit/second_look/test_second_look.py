"""A second look at the real runs: another reader, another comparator, no shared code; disagreements are explained."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from lighteval_fix.audit.regrade import iter_grades
from lighteval_fix.model import Grade, Item, Kind, Run, Standing
from lighteval_fix.sources import open_runs
from tests.audit.second_look.reader import gold_of, last_answer, letter

ROOT = Path(__file__).parents[3]
RUNS = ROOT.parent / "shared" / "data" / "runs" / "lighteval"
PYTHON = ROOT / ".venv-math-verify" / "bin" / "python"
EXPLAINED = Path(__file__).with_name("disagreements.toml")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not RUNS.exists(), reason="the shared runs are not on this machine"),
    pytest.mark.skipif(not PYTHON.exists(), reason="math-verify's own environment is not set up (make test)"),
]


def short(run: Run) -> str:
    return (run.model or run.path).rpartition("/")[2]


def second_marks(run: Run, items: list[Item], kind: Kind) -> dict[tuple[int, int], bool]:
    """(row, sample) -> whether the second look marks it right."""
    if kind is Kind.CHOICE:
        return {
            (item.row, sample): letter(generation.text, "".join(item.labels)) == item.labels[item.gold_index[0]]
            for item in items
            for sample, generation in enumerate(item.generations)
        }
    keys = [(item.row, sample) for item in items for sample in range(len(item.generations))]
    pairs = [
        (gold_of(item.golds[0].text), last_answer(generation.text)) for item in items for generation in item.generations
    ]
    lines = "".join(json.dumps(pair) + "\n" for pair in pairs)
    done = subprocess.run(
        [str(PYTHON), str(Path(__file__).with_name("comparator.py"))],
        input=lines,
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    return dict(zip(keys, map(json.loads, done.stdout.splitlines()), strict=True))


def disagreements() -> dict[str, dict[str, str]]:
    """run -> "row" or "row.sample" -> what each says."""
    found: dict[str, dict[str, str]] = {}
    for run in open_runs(str(RUNS)):
        if run.kind is Kind.CODE:
            continue
        grades = [grade for grade in iter_grades(run) if isinstance(grade, Grade)]
        items = [item for item in run.items() if isinstance(item, Item)]
        second = second_marks(run, items, grades[0].kind)
        for grade in grades:
            ours = grade.standing is Standing.RIGHT
            if ours is not second[grade.row, grade.sample]:
                place = str(grade.row) if grade.samples == 1 else f"{grade.row}.{grade.sample}"
                found.setdefault(short(run), {})[place] = f"re-grader {grade.standing}, second look {not ours}"
    return found


def test_every_disagreement_is_explained_and_every_explanation_is_needed() -> None:
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    found = disagreements()
    unexplained = {
        f"{run} row {row}": said
        for run, rows in found.items()
        for row, said in rows.items()
        if row not in explained.get(run, {})
    }
    assert unexplained == {}
    stale = {
        f"{run} row {row}"
        for run, rows in explained.items()
        for row, reason in rows.items()
        if row not in found.get(run, {}) and not reason.startswith("sometimes: ")
    }
    assert stale == set()

"""Results as other tools read them: tables, Inspect's precomputed scores, lm-eval samples."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lighteval_fix.audit.summary import RunSummary
from lighteval_fix.grading.grader import Options
from lighteval_fix.model import (
    Cause,
    Change,
    Different,
    Equal,
    Grade,
    InputError,
    Item,
    Kind,
    Mark,
    NoAnswer,
    NoAnswerReason,
    Policy,
    Proof,
    Reading,
    RowError,
    Rule,
    Run,
    Standing,
    Undecided,
    UndecidedReason,
)
from lighteval_fix.reports.inspect_scores import InspectScores
from lighteval_fix.reports.lm_eval_samples import LmEvalSamples
from lighteval_fix.reports.report import Report
from lighteval_fix.reports.tables import TableReport
from lighteval_fix.sources import open_run

DATA = Path(__file__).parents[1] / "data"
STANDINGS = (Standing.RIGHT, Standing.WRONG, Standing.UNDECIDED, Standing.NO_ANSWER)


def grades_of(run: Run) -> list[Grade | RowError]:
    """Made-up verdicts, one a generation, of every kind in turn."""
    found: list[Grade | RowError] = []
    for item in run.items():
        if isinstance(item, RowError):
            found.append(item)
            continue
        for sample in range(len(item.generations)):
            found.append(_grade(item, sample, STANDINGS[len(found) % 4]))
    return found


def _grade(item: Item, sample: int, standing: Standing) -> Grade:
    verdict: Any = {
        Standing.RIGHT: Equal(Proof.EXACT, "a \ud800 quote"),
        Standing.WRONG: Different(Proof.EXACT),
        Standing.UNDECIDED: Undecided(UndecidedReason.LIMIT),
    }.get(standing)
    reading = Reading("4,\n5\u2028", ((0, 4),), Rule.BOX) if verdict else NoAnswer(NoAnswerReason.EMPTY)
    return Grade(
        id=item.id,
        row=item.row,
        task=item.task,
        sample=sample,
        samples=len(item.generations),
        kind=Kind.MATH,
        standing=standing,
        golds=tuple(gold.text for gold in item.golds),
        matched_gold=0 if standing is Standing.RIGHT else None,
        reading=reading,
        verdict=verdict,
        by_policy=((Policy.VALUE, standing),),
        marks=(Mark.UNFINISHED,),
        recorded=item.recorded,
        change=Change.RECOVERED if standing is Standing.RIGHT else Change.KEPT,
        cause=Cause.NOTATION if standing is Standing.RIGHT else None,
    )


def write(report: Report, *runs: Run) -> None:
    for run in runs:
        report.begin(run, Options())
        for grade in grades_of(run):
            report.add(grade)
        report.end(run, SUMMARY)
    report.finish()


SUMMARY: RunSummary = None  # type: ignore[assignment]  # none of these reports looks at it


def details() -> Run:
    (path,) = (DATA / "lighteval").rglob("details_sums*.parquet")
    return open_run(str(path))


def test_the_three_tables_hold_the_same_rows(tmp_path: Path) -> None:
    run = details()
    for ending in ("parquet", "jsonl", "csv"):
        write(TableReport(tmp_path / f"rows.{ending}"), run, run)
    table = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").split("\n") if line]
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as stream:
        cells = list(csv.DictReader(stream))
    assert table == lines
    assert len(table) == len(cells) == 2 * 8
    assert [(row["row"], row["sample"], row["standing"]) for row in table[:4]] == [
        (0, 0, "right"),
        (0, 1, "wrong"),
        (1, 0, "undecided"),
        (1, 1, "no_answer"),
    ]
    first = table[0]
    assert first["path"] == run.path
    assert first["model"] == "acme/tiny-1"
    assert (first["from"], first["level"], first["to"]) == (1.0, "item", 1.0)
    assert first["recorded"] == [{"metric": "avg@n:n=2", "score": 1.0}]
    assert first["verdict"] == {"kind": "equal", "proof": "exact", "reason": None, "evidence": "a \ufffd quote"}
    assert first["reading"] == {"rule": "box", "spans": [[0, 4]], "in_reasoning": False, "no_answer": None}
    assert first["answer"] == "4,\n5\u2028"
    assert table[3]["reading"]["no_answer"] == "empty"
    assert [(row["row"], row["error"]) for row in table if row["error"]] == [(3, "no_generation"), (4, "null_gold")] * 2
    assert json.loads(cells[0]["recorded"]) == first["recorded"]
    assert cells[0]["answer"] == first["answer"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.csv", "rows.jsonl", "rows.parquet"]


def test_one_line_a_row_for_every_reader_of_lines(tmp_path: Path) -> None:
    write(TableReport(tmp_path / "rows.jsonl"), details())
    text = (tmp_path / "rows.jsonl").read_text(encoding="utf-8")
    assert len(text.splitlines()) == 8


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    TableReport(tmp_path / "rows.parquet").finish()
    assert pq.read_table(tmp_path / "rows.parquet").num_rows == 0


def test_a_table_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    report = TableReport(tmp_path / "rows.jsonl")
    report.begin(details(), Options())
    report.add(RowError(0, "null_gold"))
    report.end(details(), SUMMARY)
    assert not (tmp_path / "rows.jsonl").exists()
    report.finish()
    assert (tmp_path / "rows.jsonl").exists()
    abandoned = TableReport(tmp_path / "other.csv")
    assert len(list(tmp_path.iterdir())) == 2
    del abandoned
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"out": "1", "gold": "1", "q": "One?"}\n', encoding="utf-8")
    run = open_run(str(path), columns={"response": "out", "gold": "gold", "prompt": "q"})
    for report in (TableReport(path), InspectScores(path)):
        with pytest.raises(InputError, match="would overwrite"):
            report.begin(run, Options())
    assert path.read_text(encoding="utf-8").startswith('{"out"')
    with pytest.raises(InputError, match="unknown table format"):
        TableReport(tmp_path / "rows.xlsx")


def test_inspect_scores(tmp_path: Path) -> None:
    run = open_run(str(DATA / "inspect" / "deflated.eval"))
    write(InspectScores(tmp_path / "scores.jsonl"), run, run)
    records = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(record["id"], record["epoch"], record["value"]) for record in records] == [
        ("1", 1, "C"),
        ("1", 2, "I"),
        ("2", 1, "I"),
        ("3", 1, "N"),
        ("3", 2, "C"),
        ("river", 1, "I"),
    ]
    assert records[2]["metadata"]["standing"] == "undecided"
    assert records[0]["answer"] == "4,\n5\u2028"
    assert (tmp_path / "scores-2.jsonl").read_bytes() == (tmp_path / "scores.jsonl").read_bytes()


@pytest.mark.slow
def test_inspect_reads_its_scores(tmp_path: Path) -> None:
    precomputed = pytest.importorskip("inspect_ai.scorer._precomputed", reason="inspect_ai is not installed")
    write(InspectScores(tmp_path / "scores.jsonl"), open_run(str(DATA / "inspect" / "deflated.eval")))
    found = precomputed._read_scores_file(str(tmp_path / "scores.jsonl"))
    assert found["3", 2].value == "C"
    assert len(found) == 6


def test_lm_eval_samples_of_an_lm_eval_run(tmp_path: Path) -> None:
    (path,) = (DATA / "lm_eval").rglob("samples_sums*.jsonl")
    run = open_run(str(path))
    write(LmEvalSamples(tmp_path), run)
    (written,) = tmp_path.iterdir()
    assert written.name == path.name
    lines = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    old = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines[: len(old)] == old
    assert [(line["doc_id"], line["filter"], line["exact_match"]) for line in lines[len(old) :]] == [
        (0, "lighteval-fix", 0.5),
        (1, "lighteval-fix", 0.0),
    ]
    items = [item for item in open_run(str(written)).items() if isinstance(item, Item)]
    assert "exact_match,lighteval-fix" in {score.metric for item in items for score in item.recorded}


def test_lm_eval_samples_of_another_run(tmp_path: Path) -> None:
    write(LmEvalSamples(tmp_path), details())
    (written,) = tmp_path.iterdir()
    assert written.name == "samples_sums_0_2026-01-05T10-20-30.000001.jsonl"
    run = open_run(str(written))
    items = [item for item in run.items() if isinstance(item, Item)]
    assert [item.golds[0].text for item in items] == ["24", "4", "\\frac{9}{2}"]
    assert [(score.metric, score.score) for score in items[0].recorded] == [
        ("exact_match,recorded", 1.0),
        ("exact_match,lighteval-fix", 0.5),
    ]
    assert len(items[0].generations) == 2

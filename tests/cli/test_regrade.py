from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from lighteval_fix.reports.summary_json import schema
from tests.cli.details import SUMS, call, details, row


def test_the_document_is_the_contracts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = details(tmp_path, SUMS)
    assert call("regrade", str(tmp_path), "--json", str(tmp_path / "out.json"), "--jobs", "1") == 0
    document = json.loads((tmp_path / "out.json").read_text())
    jsonschema.validate(document, schema())
    (run,) = document["runs"]
    assert (run["model"], run["task"], run["kind"]) == ("acme/tiny", "sums|0", "math")
    assert run["input"]["bytes"] == path.stat().st_size
    assert len(run["input"]["sha256"]) == 64
    assert sum(run["verdicts"].values()) == run["generations"] == 4
    assert sum(n for name, n in run["changes"].items() if name != "level") == 4
    assert [(flip["id"], flip["from"], flip["to"]) for flip in run["flips"]] == [("1", 0.0, 1.0), ("2", 1.0, 0.0)]
    assert run["flips"][0]["cause"] == "answer_line_unread"
    (score,) = run["scores"]
    assert score["recorded"]["score"] == 0.5
    assert score["regraded"]["score"] == 0.5
    assert score["regraded"]["if_undecided_right"] == 0.75
    shown = capsys.readouterr()
    assert "recovered 1, withdrawn 1" in shown.out
    assert shown.err == ""


def test_json_on_stdout_is_nothing_but_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    details(tmp_path, SUMS)
    assert call("regrade", str(tmp_path), "--json", "-", "--jobs", "1") == 0
    assert json.loads(capsys.readouterr().out)["schema_version"] == 1


def test_quiet_is_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    details(tmp_path, SUMS)
    assert call("regrade", str(tmp_path), "--quiet") == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


@pytest.mark.parametrize(("what", "code"), [("changed", 3), ("withdrawn", 3), ("undecided", 3)])
def test_fail_on(tmp_path: Path, what: str, code: int) -> None:
    details(tmp_path, SUMS)
    assert call("regrade", str(tmp_path), "--quiet", "--fail-on", what) == code


def test_fail_on_is_silent_where_nothing_of_it_is_found(tmp_path: Path) -> None:
    details(tmp_path, SUMS[:1])
    assert call("regrade", str(tmp_path), "--quiet", "--fail-on", "changed") == 0


def test_a_bad_row_is_named_and_costs_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [*SUMS, row(4, "No reference?", None, ["ANSWER: 1"]), row(5, "Nothing came?", "1", None)]
    path = details(tmp_path, rows)
    assert call("regrade", str(path), "--json", str(tmp_path / "out.json"), "--fail-on", "changed") == 1
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if f"{path}, row 4: null_gold" in line]
    assert [line for line in told if f"{path}, row 5: no_generation" in line]
    (run,) = json.loads((tmp_path / "out.json").read_text())["runs"]
    assert run["generations"] == 4
    assert [error["row"] for error in run["errors"]] == [4, 5]


def test_bad_files_are_told_in_one_line_and_the_others_are_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = details(tmp_path / "good", SUMS)
    text = tmp_path / "notes.parquet"
    text.write_text("no parquet at all")
    torn = tmp_path / "torn.parquet"
    torn.write_bytes(good.read_bytes()[:-60])
    empty = tmp_path / "empty.parquet"
    empty.write_bytes(b"")
    paths = [str(tmp_path / "missing.parquet"), str(text), str(torn), str(empty), str(good)]
    assert call("regrade", *paths, "--json", str(tmp_path / "out.json")) == 1
    told = capsys.readouterr().err.splitlines()
    for path in paths[:4]:
        assert len([line for line in told if path in line]) == 1, (path, told)
    assert len(told) == 4
    assert len(json.loads((tmp_path / "out.json").read_text())["runs"]) == 1


def test_a_file_without_rows_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = details(tmp_path, SUMS)
    pq.write_table(pq.read_table(path).slice(0, 0), path)
    assert isinstance(pa.__version__, str)
    assert call("regrade", str(path), "--quiet") == 1
    assert "holds no rows" in capsys.readouterr().err


def test_other_columns_are_an_unknown_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "other.parquet"
    pq.write_table(pa.table({"left": [1], "right": [2]}), path)
    assert call("regrade", str(path)) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert str(path) in line


@pytest.mark.parametrize(
    "arguments",
    [
        ("regrade",),
        ("regrade", "x", "--policy", "loose"),
        ("regrade", "x", "--memory", "much"),
        ("regrade", "x", "--columns", "gold"),
        ("regrade", "x", "--precision", "-1"),
        ("unknown",),
    ],
)
def test_usage_errors_exit_with_two(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*arguments) == 2
    assert capsys.readouterr().out == ""


def test_the_input_is_not_touched(tmp_path: Path) -> None:
    path = details(tmp_path, SUMS)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    call("regrade", str(tmp_path), "--quiet")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_tasks_can_be_chosen(tmp_path: Path) -> None:
    details(tmp_path, SUMS, task="sums")
    details(tmp_path, SUMS, task="other")
    out = tmp_path / "out.json"
    assert call("regrade", str(tmp_path), "--task", "other*", "--json", str(out), "--quiet") == 0
    assert [run["task"] for run in json.loads(out.read_text())["runs"]] == ["other|0"]


@pytest.mark.slow
def test_jobs_change_nothing_but_the_time(tmp_path: Path) -> None:
    rows = [row(n, "Two and five?", "7", [f"ANSWER: {n % 9}" + " " * 60_000], float(n % 9 == 7)) for n in range(160)]
    path = details(tmp_path, rows)
    made = []
    for jobs in ("1", "2"):
        out = tmp_path / f"out{jobs}.json"
        assert call("regrade", str(path), "--json", str(out), "--quiet", "--jobs", jobs) == 0
        made.append(json.loads(out.read_text()))
    assert made[0] == made[1]


def test_a_step_summary_is_written_where_ci_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    details(tmp_path, SUMS)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    call("regrade", str(tmp_path), "--quiet")
    said = (tmp_path / "summary.md").read_text()
    assert "| `sums\\|0` | `acme/tiny` |" in said
    assert "288\\pi" in said


def test_a_journal_is_kept_and_gone_on_from(tmp_path: Path) -> None:
    path = details(tmp_path / "run", SUMS)
    journal = tmp_path / "journal"
    made = []
    for name in ("first", "second"):
        out = tmp_path / f"{name}.json"
        arguments = ("--json", str(out), "--resume", str(journal), "--jobs", "1", "--quiet")
        assert call("regrade", str(path), *arguments) == 0
        made.append(json.loads(out.read_text()))
    assert made[0] == made[1]
    assert journal.stat().st_size > 0


def test_a_file_that_is_no_journal_is_not_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = details(tmp_path / "run", SUMS)
    other = tmp_path / "other.txt"
    other.write_text("precious\n")
    assert call("regrade", str(path), "--resume", str(other), "--quiet") == 1
    assert "not a journal" in capsys.readouterr().err
    assert other.read_text() == "precious\n"


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_tables_have_one_row_a_generation(tmp_path: Path, ending: str) -> None:
    path = details(tmp_path / "run", SUMS)
    out = tmp_path / f"out.{ending}"
    assert call("regrade", str(path), "--out", str(out), "--quiet") == 0
    if ending == "parquet":
        import pyarrow.parquet as pq

        assert pq.read_table(out).num_rows == len(SUMS)
    elif ending == "jsonl":
        assert len(out.read_text().splitlines()) == len(SUMS)
    else:
        import csv

        with out.open(newline="") as file:
            assert len(list(csv.DictReader(file))) == len(SUMS)


def test_a_page_is_written(tmp_path: Path) -> None:
    path = details(tmp_path / "run", SUMS)
    assert call("regrade", str(path), "--html", str(tmp_path / "page.html"), "--quiet") == 0
    assert "<html" in (tmp_path / "page.html").read_text()

"""Every format, from small files of our own, against summaries that were read through by hand."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import pytest
from shapes import doc, response, write_parquet
from summaries import DATA, all_summaries, summary

from lighteval_fix.model import Item, Run
from lighteval_fix.sources import open_run, open_runs

GOLDEN = json.loads((DATA.parent / "golden_runs.json").read_text(encoding="utf-8"))


def test_every_format_reads_as_it_did() -> None:
    assert all_summaries() == GOLDEN, "meant? `python -m tests.sources.summaries` writes it down anew (docs/adding.md)"


@pytest.mark.parametrize("golden", [told for told in GOLDEN if "skip" not in told], ids=lambda told: told["path"])
def test_one_file_alone_is_the_same_run(golden: dict[str, object]) -> None:
    path = DATA / str(golden["path"])
    found = [summary(run) for run in open_runs(str(path))]
    assert golden in found


@pytest.mark.parametrize("batch_bytes", [1, 300, 10**9])
def test_parts_add_up_and_runs_pickle(batch_bytes: int) -> None:
    for run in open_runs(str(DATA)):
        copy: Run = pickle.loads(pickle.dumps(run))
        whole = list(run.items())
        assert [item for part in copy.parts(batch_bytes) for item in copy.items(part)] == whole, run.path


def test_reading_leaves_the_folder_as_it_was() -> None:
    def state() -> list[tuple[str, int, int]]:
        return [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(DATA.rglob("*"))]

    before = state()
    all_summaries()
    assert state() == before


def test_samples_of_the_harness_are_kept_apart() -> None:
    (path,) = (DATA / "lighteval").rglob("details_sums*.parquet")
    items = [item for item in open_run(str(path)).items() if isinstance(item, Item)]
    first = items[0]
    assert [generation.tokens for generation in first.generations] == [7, 9]
    assert first.generations[1].text == "<think>hm</think>\nANSWER: 24"
    assert first.question == "How many legs do three spiders have together?"
    assert first.prompt.startswith("End with a line")
    assert first.generation_limit == 512


@pytest.mark.parametrize("sent", ["Q: One and one?\nA: 2\n\nQ: Five?\nA:", None, "chat"])
def test_what_was_sent_is_the_prompt_where_examples_went_before(tmp_path: Path, sent: str | None) -> None:
    shot = {"query": "One and one?", "choices": ["2"], "gold_index": 0}
    chat = [{"role": "user", "content": "One and one?"}, {"role": "assistant", "content": "2"}]
    prompt = [*chat, {"role": "user", "content": "Five?"}] if sent == "chat" else sent
    held = doc("Five?", ["5"], 0, id="x", task_name="few|1", fewshot_samples=[shot])
    row = {"doc": held, "metric": {"m": 0.0}, "model_response": response(["5"], "") | {"input": prompt}}
    write_parquet(tmp_path / "a.parquet", [row])
    (item,) = open_run(str(tmp_path / "a.parquet")).items()
    assert isinstance(item, Item)
    assert ("One and one?" in item.prompt) == (sent is not None)
    assert item.prompt.rstrip("\nA:").endswith("Five?")
    assert item.question == ("Five?" if sent is not None else None)


def test_worked_examples_stay_out_of_the_question() -> None:
    (path,) = (DATA / "lighteval_010").rglob("details_lighteval*.parquet")
    first = next(iter(open_run(str(path)).items()))
    assert isinstance(first, Item)
    assert first.question == "How many legs do three spiders have together?"
    assert "One and one?" in first.prompt


def test_reasoning_that_a_log_keeps_apart_is_no_answer() -> None:
    items = {item.id: item for item in open_run(str(DATA / "inspect" / "plain.json")).items() if isinstance(item, Item)}
    assert items["3"].generations[0].text == "ANSWER: 4.5"
    assert items["3"].generations[0].reasoning == "four and a half"
    assert items["1"].question == "How many legs do three spiders have together?"
    assert [score.sample for score in items["1"].recorded] == [0, 1]


def test_filters_stand_side_by_side() -> None:
    (path,) = (DATA / "lm_eval").rglob("samples_sums*.jsonl")
    items = [item for item in open_run(str(path)).items() if isinstance(item, Item)]
    assert [(score.metric, score.score) for score in items[1].recorded] == [
        ("exact_match,strict-match", 1.0),
        ("exact_match,flexible-extract", 0.0),
    ]
    assert [generation.text for generation in items[0].generations] == [
        "Eight each.\nANSWER: 24",
        "Eight each.\nANSWER: 24 ",
    ]
    assert items[0].generation_limit == 256


COLUMNS = {"response": "out", "gold": "a.final", "prompt": "q", "score": "ok"}


@pytest.mark.parametrize("name", ["answers.jsonl.gz", "answers.jsonl.zst", "answers.zip", "answers.parquet"])
def test_tables_however_they_are_packed(name: str) -> None:
    run = open_run(str(DATA / "table" / name), columns=COLUMNS)
    items = [item for item in run.items() if isinstance(item, Item)]
    assert run.format == "table"
    assert [item.golds[0].text for item in items] == ["24", "4", "\\frac{9}{2}"]
    assert items[2].generations[0].text == "two\u2028lines: 4.5"
    assert [score.score for item in items for score in item.recorded] == [1.0, 1.0, 0.0]


def test_columns_as_the_command_line_writes_them() -> None:
    columns = "response=out,gold=a.final,prompt=q,score=ok"
    run = open_run(str(DATA / "table" / "answers.jsonl.gz"), columns=columns)
    assert run.metrics == ("ok",)
    assert sum(isinstance(item, Item) for item in run.items()) == 3


REAL = Path(os.environ.get("LIGHTEVAL_FIX_RUNS", DATA.parents[2] / "shared" / "data" / "runs"))


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared real runs are not here")
def test_every_real_run_opens_with_its_names() -> None:
    runs = {os.path.relpath(run.path, REAL): run for run in open_runs(str(REAL))}
    assert len(runs) == 21
    for path, run in runs.items():
        assert run.format != "unknown", path
        assert run.task, path
        assert run.model, path
        assert run.metrics, path
        if run.skip is None:
            assert all(isinstance(item, Item) for item in run.items()), path
    scores = {path: score for path, run in runs.items() if (score := _recorded(run)) is not None}
    for name, score in REAL_SCORES.items():
        (found,) = [value for path, value in scores.items() if name in path]
        assert found == pytest.approx(score, abs=5e-5), name
    assert {run.skip for run in runs.values()} == {None, "log_likelihood", "no_tests"}


REAL_SCORES = {
    "o1-mini|0": 0.6962,
    "qwen2-5-14b-instruct-requested-line": 0.714,
    "qwen2-5-14b-instruct|0": 0.806,
    "law-think": 0.4959,
    "closing-tag-only": 0.7519,
    "sky-t1-27b|0": 0.636,
    "corrupt-0-5": 0.3667,
    "4-samples": 0.3167,
    "samples_aime25": 0.0,
    "samples_asdiv": 0.92,
    "O1-Mini": 0.6841,
    "49a7458f": 0.7933,
    "6b596d7f": 0.0,
    "popularity.json": 0.6667,
    "mmlu-0-shot": 0.0,
}


def _recorded(run: Run) -> float | None:
    scores = [
        score.score
        for item in run.items()
        if isinstance(item, Item)
        for score in item.recorded
        if score.metric == run.metrics[0]
    ]
    return sum(scores) / len(scores) if scores else dict(run.reported).get(run.metrics[0])

"""Bad input is data or one line: it names file and row, and the rows that can be graded are all there."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from shapes import SUMS, doc, flat_rows, response, struct_rows, write_lines, write_parquet
from summaries import DATA

from lighteval_fix.model import InputError, Item, RowError, SeveralRuns, UnknownFormat
from lighteval_fix.sources import open_run, open_runs

COLUMNS = {"response": "out", "gold": "gold", "prompt": "q"}


def table(path: Path) -> list[Item | RowError]:
    return list(open_run(str(path), columns=COLUMNS).items())


def reasons(found: list[Item | RowError]) -> list[str]:
    return ["ok" if isinstance(each, Item) else f"{each.row}: {each.reason}" for each in found]


def test_nothing_there(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.parquet", tmp_path / "*.jsonl"):
        with pytest.raises(InputError, match=r"no such file|nothing matches") as caught:
            list(open_runs(str(path)))
        assert str(path) in str(caught.value)
    with pytest.raises(InputError, match="no run found"):
        list(open_runs(str(tmp_path)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty file"),
        (b" \n\n", "empty file"),
        (b"PAR1 and then nothing", "footer is missing"),
        (b"PAR1" + b"x" * 40 + b"\x04\x00\x00\x00PAR1", "damaged parquet file"),
        (b"PK\x03\x04 no archive", "damaged zip"),
        (b"\x1f\x8b\x08 no gzip", "cannot be unpacked"),
        (b'{"doc_id": 1, "do', "damaged JSON"),
        (b"\x00\x01\x02\x03" * 100, "unknown content"),
    ],
)
def test_files_that_are_nothing(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "run.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        list(open_runs(str(path)))
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_an_unknown_layout_names_the_nearest_formats(tmp_path: Path) -> None:
    path = tmp_path / "samples_x.jsonl"
    write_lines(path, [{"doc_id": 1, "doc": {}, "target": "1", "resp": "x"}])
    with pytest.raises(UnknownFormat, match=r"nearest formats: lm_eval, \w+, \w+"):
        open_run(str(path))
    other = tmp_path / "columns.parquet"
    write_parquet(other, [{"doc": "1", "metric": "2"}])
    with pytest.raises(UnknownFormat, match=r"nearest formats: lighteval, \w+, \w+"):
        open_run(str(other))


def test_a_results_file_is_no_run(tmp_path: Path) -> None:
    (path,) = (DATA / "lighteval").rglob("results_*.json")
    with pytest.raises(UnknownFormat, match="belongs to a lighteval run"):
        open_run(str(path))


def test_several_runs_are_not_one(tmp_path: Path) -> None:
    with pytest.raises(SeveralRuns):
        open_run(str(DATA / "lighteval"))
    (tmp_path / "README.md").write_text("notes\n", encoding="utf-8")
    with pytest.raises(InputError, match="no run found"):
        open_run(str(tmp_path))
    shutil.copytree(DATA / "verifiers", tmp_path / "outputs")
    assert open_run(str(tmp_path)).format == "verifiers"


def test_a_named_source_is_not_sniffed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown source"):
        open_runs(str(tmp_path), source="harness")
    (path,) = (DATA / "verifiers").rglob("results.jsonl")
    assert open_run(str(path), source="verifiers").format == "verifiers"


def test_a_bad_file_among_others_costs_itself_only(tmp_path: Path) -> None:
    (good,) = (DATA / "lighteval").rglob("details_rivers*.parquet")
    shutil.copy(good, tmp_path / good.name)
    (tmp_path / "cut.parquet").write_bytes(good.read_bytes()[:-200])
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    runs = list(open_runs(str(tmp_path)))
    assert [run.format for run in runs] == ["unknown", "lighteval", "unknown"]
    assert reasons(list(runs[0].items())) == ["0: unreadable_file"]
    assert runs[0].skip is None
    assert runs[2].skip == "unknown_format"


def rows_of(path: Path, rows: list[dict[str, Any]]) -> list[str]:
    write_parquet(path, rows)
    return reasons(list(open_run(str(path)).items()))


def row(text: Any = "ANSWER: 1", choices: Any = ("1",), gold: Any = 0, **more: Any) -> dict[str, Any]:
    held = doc("One?", list(choices) if choices is not None else None, gold, **more)
    return {"doc": held, "metric": {"m": 1.0}, "model_response": response(text if text is None else [text], "One?")}


def test_bad_rows_of_details(tmp_path: Path) -> None:
    good = row()
    assert rows_of(tmp_path / "a.parquet", [good, row(text=None), good]) == ["ok", "1: no_generation", "ok"]
    assert rows_of(tmp_path / "b.parquet", [good, row(choices=None), row(gold=None), good]) == [
        "ok",
        "1: null_gold",
        "2: null_gold",
        "ok",
    ]
    assert rows_of(tmp_path / "c.parquet", [good, row(gold=3), row(gold=-1)]) == [
        "ok",
        "1: gold_index_out_of_range",
        "2: gold_index_out_of_range",
    ]
    assert rows_of(tmp_path / "d.parquet", [good, row(choices=[" "])]) == ["ok", "1: empty_gold"]
    assert rows_of(tmp_path / "e.parquet", [good | {"doc": None}, good]) == ["0: wrong_type", "ok"]
    tests = {"inputs": ["1"], "outputs": ["1", "2"], "fn_name": None}
    assert rows_of(tmp_path / "f.parquet", [row(choices=[""], specific=tests)]) == ["0: bad_tests"]


def test_a_missing_sample_among_several_is_an_empty_text(tmp_path: Path) -> None:
    rows = struct_rows("sums|0")[:1]
    rows[0]["model_response"]["text"] = [None, "ANSWER: 24"]
    write_parquet(tmp_path / "a.parquet", rows)
    (item,) = open_run(str(tmp_path / "a.parquet")).items()
    assert isinstance(item, Item)
    assert [generation.text for generation in item.generations] == ["", "ANSWER: 24"]


def test_index_lists_and_texts_as_numbers(tmp_path: Path) -> None:
    options = ["Oslo", "Danube", "Rhine", "Etna"]
    write_parquet(tmp_path / "a.parquet", [row(choices=options, gold=[1, 2]), row(choices=options, gold=[2])])
    first, second = open_run(str(tmp_path / "a.parquet")).items()
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.gold_index, [gold.text for gold in first.golds]) == ((1, 2), ["Danube", "Rhine"])
    assert (second.gold_index, second.choices) == ((2,), tuple(options))
    texts = [{name: json.dumps(value) for name, value in row(gold="0").items()}]
    texts[0]["metric"] = '{"m": "True", "n": NaN, "o": Infinity, "p": "0.5"}'
    write_parquet(tmp_path / "b.parquet", texts)
    (item,) = open_run(str(tmp_path / "b.parquet")).items()
    assert isinstance(item, Item)
    assert [(score.metric, score.score) for score in item.recorded] == [("m", 1.0), ("p", 0.5)]


def test_letters_as_one_string_and_more_of_them_than_options(tmp_path: Path) -> None:
    query = "Which?\n\nA: Oslo\nB: Danube\nC: Etna\n\nAnswer:"
    for letters in ("ABCDEFGHIJKLMNOP", list("ABCDEFGH")):
        held = row(gold=1)
        held["doc"] |= {"query": query, "instruction": query, "choices": letters}
        write_parquet(tmp_path / "a.parquet", [held])
        (item,) = open_run(str(tmp_path / "a.parquet")).items()
        assert isinstance(item, Item)
        assert (item.labels, item.gold_index, item.golds[0].text) == (("A", "B", "C"), (1,), "B")
        assert item.question is None
    assert rows_of(tmp_path / "b.parquet", [row(choices=list("ABCD"), gold=3)]) == ["ok"]


def test_details_that_were_pushed_as_json_lines(tmp_path: Path) -> None:
    rows = struct_rows("sums|0")
    write_lines(tmp_path / "sums.jsonl", [*rows, {name: json.dumps(value) for name, value in rows[0].items()}])
    run = open_run(str(tmp_path / "sums.jsonl"))
    assert (run.format, run.task, run.metrics) == ("lighteval", "sums|0", ("avg@n:n=2",))
    assert reasons(list(run.items())) == ["ok", "ok", "ok", "3: no_generation", "4: null_gold", "ok"]
    write_lines(tmp_path / "flat.jsonl", flat_rows())
    assert reasons(list(open_run(str(tmp_path / "flat.jsonl")).items())) == ["ok", "ok", "ok", "3: no_generation"]


def test_a_damaged_row_group_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = [row(text=f"ANSWER: {number} {'x' * 200}") for number in range(60)]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=20, compression="none", use_dictionary=False)
    content = bytearray(path.read_bytes())
    at = content.find(b"ANSWER: 25 ")
    start = at - 3000
    content[start : at + 100] = b"\xff" * (at + 100 - start)
    path.write_bytes(bytes(content))
    found = list(open_run(str(path)).items())
    errors = [each for each in found if isinstance(each, RowError)]
    assert [(error.row, error.reason) for error in errors] == [(20, "damaged_rows")]
    assert sum(isinstance(each, Item) for each in found) == 40


LINES = [{"q": question, "gold": gold, "out": text} for _, question, gold, text, _ in SUMS]


def test_json_lines_with_everything_wrong(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [json.dumps(line) for line in LINES]
    content = "\r\n".join([lines[0], "", "{oops", "[1]", '"text"', '{"q": "x", "gold": null, "out": "1"}'])
    path.write_bytes(b"\xef\xbb\xbf" + content.encode() + b"\n" + b'{"out": "\xff"}\n' + lines[1].encode())
    assert reasons(table(path)) == [
        "ok",
        "1: bad_json",
        "2: wrong_type",
        "3: wrong_type",
        "4: null_gold",
        "5: bad_encoding",
        "ok",
    ]


def test_deep_and_long_json_is_a_row_error_or_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    long = '{"q": "x", "out": "1", "gold": ' + "7" * 6000 + "}"
    deep = '{"q": "x", "gold": "1", "out": ' + "[" * 200_000 + "]" * 200_000 + "}"
    path.write_text("\n".join([json.dumps(LINES[0]), deep, long]), encoding="utf-8")
    found = table(path)
    assert reasons(found) == ["ok", "1: bad_json", "ok"]
    assert isinstance(found[2], Item)
    assert found[2].golds[0].text == "7" * 6000


def test_truncated_lines_keep_the_rows_before_the_cut(tmp_path: Path) -> None:
    content = "".join(json.dumps(line) + "\n" for line in LINES * 50).encode()
    plain = tmp_path / "a.jsonl"
    plain.write_bytes(content[:-30])
    assert reasons(table(plain)) == ["ok"] * 149 + ["149: truncated_file"]


@pytest.mark.parametrize("name", ["gz", "zst", "bz2", "xz"])
def test_truncated_packed_lines_keep_the_rows_before_the_cut(tmp_path: Path, name: str) -> None:
    import bz2
    import lzma

    import zstandard

    pack = {
        "gz": gzip.compress,
        "zst": lambda raw: b"".join(map(zstandard.ZstdCompressor().compress, (raw[: 2**18], raw[2**18 :]))),
        "bz2": partial(bz2.compress, compresslevel=1),
        "xz": lzma.compress,
    }[name]
    noise = random.Random(7)
    varied = [LINES[number % 3] | {"id": noise.randbytes(200).hex()} for number in range(1500)]
    raw = pack("".join(json.dumps(line) + "\n" for line in varied).encode())
    packed = tmp_path / f"b.jsonl.{name}"
    packed.write_bytes(raw[: len(raw) // 2])
    found = reasons(table(packed))
    assert found[-1].endswith("truncated_file")
    assert set(found[:-1]) == {"ok"}
    assert 200 < len(found) < 1500
    packed.write_bytes(raw)
    assert reasons(table(packed)) == ["ok"] * len(varied)


def test_truncated_arrays_keep_the_members_before_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    text = json.dumps(LINES * 2000, indent=1)
    path.write_text(text[: len(text) // 2], encoding="utf-8")
    found = reasons(table(path))
    assert found[-1].endswith("truncated_file")
    assert set(found[:-1]) == {"ok"}
    assert len(found) > 2000
    path.write_text(text, encoding="utf-8")
    assert reasons(table(path)) == ["ok"] * 6000


def test_csv_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbfq;gold;out\r\n"a;b";1;"two\nlines"\r\n1;2\r\nx;;y\r\n')
    found = table(path)
    assert reasons(found) == ["ok", "1: wrong_columns", "2: null_gold"]
    assert isinstance(found[0], Item)
    assert (found[0].prompt, found[0].generations[0].text) == ("a;b", "two\nlines")


def test_columns_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_lines(path, list(LINES))
    for columns, message in (
        ({"response": "answer", "gold": "gold"}, "no column 'answer'; there are: q, gold, out"),
        ({"response": "out"}, "must name response"),
        ({"reply": "out"}, "unknown field 'reply'"),
        ("", "nearest formats"),
    ):
        with pytest.raises(InputError, match=message):
            open_run(str(path), columns=columns)
    with pytest.raises(InputError, match="needs columns"):
        open_run(str(path), source="table")


def test_a_damaged_sample_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(DATA / "inspect" / "deflated.eval") as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            target.writestr(name, b"{cut" if name == "samples/2_epoch_1.json" else source.read(name))
    assert reasons(list(open_run(str(path)).items())) == ["ok", "1: damaged_sample", "1: sample_error", "ok", "ok"]


def test_predictions_of_opencompass(tmp_path: Path) -> None:
    path = tmp_path / "tiny-1" / "sums.json"
    path.parent.mkdir()
    entry = {"origin_prompt": [{"role": "HUMAN", "prompt": "One?"}], "prediction": "1", "gold": "1"}
    path.write_text(json.dumps({"0": entry, "1": entry | {"gold": None}}), encoding="utf-8")
    run = open_run(str(path))
    assert (run.format, run.model, run.task, run.metrics) == ("opencompass", "tiny-1", "sums", ())
    assert reasons(list(run.items())) == ["ok", "1: null_gold"]


def test_one_result_of_omlx_with_its_rows_as_results(tmp_path: Path) -> None:
    asked = {"question_id": "1", "correct": "false", "expected": "7", "predicted": "", "question_text": "Seven?"}
    result = {"model": "tiny-1", "benchmark": "gsm8k", "accuracy": 0.0, "results": [asked | {"raw_response": "7"}]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps(result, indent=2), encoding="utf-8")
    run = open_run(str(path))
    (item,) = run.items()
    assert isinstance(item, Item)
    assert (run.format, run.model, run.task, run.reported) == ("omlx", "tiny-1", "gsm8k", (("accuracy", 0.0),))
    assert (item.golds[0].text, item.recorded[0].score, item.generations[0].text) == ("7", 0.0, "7")


def test_a_folder_that_may_not_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "open.jsonl").write_text('{"quiz": 1}\n', encoding="utf-8")
    listing = os.scandir

    def refused(path: str) -> object:
        if os.fspath(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(closed))
        return listing(path)

    monkeypatch.setattr(os, "scandir", refused)  # a mode would not stop root, who runs this in a container
    with pytest.raises(InputError, match="closed: cannot be listed: Permission denied"):
        list(open_runs(str(closed)))
    assert str(closed) in [run.path for run in open_runs(str(tmp_path))]

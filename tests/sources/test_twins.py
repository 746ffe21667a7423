"""A text column that repeats another one is decoded once, and its values are the same as if it had been decoded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lighteval_fix.sources import parquet
from lighteval_fix.sources.files import Place
from lighteval_fix.sources.parquet import Damage, batches, under

TWINS = {"r.post.list.element": "r.text.list.element"}
ROWS: list[dict[str, Any] | None] = [
    {"text": ["one two"], "post": ["one two"]},
    {"text": ["a", None], "post": ["a", None]},
    {"text": None, "post": None},
    None,
    {"text": [], "post": []},
]
OTHER: list[dict[str, Any] | None] = [{"text": ["<think>a</think>b"], "post": ["b"]}, None]


def written(path: Path, *groups: list[dict[str, Any] | None], second: pa.DataType | None = None) -> Place:
    texts = pa.list_(pa.string())
    schema = pa.schema([("r", pa.struct([("text", texts), ("post", second or texts)])), ("n", pa.int64())])
    with pq.ParquetWriter(path, schema) as writer:
        for rows in groups:
            table = pa.Table.from_pylist([{"r": row, "n": n} for n, row in enumerate(rows)], schema=schema)
            writer.write_table(table)
    return Place(str(path))


def read(place: Place, twins: dict[str, str]) -> Iterator[dict[str, Any]]:
    for piece in batches(place, lambda paths: under(paths, ("r", "n")), None, twins):
        assert not isinstance(piece, Damage)
        yield from piece[1].to_pylist()


@pytest.fixture
def left_out(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What `repeated` found, group by group."""
    found: list[list[str]] = []
    known = parquet.repeated

    def watched(*arguments: Any) -> list[str]:
        found.append(known(*arguments))
        return found[-1]

    monkeypatch.setattr(parquet, "repeated", watched)
    return found


def test_each_row_group_is_looked_at_by_itself(tmp_path: Path, left_out: list[list[str]]) -> None:
    place = written(tmp_path / "r.parquet", ROWS, OTHER, ROWS * 40)
    assert list(read(place, TWINS)) == list(read(place, {}))
    assert left_out == [list(TWINS), [], list(TWINS)]


def test_equal_bytes_under_another_type_are_not_equal_values(tmp_path: Path, left_out: list[list[str]]) -> None:
    place = written(tmp_path / "r.parquet", ROWS, second=pa.list_(pa.binary()))
    found = list(read(place, TWINS))
    assert left_out == [[]]
    assert found[0]["r"] == {"text": ["one two"], "post": [b"one two"]}


def test_one_other_letter_is_seen(tmp_path: Path, left_out: list[list[str]]) -> None:
    rows: list[dict[str, Any] | None] = [{"text": ["x" * 400_000 + "a"], "post": ["x" * 400_000 + "b"]}]
    place = written(tmp_path / "r.parquet", rows)
    assert next(iter(read(place, TWINS)))["r"] == rows[0]
    assert left_out == [[]]

"""Workers read their own rows: any cut, in any order, gives the same items as reading the file through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapes import doc, response

from lighteval_fix.model import Item, Part, Run
from lighteval_fix.sources import open_run, parquet
from tests.laws import examples

ROWS = 300
BATCH_BYTES = 20_000
LONG = "x" * (BATCH_BYTES // 20)


@pytest.fixture(scope="module", autouse=True)
def small_batches() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "BATCH_BYTES", BATCH_BYTES)
        yield


def table(start: int = 0) -> Any:
    rows = [
        {
            "doc": doc(f"Number {row}?", [str(row)], 0, id=str(row), task_name="many|0"),
            "metric": {"m": 1.0},
            # A long text now and then, so that a row group takes several batches.
            "model_response": response([f"{LONG if row % 3 == 0 else ''}{row + start}"], "?"),
        }
        for row in range(ROWS)
    ]
    return pa.Table.from_pylist(rows)


@pytest.fixture(scope="module", params=[ROWS, 70])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, list[str]]:
    path = tmp_path_factory.mktemp("parts") / "details_many|0_2026-01-05T10-20-30.000001.parquet"
    pq.write_table(table(), path, row_group_size=request.param, use_dictionary=False)
    opened = open_run(str(path))
    return opened, ids(opened, None)


def ids(run: Run, part: Part | None) -> list[str]:
    found = []
    for item in run.items(part):
        assert isinstance(item, Item)
        assert item.id == str(item.row)
        assert item.generations[0].text.lstrip("x") == item.id
        found.append(item.id)
    return found


def test_the_whole_run(run: tuple[Run, list[str]]) -> None:
    assert run[1] == [str(row) for row in range(ROWS)]


@settings(deadline=None, max_examples=examples(30))
@given(cuts=st.sets(st.integers(0, ROWS), max_size=8), order=st.randoms(use_true_random=False))
def test_parts_in_any_order(run: tuple[Run, list[str]], cuts: set[int], order: Any) -> None:
    parts = [Part(start, stop) for start, stop in pairwise(sorted(cuts | {0, ROWS}))]
    order.shuffle(parts)
    found = [(part.start, ids(run[0], part)) for part in parts]
    assert [row for _, rows in sorted(found) for row in rows] == run[1]


def test_two_readers_of_parts_at_once(run: tuple[Run, list[str]]) -> None:
    first, second = run[0].items(Part(0, 100)), run[0].items(Part(100, 200))
    pairs = [(getattr(a, "id", None), getattr(b, "id", None)) for a, b in zip(first, second, strict=True)]
    assert pairs == [(str(row), str(row + 100)) for row in range(100)]


def test_a_part_that_was_left_early_costs_the_next_one_nothing(run: tuple[Run, list[str]]) -> None:
    left = run[0].items(Part(0, 50))
    next(left)
    del left
    assert ids(run[0], Part(40, 60)) == run[1][40:60]


def test_a_file_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = []
    for start in (0, 1000):
        pq.write_table(table(start), path)
        items = open_run(str(path)).items(Part(0, 10))
        texts.append([item.generations[0].text[-4:] for item in items if isinstance(item, Item)])
        assert len(texts[-1]) == 10
    items = open_run(str(path)).items(Part(10, 12))
    assert [item.generations[0].text[-4:] for item in items if isinstance(item, Item)] == ["1010", "1011"]


def test_parts_are_cut_by_bytes_inside_row_groups(run: tuple[Run, list[str]]) -> None:
    parts = list(run[0].parts(BATCH_BYTES))
    assert len(parts) > 4
    assert [part.stop for part in parts[:-1]] == [part.start for part in parts[1:]]
    assert len(list(run[0].parts(2**40))) == 1


def test_a_file_is_opened_once_for_all_its_parts(run: tuple[Run, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    opened, whole = run
    parts = list(opened.parts(BATCH_BYTES))
    assert len(parts) > 4
    count = 0
    known = parquet.opened

    def counted(place: Any) -> Any:
        nonlocal count
        count += 1
        return known(place)

    monkeypatch.setattr(parquet, "opened", counted)
    parquet._standing.cursor = None
    assert [each for part in parts for each in ids(opened, part)] == whole
    assert [each for part in reversed(parts) for each in reversed(ids(opened, part))] == whole[::-1]
    assert count == 1, "the footer of a file with many row groups takes longer to read than a part"

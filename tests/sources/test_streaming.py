"""Large parquet files in constant memory, whole and by the pieces that workers take.

`LIGHTEVAL_FIX_STREAM_GB` sets the size of the file (default 0.25).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc"),
]

GIGABYTES = float(os.environ.get("LIGHTEVAL_FIX_STREAM_GB", "0.25"))
TEXT = 20_000
GROWTH = 200 * 2**20
"""Bytes that a reading process may grow beyond what its imports take."""

READ = """
import re, sys
import pyarrow.parquet
from lighteval_fix.model import Item
from lighteval_fix.sources import open_run

def peak():  # not getrusage: there, exec hands the parent's peak on to the child
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) * 1024

run = open_run(sys.argv[1])
before = peak()
items = characters = 0
parts = list(run.parts()) if sys.argv[2] == "parts" else [None]
for part in parts:
    for item in run.items(part):
        assert isinstance(item, Item), item
        assert item.id == str(item.row)
        items += 1
        characters += sum(len(generation.text) for generation in item.generations)
print(items, characters, peak() - before, len(parts))
"""


@pytest.fixture(scope="module", params=["one large row group", "row groups of 100 MB"])
def large(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A details file of texts that do not compress; and its number of rows."""
    import base64
    import random

    import pyarrow as pa
    import pyarrow.parquet as pq
    from shapes import doc, response

    path = tmp_path_factory.mktemp("large") / "details_large|0_2026-01-05T10-20-30.000001.parquet"
    single = request.param == "one large row group"
    size = min(GIGABYTES, 1.0) if single else GIGABYTES  # a row group is held in memory while it is written
    rows = int(size * 2**30 / (2 * TEXT))  # the harness writes each text twice
    group = rows if single else 2500
    noise = random.Random(1)

    def batch(start: int, stop: int) -> pa.Table:
        made = []
        for row in range(start, stop):
            text = base64.b64encode(noise.randbytes(TEXT * 3 // 4)).decode()
            held = doc("Which number?", ["7"], 0, id=str(row), task_name="large|0")
            made.append({"doc": held, "metric": {"m": 1.0}, "model_response": response([text], "Which number?")})
        return pa.Table.from_pylist(made)

    first = batch(0, 1)
    options = {"compression": "snappy", "use_dictionary": ["doc.query"], "write_statistics": False}
    with pq.ParquetWriter(path, first.schema, **options) as writer:
        for start in range(0, rows, group):
            stop = min(start + group, rows)
            pieces = (batch(at, min(at + 1000, stop)) for at in range(start, stop, 1000))
            whole = pa.concat_tables([piece.cast(first.schema) for piece in pieces])
            writer.write_table(whole, row_group_size=stop - start)
    return path, rows


@pytest.mark.parametrize("how", ["whole", "parts"])
def test_memory_stays_constant(large: tuple[Path, int], how: str) -> None:
    path, rows = large
    done = subprocess.run([sys.executable, "-c", READ, str(path), how], capture_output=True, text=True, check=True)
    items, characters, growth, parts = map(int, done.stdout.split())
    print(f"{path.stat().st_size / 2**30:.2f} GB, {how}: grew by {growth / 2**20:.0f} MB over {parts} parts")
    assert items == rows
    assert characters == rows * TEXT
    assert growth < GROWTH
    if how == "parts":
        assert parts >= min(16, rows * TEXT // (8 * 2**20))

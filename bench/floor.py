"""The floor of any re-grading: `python bench/floor.py FILE JOBS`. Reads the texts with pyarrow into Python strings and
does one `str.rfind` a text, in JOBS processes; prints the generations."""

from __future__ import annotations

import multiprocessing
import sys


def part(path: str, first: int, step: int) -> int:
    """Every `step`th row group from `first` on."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    count = 0
    groups = list(range(first, file.metadata.num_row_groups, step))
    for batch in file.iter_batches(
        256, row_groups=groups, columns=["model_response.text.list.element"], use_threads=False
    ):
        for texts in batch.column(0).flatten()[0].to_pylist():
            for text in texts:
                text.rfind("ANSWER")
                count += 1
    return count


def main() -> None:
    """Run it."""
    path, jobs = sys.argv[1], int(sys.argv[2])
    with multiprocessing.get_context("forkserver").Pool(jobs) as pool:
        print(sum(pool.starmap(part, [(path, first, jobs) for first in range(jobs)])))


if __name__ == "__main__":
    main()

"""Parquet in bounded memory: the needed leaves only, in batches cut by bytes, from inside large row groups.

pyarrow is imported on first need.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..model import InputError, Part
from .files import Place, open_seekable

BATCH_BYTES = 4 * 2**20
"""Text decoded at a time."""

_BATCH_ROWS = 256
_READ_BUFFER = 2**20
_PIECES = 16
"""A row group is cut into at most this many parts: a part must skip the rows before it, and skipping costs decoding."""


@dataclass(frozen=True, slots=True)
class Damage:
    """Rows that cannot be decoded: `row` is the first, `rows` how many."""

    row: int
    rows: int
    detail: str


@contextmanager
def opened(place: Place) -> Iterator[Any]:
    """A `pyarrow.parquet.ParquetFile` that reads page by page.

    Raises:
        InputError: no parquet, or cut off before its footer (which holds the schema, so no row can be read).
    """
    import pyarrow
    import pyarrow.parquet

    with open_seekable(place) as raw:
        start = raw.read(4)
        if not start:
            raise InputError("empty file", str(place))
        if start != b"PAR1":
            raise InputError("not a parquet file", str(place))
        raw.seek(-4, 2)
        if raw.read(4) != b"PAR1":
            raise InputError("truncated parquet file: its footer is missing", str(place))
        raw.seek(0)
        try:
            file = pyarrow.parquet.ParquetFile(raw, buffer_size=_READ_BUFFER, pre_buffer=False, memory_map=False)
        except (pyarrow.ArrowException, OSError) as error:
            raise InputError(f"damaged parquet file: {one_line(error)}", str(place)) from error
        yield file


def one_line(error: BaseException) -> str:
    """The first line of an error's message, shortened."""
    message = str(error).strip() or type(error).__name__
    return message.splitlines()[0][:200]


def leaves(file: Any) -> tuple[str, ...]:
    """Dotted paths of all leaf columns, as parquet names them."""
    schema = file.metadata.schema
    return tuple(schema.column(index).path for index in range(len(schema)))


def under(paths: tuple[str, ...], wanted: tuple[str, ...]) -> list[str]:
    """Those leaves that are one of `wanted` or lie below one."""
    return [path for path in paths if any(path == name or path.startswith(name + ".") for name in wanted)]


def _group_bytes(file: Any, group: int, columns: frozenset[str]) -> int:
    described = file.metadata.row_group(group)
    return sum(
        column.total_uncompressed_size
        for column in (described.column(index) for index in range(described.num_columns))
        if column.path_in_schema in columns
    )


def row_parts(file: Any, columns: list[str], batch_bytes: int) -> Iterator[Part]:
    """The rows cut into parts of about `batch_bytes`: small row groups together, large ones in pieces."""
    wanted = frozenset(columns)
    start = stop = pending = 0
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        size = _group_bytes(file, group, wanted)
        if pending and pending + size > batch_bytes:
            yield Part(start, stop)
            start, pending = stop, 0
        if size <= batch_bytes:
            stop += rows
            pending += size
            continue
        pieces = max(1, min(_PIECES, rows, -(-size // batch_bytes)))
        for piece in range(pieces):
            yield Part(start + rows * piece // pieces, start + rows * (piece + 1) // pieces)
        start = stop = start + rows
    if stop > start:
        yield Part(start, stop)


def batches(file: Any, columns: list[str], part: Part | None) -> Iterator[tuple[int, Any] | Damage]:
    """`(first row, record batch)` pairs in row order; a damaged row group gives one `Damage`, the next one follows."""
    import pyarrow

    first, last = (part.start, part.stop) if part is not None else (0, file.metadata.num_rows)
    wanted = frozenset(columns)
    group_start = 0
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        group_stop = group_start + rows
        if group_stop > first and group_start < last:
            row = group_start
            batch_rows = _batch_rows(_group_bytes(file, group, wanted), rows)
            try:
                for batch in file.iter_batches(batch_rows, row_groups=[group], columns=columns, use_threads=False):
                    start, stop = max(row, first), min(row + batch.num_rows, last)
                    if start < stop:
                        yield start, batch.slice(start - row, stop - start)
                    row += batch.num_rows
                    if row >= last:
                        break
            except (pyarrow.ArrowException, OSError) as error:
                yield Damage(max(row, first), min(group_stop, last) - max(row, first), one_line(error))
        group_start = group_stop


def _batch_rows(size: int, rows: int) -> int:
    return max(1, min(_BATCH_ROWS, BATCH_BYTES * rows // max(size, 1)))

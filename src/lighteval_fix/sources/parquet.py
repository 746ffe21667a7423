"""Parquet in bounded memory: the needed leaves only, in batches cut by bytes, from inside large row groups.

pyarrow is imported on first need.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from ..model import InputError, Part, RowError
from .files import Place, is_plain, is_url, open_seekable, state_of
from .twins import Twins, repeated, restored

BATCH_BYTES = 4 * 2**20
"""Text decoded at a time."""

_BATCH_ROWS = 256
_READ_BUFFER = 2**20
_PIECES = 16
"""A row group is cut into at most this many parts: a part must skip the rows before it, and skipping costs decoding."""


Project: TypeAlias = Callable[[tuple[str, ...]], list[str]]
"""Which of a file's leaves to read."""

T = TypeVar("T")


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
            _ = file.schema_arrow, leaves(file)
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise InputError(f"damaged parquet file: {one_line(error)}", str(place)) from error
        yield file


def first_batch(place: Place, project: Project) -> Any:
    """The first row as a record batch; None where there is none, or where it is damaged (reading will tell)."""
    import pyarrow

    with opened(place) as file:
        try:
            return next(file.iter_batches(1, columns=project(leaves(file)), use_threads=False), None)
        except (pyarrow.ArrowException, OSError):
            return None


def sound_rows(start: int, batch: Any, rows: Callable[[Any], Iterable[T]]) -> Iterator[tuple[int, T] | RowError]:
    """`(row, rows(batch)[…])` of every row; text that is no UTF-8 costs its own row only."""
    try:
        yield from enumerate(list(rows(batch)), start)
    except UnicodeDecodeError:
        for offset in range(batch.num_rows):
            try:
                (value,) = rows(batch.slice(offset, 1))
            except UnicodeDecodeError as error:
                yield RowError(start + offset, "bad_encoding", one_line(error))
            else:
                yield start + offset, value


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


def batches(
    place: Place, project: Project, part: Part | None, twins: Twins = MappingProxyType({})
) -> Iterator[tuple[int, Any] | Damage]:
    """`(first row, record batch)` pairs in row order; a damaged row group gives one `Damage`, the next one follows.

    Rows inside a row group can be reached only by decoding those before them. So a process that reads one part after
    another of a file goes on from where it stands, instead of starting the row group again, and opens it once: the
    footer of a file with a thousand row groups takes longer to read than a part.

    Args:
        place: the file.
        project: which of its leaves to read.
        part: which rows; None is all.
        twins: leaves that may repeat another one, which is then decoded once.
    """
    if part is None:
        with ExitStack() as stack:
            yield from _Cursor(place, project, stack, twins).read(0, None)
        return
    cursor = _resumed(place, project, part.start, twins) or _Cursor(place, project, ExitStack(), twins)
    yield from cursor.read(part.start, part.stop)
    _standing.cursor = cursor  # only a part that was read to its end leaves a place to go on from


class _Standing(threading.local):
    """The cursor that this thread's last part left behind."""

    cursor: _Cursor | None = None


def _resumed(place: Place, project: Project, start: int, twins: Twins) -> _Cursor | None:
    cursor, _standing.cursor = _standing.cursor, None
    if cursor is None:
        return None
    if cursor.serves(place, project, twins):
        cursor.turn_to(start)
        return cursor
    cursor.close()
    return None


class _Cursor:
    """A place in a parquet file: the row that comes next, and what is decoded of its row group already."""

    def __init__(self, place: Place, project: Project, stack: ExitStack, twins: Twins) -> None:
        self.place = place
        self.twins = twins
        self._left_out: list[str] = []
        self.state = state_of(place)
        self._stack = stack
        self._file = stack.enter_context(opened(place))
        self._columns = project(leaves(self._file))
        rows = [self._file.metadata.row_group(group).num_rows for group in range(self._file.metadata.num_row_groups)]
        self._stops = list(accumulate(rows))
        self._group = -1
        self._row = 0
        self._batches: Iterator[Any] | None = None
        self._held: Any = None

    def close(self) -> None:
        self._stack.close()

    def serves(self, place: Place, project: Project, twins: Twins) -> bool:
        """Whether it reads this file, which is still the same, and these leaves of it."""
        same = self.place == place and self.twins == twins and self.state == state_of(place)
        return same and self._columns == project(leaves(self._file))

    def turn_to(self, row: int) -> None:
        """Forget what is decoded, unless going on from it decodes no more than starting the row group again would."""
        if self._batches is None or row < self._row or row >= self._stops[self._group]:
            self._batches = self._held = None
            self._row = 0

    def read(self, first: int, last: int | None) -> Iterator[tuple[int, Any] | Damage]:
        """The rows from `first` up to `last` (None: all)."""
        import pyarrow

        last = min(last, self._total()) if last is not None else self._total()
        while max(self._row, first) < last:
            if self._batches is None or first >= self._stops[self._group]:
                self._enter(bisect_right(self._stops, max(self._row, first)))
            stop = self._stops[self._group]
            try:
                batch = self._next()
            except (pyarrow.ArrowException, OSError) as error:
                start = max(self._row, first)
                self._row, self._batches = stop, None
                yield Damage(start, min(stop, last) - start, one_line(error))
                continue
            if batch is None:
                self._row, self._batches = stop, None
                continue
            row = self._row
            start, end = max(row, first), min(row + batch.num_rows, last)
            if end < row + batch.num_rows:
                self._held = batch.slice(end - row)
            self._row = max(end, row) if self._held is not None else row + batch.num_rows
            if start < end:
                yield start, batch.slice(start - row, end - start)

    def _total(self) -> int:
        return self._stops[-1] if self._stops else 0

    def _enter(self, group: int) -> None:
        rows = self._file.metadata.row_group(group).num_rows
        size = _group_bytes(self._file, group, frozenset(self._columns))
        self._group, self._row, self._held = group, self._stops[group] - rows, None
        self._left_out = self._repeated(group)
        columns = [name for name in self._columns if name not in self._left_out]
        self._batches = self._file.iter_batches(
            _batch_rows(size, rows), row_groups=[group], columns=columns, use_threads=False
        )

    def _repeated(self, group: int) -> list[str]:
        if not self.twins or not is_plain(self.place) or is_url(self.place.path):
            return []  # elsewhere reading the bytes a second time may cost more than it saves
        with open_seekable(self.place) as raw:
            return repeated(raw, self._file.metadata, group, self.twins)

    def _next(self) -> Any:
        if self._held is not None:
            batch, self._held = self._held, None
            return batch
        batch = next(self._batches, None) if self._batches is not None else None
        return restored(batch, self._left_out, self.twins) if batch is not None and self._left_out else batch


def _batch_rows(size: int, rows: int) -> int:
    return max(1, min(_BATCH_ROWS, BATCH_BYTES * rows // max(size, 1)))


_standing = _Standing()

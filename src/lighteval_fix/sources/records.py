"""Rows as plain records out of any container, and the reader that turns each into an item."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from ..model import Item, Part, RowError
from .files import STREAM_ERRORS, Place, open_stream
from .json_rows import Row, array, json_object, line_parts, lines
from .sniff import delimiter_of
from .source import Container
from .values import Record

_FIELD_BYTES = 2**31 - 1
WHOLE = Part(0, sys.maxsize, "whole")
"""The part of a file that cannot be entered in its middle."""


@dataclass(frozen=True, slots=True)
class Records:
    """The rows of one file.

    Args:
        place, container: the file and how it holds its rows.
        columns: for parquet, the columns to read (empty: all).
    """

    place: Place
    container: Container
    columns: tuple[str, ...] = ()

    def read(self, part: Part | None = None) -> Iterator[Row | RowError]:
        """`(row, value)` pairs in row order."""
        match self.container:
            case Container.JSON_LINES:
                yield from lines(self.place, part)
            case Container.JSON_ARRAY:
                yield from array(self.place)
            case Container.JSON_OBJECT:
                whole = json_object(self.place)
                yield (0, whole) if whole is not None else RowError(0, "bad_json", "not one JSON object")
            case Container.CSV:
                yield from _csv_rows(self.place)
            case Container.PARQUET:
                yield from _parquet_rows(self.place, self.columns, part)
            case Container.ZIP | Container.UNKNOWN:
                yield RowError(0, "unknown_format", "this container holds no rows")

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        """Pieces for workers."""
        match self.container:
            case Container.JSON_LINES:
                for part in line_parts(self.place, batch_bytes):
                    yield part if part.key else WHOLE
            case Container.PARQUET:
                from .parquet import leaves, opened, row_parts, under

                with opened(self.place) as file:
                    paths = leaves(file)
                    yield from row_parts(file, under(paths, self.columns or paths), batch_bytes)
            case _:
                yield WHOLE


def _csv_rows(place: Place) -> Iterator[Row | RowError]:
    csv.field_size_limit(_FIELD_BYTES)
    row = 0
    try:
        with open_stream(place) as stream:
            text = io.TextIOWrapper(cast(Any, stream), encoding="utf-8-sig", errors="replace", newline="")
            header = text.readline()
            delimiter = delimiter_of(header)
            names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
            for values in csv.reader(text, delimiter=delimiter):
                if not values:
                    continue
                if len(values) == len(names):
                    yield row, dict(zip(names, values, strict=True))
                else:
                    yield RowError(row, "wrong_columns", f"{len(values)} fields, the header has {len(names)}")
                row += 1
    except csv.Error as error:
        yield RowError(row, "bad_csv", str(error)[:200])
    except STREAM_ERRORS as error:
        yield RowError(row, "truncated_file", str(error)[:200] or type(error).__name__)


def _parquet_rows(place: Place, columns: tuple[str, ...], part: Part | None) -> Iterator[Row | RowError]:
    from .parquet import Damage, batches, sound_rows, under

    for piece in batches(place, lambda paths: under(paths, columns or paths), part):
        if isinstance(piece, Damage):
            yield RowError(piece.row, "damaged_rows", f"{piece.rows} rows: {piece.detail}")
        else:
            yield from sound_rows(*piece, lambda batch: batch.to_pylist())


Convert: TypeAlias = Callable[[int, Record, str], Item | RowError]
"""`(row, record, task)` to an item; a function of a module, so that a reader pickles."""


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Items of a file that holds one record an item.

    Args:
        records: the rows.
        convert: what makes an item of one.
        task: the run's task.
    """

    records: Records
    convert: Convert
    task: str = ""

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        for found in self.records.read(part):
            if isinstance(found, RowError):
                yield found
                continue
            row, record = found
            if isinstance(record, Mapping):
                yield self.convert(row, record, self.task)
            else:
                yield RowError(row, "wrong_type", "the row is no object")

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield from self.records.parts(batch_bytes)

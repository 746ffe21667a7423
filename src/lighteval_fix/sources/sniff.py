"""What kind of file this is, from its content alone."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ..model import InputError
from .archive import open_archive
from .files import STREAM_ERRORS, Place, open_stream, read_up_to, size_of
from .json_rows import first_record, json_object
from .source import Container, Head
from .values import loads

_PEEK_BYTES = 2**16
_LINE_BYTES = 2**28
"""Longest first line that is read to recognise a file of JSON lines."""


def head_of(place: Place) -> Head:
    """Looks into a file.

    Raises:
        InputError: missing, empty, unreadable, or damaged at its very start.
    """
    size = size_of(place)
    try:
        with open_stream(place) as stream:
            first = read_up_to(stream, _PEEK_BYTES)
    except STREAM_ERRORS as error:
        raise InputError(f"cannot be unpacked: {error}", str(place)) from error
    if not first.strip():
        raise InputError("empty file", str(place))
    if first.startswith(b"PAR1"):
        return _parquet_head(place, size)
    if first.startswith(b"PK\x03\x04") and not place.member:
        return _zip_head(place, size)
    body = first.removeprefix(codecs.BOM_UTF8).lstrip()
    if body[:1] == b"{":
        return _object_head(place, size)
    if body[:1] == b"[":
        record = first_record(place)
        return Head(place, Container.JSON_ARRAY, tuple(record), record, size)
    columns = _csv_columns(first)
    if columns:
        return Head(place, Container.CSV, columns, {}, size)
    return Head(place, Container.UNKNOWN, (), {}, size)


def _parquet_head(place: Place, size: int) -> Head:
    from .parquet import opened

    with opened(place) as file:
        return Head(place, Container.PARQUET, tuple(file.schema_arrow.names), {}, size)


def _zip_head(place: Place, size: int) -> Head:
    try:
        with open_archive(place.path) as archive:
            names = archive.names
    except (*STREAM_ERRORS, ValueError) as error:
        raise InputError(f"damaged zip archive: {error}", str(place)) from error
    return Head(place, Container.ZIP, names, {}, size)


def _object_head(place: Place, size: int) -> Head:
    """One object over the whole file, or one a line."""
    line = more = b""
    with open_stream(place) as stream, suppress(*STREAM_ERRORS):
        line = stream.readline(_LINE_BYTES)
        while line and not line.strip(b"\xef\xbb\xbf \t\r\n"):
            line = stream.readline(_LINE_BYTES)
        more = read_up_to(stream, _PEEK_BYTES).strip()
    try:
        record: Any = loads(line.decode("utf-8-sig"))
    except ValueError:
        record = None
    if isinstance(record, Mapping):  # one line only is one object, and one row all the same
        return Head(place, Container.JSON_LINES if more else Container.JSON_OBJECT, tuple(record), record, size)
    whole = json_object(place)
    if whole is not None:
        return Head(place, Container.JSON_OBJECT, tuple(whole), whole, size)
    if b"\n" in line and more[:1] == b"{":  # a damaged first line; the next ones may be sound
        return _later_line(place, size)
    raise InputError("damaged JSON: no complete record in it", str(place))


def _later_line(place: Place, size: int) -> Head:
    with open_stream(place) as stream, suppress(*STREAM_ERRORS):
        for line in stream:
            try:
                record = loads(line)
            except ValueError:
                continue
            if isinstance(record, Mapping):
                return Head(place, Container.JSON_LINES, tuple(record), record, size)
    raise InputError("damaged JSON: no complete record in it", str(place))


def _csv_columns(first: bytes) -> tuple[str, ...]:
    """Names in a header line of at least two columns, in plain text."""
    if b"\0" in first:
        return ()
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(first)
    except UnicodeDecodeError:
        return ()
    try:
        rows = csv.reader(io.StringIO(text), delimiter=delimiter_of(text))
        names = next(rows, [])
    except csv.Error:
        return ()
    good = len(names) > 1 and all(0 < len(name.strip()) <= 80 for name in names) and len(set(names)) == len(names)
    return tuple(name.strip() for name in names) if good else ()


def delimiter_of(text: str) -> str:
    """The separator of a table: whichever of tab, semicolon and comma the header holds most often."""
    header = text.partition("\n")[0]
    return max((",", "\t", ";"), key=header.count)

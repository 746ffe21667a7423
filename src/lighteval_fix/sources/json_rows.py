"""Records out of JSON lines, JSON arrays and JSON objects, in bounded memory where the shape allows it.

Lines end at LF only: U+2028 and its like inside a line are text. A line that does not parse is one `RowError`, and the
next line follows.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..model import InputError, Part, RowError
from .files import STREAM_ERRORS, Place, is_plain, open_raw, open_stream, read_up_to
from .values import loads

_CHUNK = 2**18

Row = tuple[int, Any]


def parsed(line: bytes, row: int) -> Any | RowError:
    """The value of one line, or what is wrong with it."""
    try:
        return loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return RowError(row, "bad_encoding", f"byte {error.start} is not UTF-8")
    except ValueError as error:
        if not line.endswith(b"\n"):
            return RowError(row, "truncated_file", "the last line is cut off")
        return RowError(row, "bad_json", str(error)[:200])


def lines(place: Place, part: Part | None = None) -> Iterator[Row | RowError]:
    """`(row, value)` of every line that is not blank. `part.key` holds `start:stop` byte offsets."""
    row = 0
    stop = None
    if part is not None and ":" in part.key:
        start, stop = (int(number) for number in part.key.split(":"))
        row = part.start
        with open_raw(place.path) as raw:
            raw.seek(start)
            yield from _lines_of(raw, row, stop - start)
        return
    try:
        with open_stream(place) as stream:
            for found in _lines_of(stream, 0, None):
                row = (found.row if isinstance(found, RowError) else found[0]) + 1
                yield found
    except STREAM_ERRORS as error:
        yield RowError(row, "truncated_file", str(error)[:200] or type(error).__name__)


def _lines_of(stream: Any, first_row: int, limit: int | None) -> Iterator[Row | RowError]:
    for row, start, line in line_offsets(stream, first_row):
        value = parsed(line, row)
        yield value if isinstance(value, RowError) else (row, value)
        if limit is not None and start + len(line) >= limit:
            return


def line_offsets(stream: Any, row: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """`(row, offset from where the stream stood, line)` of every line that is not blank, without a leading BOM."""
    position = 0
    for line in stream:
        start, position = position, position + len(line)
        if row == 0 and line.startswith(codecs.BOM_UTF8):
            line, start = line[3:], start + 3
        if line.strip():
            yield row, start, line
            row += 1


def line_parts(place: Place, batch_bytes: int) -> Iterator[Part]:
    """Byte ranges of whole lines; one part where the file is packed and cannot be entered in its middle."""
    if not is_plain(place):
        yield Part(0, 0)
        return
    with open_raw(place.path) as raw:
        first_row = row = begin = position = 0
        for line in raw:
            position += len(line)
            if line.strip(b" \t\r\n\xef\xbb\xbf"):
                row += 1
            if position - begin >= batch_bytes:
                yield Part(first_row, row, f"{begin}:{position}")
                first_row, begin = row, position
        if position > begin:
            yield Part(first_row, row, f"{begin}:{position}")


def array(place: Place) -> Iterator[Row | RowError]:
    """`(row, value)` of every member of a JSON array, read in pieces; a damaged member ends the array."""
    decoder = json.JSONDecoder()
    text = codecs.getincrementaldecoder("utf-8-sig")("replace")
    row = 0
    try:
        with open_stream(place) as stream:
            buffer = text.decode(read_up_to(stream, _CHUNK)).lstrip()
            if not buffer.startswith("["):
                yield RowError(0, "bad_json", "not an array")
                return
            at, step, ended = 1, _CHUNK, False
            while True:
                at = _skip(buffer, at)
                if buffer[at : at + 1] == "]":
                    return
                value, end = _next_value(decoder, buffer, at)
                settled = end is not None and (end < len(buffer) or ended)
                if settled and end is not None:
                    yield row, value
                    row, at, step = row + 1, end, _CHUNK
                    continue
                if ended:
                    break
                chunk = read_up_to(stream, step)
                ended = not chunk
                buffer, at, step = buffer[at:] + text.decode(chunk, ended), 0, step * 2
    except STREAM_ERRORS as error:
        yield RowError(row, "truncated_file", str(error)[:200] or type(error).__name__)
        return
    yield RowError(row, "truncated_file", "the array is cut off or damaged here")


def _skip(buffer: str, at: int) -> int:
    while at < len(buffer) and buffer[at] in " \t\r\n,":
        at += 1
    return at


def _next_value(decoder: json.JSONDecoder, buffer: str, at: int) -> tuple[Any, int | None]:
    if at >= len(buffer):
        return None, None
    try:
        value, end = decoder.raw_decode(buffer, at)
    except (ValueError, RecursionError):
        return None, None
    return value, end


def first_record(place: Place) -> Mapping[str, Any]:
    """The first object in an array; empty where there is none."""
    for found in array(place):
        if isinstance(found, RowError):
            raise InputError(f"damaged JSON: {found.detail}", str(place), found.row)
        if isinstance(found[1], Mapping):
            return found[1]
    return {}


def json_object(place: Place) -> Mapping[str, Any] | None:
    """The one object that the file holds, None where it holds anything else. Reads the file whole."""
    with open_stream(place) as stream:
        try:
            value = loads(stream.read().decode("utf-8-sig"))
        except (*STREAM_ERRORS, ValueError):
            return None
    return value if isinstance(value, Mapping) else None

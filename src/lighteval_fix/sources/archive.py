"""Zip archives as Inspect writes them: members packed with deflate or Zstandard, and archives that were cut off.

A cut archive has lost its directory, but every member before the cut has a header of its own with name and size.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from .files import STREAM_ERRORS, open_member, open_raw, read_up_to

_HEADER = 30
_SIZES_FOLLOW = 0x08
_ENCRYPTED = 0x01
_MEMBER_BYTES = 2**31


@dataclass(frozen=True, slots=True)
class _Local:
    """A member by its own header."""

    start: int
    size: int
    method: int
    checksum: int


class Archive:
    """Names and contents of the members; `cut` says that the directory is lost."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._zip: zipfile.ZipFile | None = None
        self._local: dict[str, _Local] = {}
        try:
            self._zip = zipfile.ZipFile(raw)
        except (*STREAM_ERRORS, ValueError):
            self._local = dict(_scanned(raw))
            if not self._local:
                raise
        self.cut = self._zip is None
        self.names: tuple[str, ...] = tuple(
            dict.fromkeys(info.filename for info in self._zip.infolist() if not info.is_dir())
            if self._zip is not None
            else self._local
        )

    def size(self, name: str) -> int:
        """Packed bytes of a member."""
        return self._zip.getinfo(name).compress_size if self._zip is not None else self._local[name].size

    def read(self, name: str) -> bytes:
        """A member's bytes.

        Raises:
            OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError: damaged (`STREAM_ERRORS`).
        """
        if self._zip is not None:
            with open_member(self._raw, self._zip, name) as member:
                return member.read()
        found = self._local[name]
        self._raw.seek(found.start)
        packed = self._raw.read(found.size)
        content = _unpacked(packed, found.method)
        if zlib.crc32(content) != found.checksum:
            raise zipfile.BadZipFile(f"checksum of {name} does not match")
        return content


@contextmanager
def open_archive(path: str) -> Iterator[Archive]:
    """An archive, cut off or not. Raises `STREAM_ERRORS` or ValueError where not one member is whole."""
    with open_raw(path) as raw:
        yield Archive(raw)


def _unpacked(packed: bytes, method: int) -> bytes:
    from io import BytesIO

    from .files import ZSTD_METHOD, decompressed

    if method == zipfile.ZIP_STORED:
        return packed
    if method == zipfile.ZIP_DEFLATED:
        return zlib.decompressobj(-15).decompress(packed, _MEMBER_BYTES)
    if method == ZSTD_METHOD:
        with decompressed(BytesIO(packed), "zstd") as stream:
            return stream.read()
    raise zipfile.BadZipFile(f"unknown compression method {method}")


def _scanned(raw: BinaryIO) -> Iterator[tuple[str, _Local]]:
    """Members by their own headers, from the start up to the cut."""
    raw.seek(0, 2)
    end = raw.tell()
    position = 0
    while True:
        raw.seek(position)
        header = read_up_to(raw, _HEADER)
        if len(header) < _HEADER or header[:4] != b"PK\x03\x04":
            return
        flags, method = _number(header, 6, 2), _number(header, 8, 2)
        checksum, size = _number(header, 14, 4), _number(header, 18, 4)
        name_length, extra_length = _number(header, 26, 2), _number(header, 28, 2)
        name = read_up_to(raw, name_length)
        start = position + _HEADER + name_length + extra_length
        if flags & (_SIZES_FOLLOW | _ENCRYPTED) or size == 0xFFFFFFFF or start + size > end:
            return
        yield name.decode("utf-8", "replace"), _Local(start, size, method, checksum)
        position = start + size


def _number(header: bytes, at: int, length: int) -> int:
    return int.from_bytes(header[at : at + length], "little")

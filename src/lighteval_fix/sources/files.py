"""Where bytes come from: local files, fsspec URLs, members of zip archives, and compressed streams.

Everything here is read-only. fsspec and zstandard are imported on first need.
"""

from __future__ import annotations

import glob
import io
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO, cast

from ..model import InputError

_SPOOL_BYTES = 64 * 2**20
"""A compressed file that must be read at random places is unpacked to memory up to this size, then to disk."""

_GLOB_CHARACTERS = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Place:
    """One input: a path or URL, and a member where the path is a zip archive."""

    path: str
    member: str = ""

    def __str__(self) -> str:
        return f"{self.path}::{self.member}" if self.member else self.path

    @property
    def name(self) -> str:
        """The last part of the path, compression endings removed."""
        name = PurePosixPath((self.member or self.path).replace(os.sep, "/")).name
        for ending in (".gz", ".zst", ".bz2", ".xz"):
            name = name.removesuffix(ending)
        return name

    @property
    def parts(self) -> tuple[str, ...]:
        """The folders above the file, outermost first."""
        return PurePosixPath((self.member or self.path).replace(os.sep, "/")).parts[:-1]


def is_url(path: str) -> bool:
    """Whether fsspec must open it."""
    return "://" in path


def _filesystem(path: str) -> tuple[Any, str]:
    import fsspec

    try:
        filesystem, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise InputError(f"cannot open this kind of URL: {error}", path) from error
    return filesystem, inner


def open_raw(path: str) -> BinaryIO:
    """The bytes as stored, seekable."""
    try:
        if is_url(path):
            filesystem, inner = _filesystem(path)
            # fsspec's own files lack `readline(limit)` and `read1`.
            return cast(BinaryIO, io.BufferedReader(filesystem.open(inner, "rb"), 2**18))
        return open(path, "rb")
    except FileNotFoundError as error:
        raise InputError("no such file", path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from error


def size_of(place: Place) -> int:
    """Stored size in bytes, 0 where it is unknown."""
    if place.member:
        with open_raw(place.path) as raw, zipfile.ZipFile(raw) as archive:
            return archive.getinfo(place.member).file_size
    if is_url(place.path):
        filesystem, inner = _filesystem(place.path)
        return int(filesystem.size(inner) or 0)
    return os.path.getsize(place.path)


def state_of(place: Place) -> tuple[int, int]:
    """Size and time of change of a local file, so that a file that was written anew is not taken for the old one."""
    if is_url(place.path):
        return (size_of(place), 0)
    found = os.stat(place.path)
    return (found.st_size, found.st_mtime_ns)


def compression_of(first: bytes) -> str | None:
    """The compression that the first bytes announce."""
    for magic, name in (
        (b"\x1f\x8b", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"BZh", "bz2"),
        (b"\xfd7zXZ\x00", "xz"),
    ):
        if first.startswith(magic):
            return name
    return None


def decompressed(raw: BinaryIO, compression: str | None) -> BinaryIO:
    """A stream of the unpacked bytes; several frames or members follow one another as one stream."""
    match compression:
        case "gzip":
            import gzip

            return cast(BinaryIO, gzip.GzipFile(fileobj=raw, mode="rb"))
        case "zstd":
            return cast(BinaryIO, io.BufferedReader(_ZstdStream(raw), 2**17))
        case "bz2":
            import bz2

            return cast(BinaryIO, bz2.BZ2File(raw, "rb"))
        case "xz":
            import lzma

            return cast(BinaryIO, lzma.LZMAFile(raw, "rb"))
        case _:
            return raw


class _ZstdStream(io.RawIOBase):
    """Frames one after another. Unlike zstandard's own reader, a frame that is cut off is an error, not an end."""

    def __init__(self, raw: BinaryIO) -> None:
        import zstandard

        self._raw = raw
        self._new = zstandard.ZstdDecompressor().decompressobj
        self._error = zstandard.ZstdError
        self._frame: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not self._packed:
                self._packed = self._raw.read(2**17)
                if not self._packed:
                    if self._frame is not None:
                        raise EOFError("the last Zstandard frame is cut off")
                    return 0
            if self._frame is None:
                self._frame = self._new()
            try:
                self._ready = memoryview(self._frame.decompress(self._packed))
            except self._error as error:
                raise OSError(f"damaged Zstandard data: {error}") from error
            self._packed = self._frame.unused_data
            if self._frame.eof:
                self._frame = None
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


@contextmanager
def open_stream(place: Place) -> Iterator[BinaryIO]:
    """The unpacked bytes from the start; seekable only where `is_plain(place)`."""
    with open_raw(place.path) as raw:
        if not place.member:
            compression = compression_of(raw.read(8))
            raw.seek(0)
            with decompressed(raw, compression) as stream:
                yield stream
            return
        with zipfile.ZipFile(raw) as archive, open_member(raw, archive, place.member) as entry:
            buffered = cast(BinaryIO, io.BufferedReader(cast(Any, entry)))
            compression = compression_of(cast(io.BufferedReader, buffered).peek(8)[:8])
            with decompressed(buffered, compression) as stream:
                yield stream


ZSTD_METHOD = 93
"""Zip compression method number of Zstandard, which `zipfile` knows only from Python 3.14 on."""


@contextmanager
def open_member(raw: BinaryIO, archive: zipfile.ZipFile, member: str) -> Iterator[IO[bytes]]:
    """One member of an archive, those packed with Zstandard (several frames) included."""
    info = archive.getinfo(member)
    if info.compress_type != ZSTD_METHOD:
        try:
            entry = archive.open(info)
        except ValueError as error:  # a name that is no UTF-8
            raise zipfile.BadZipFile(f"damaged header of {member}") from error
        with entry:
            yield entry
        return
    with decompressed(_stored_bytes(raw, info), "zstd") as unpacked:
        yield unpacked


def _stored_bytes(raw: BinaryIO, info: zipfile.ZipInfo) -> BinaryIO:
    """The member's packed bytes: its local header is 30 bytes, then name and extra field, then the data."""
    raw.seek(info.header_offset)
    header = raw.read(30)
    if header[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile(f"bad local header of {info.filename}")
    start = info.header_offset + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    raw.seek(start)
    return io.BytesIO(raw.read(info.compress_size))


STREAM_ERRORS = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError)
"""What a cut or damaged packed stream raises."""


def read_up_to(stream: BinaryIO, size: int) -> bytes:
    """At most `size` bytes; of a stream that breaks off, those before the break, then the error on the next call."""
    read = getattr(stream, "read1", stream.read)
    pieces: list[bytes] = []
    while size > 0:
        try:
            piece = read(min(size, 2**16))
        except STREAM_ERRORS:
            if pieces:
                break
            raise
        if not piece:
            break
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def is_plain(place: Place) -> bool:
    """Whether the bytes can be read from any offset (neither packed nor in an archive)."""
    if place.member:
        return False
    with open_raw(place.path) as raw:
        return compression_of(raw.read(8)) is None


@contextmanager
def open_seekable(place: Place) -> Iterator[BinaryIO]:
    """The unpacked bytes at random access; packed ones are first unpacked to a temporary file of ours."""
    if is_plain(place):
        with open_raw(place.path) as raw:
            yield raw
        return
    with tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES) as spool, open_stream(place) as stream:
        while chunk := stream.read(2**20):
            spool.write(chunk)
        spool.seek(0)
        yield cast(BinaryIO, spool)


def expand(path: str) -> tuple[list[str], bool]:
    """The files that `path` names, sorted, and whether it named several (a folder or a glob)."""
    if is_url(path):
        return _expand_url(path)
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        return sorted(_walk(path)), True
    if not os.path.exists(path) and _GLOB_CHARACTERS & set(path):
        found = sorted(
            {name for hit in glob.glob(path, recursive=True) for name in (_walk(hit) if os.path.isdir(hit) else (hit,))}
        )
        if not found:
            raise InputError("nothing matches this pattern", path)
        return found, True
    if not os.path.exists(path):
        raise InputError("no such file or folder", path)
    return [path], False


def _walk(folder: str) -> Iterator[str]:
    """The files below a folder, and the folders below it that cannot be listed: opening one tells why."""
    refused: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=refused.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            if not name.startswith("."):
                yield os.path.join(root, name)
    for error in refused:
        if error.filename == folder:
            raise InputError(f"cannot be listed: {error.strerror}", folder)
        yield error.filename


def _expand_url(path: str) -> tuple[list[str], bool]:
    filesystem, inner = _filesystem(path)
    try:
        if filesystem.isdir(inner):
            return sorted(filesystem.unstrip_protocol(name) for name in filesystem.find(inner)), True
        if not filesystem.exists(inner) and _GLOB_CHARACTERS & set(inner):
            found = sorted(
                filesystem.unstrip_protocol(name) for name in filesystem.glob(inner) if filesystem.isfile(name)
            )
            if not found:
                raise InputError("nothing matches this pattern", path)
            return found, True
        if not filesystem.exists(inner):
            raise InputError("no such file or folder", path)
    except OSError as error:
        raise InputError(f"cannot be listed: {error}", path) from error
    except Exception as error:
        # Each remote service has errors of its own (botocore's know no OSError); an InputError is ours already.
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot be listed: {type(error).__name__}: {error}", path) from error
    return [path], False

"""The journal behind `--resume`: one line a finished part of a run, appended as the parts come.

A line holds its own checksum. What a kill tears in the middle of a line is cut off when the file is opened again, so
an interruption costs the parts in flight and can never count anything twice or half.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO

from ..model import InputError, Part
from .ahead import Graded
from .alike import Result, one_by_one
from .codec import from_json, to_json
from .rules import rules_hash, version
from .work import Work

_HEAD = "lighteval-fix journal 1"


class Journal:
    """Finished parts of runs in a file of their own.

    Args:
        path: created where it does not exist.

    Raises:
        InputError: not a journal, written by other rules, or in use by another process.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file: IO[bytes] = open(self.path, "a+b")  # noqa: SIM115 (closed by `close`)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise InputError("another process is writing this journal", str(path)) from None
        self._done: dict[tuple[str, Part], tuple[int, int]] = {}
        try:
            self._open()
        except InputError:
            self.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @property
    def parts(self) -> int:
        """Parts that are done."""
        return len(self._done)

    def through(
        self, work: Work, parts: Iterator[Part], grade: Callable[[Iterator[Part]], Iterator[Graded]]
    ) -> Iterator[Graded]:
        """All parts in order: those in the journal are read back, the others are graded by `grade` and written."""
        key = _key(work)
        order: deque[Part] = deque()

        def missing() -> Iterator[Part]:
            for part in parts:
                order.append(part)
                if (key, part) not in self._done:
                    yield part

        for done, grades in grade(missing()):
            while (part := order.popleft()) != done:
                yield part, self._read(key, part)
            self._append(key, part, grades)
            yield part, grades
        while order:
            part = order.popleft()
            yield part, self._read(key, part)

    def _open(self) -> None:
        """Index what is there; cut off a torn end."""
        self._file.seek(0)
        head = self._file.readline()
        if not head.endswith(b"\n"):
            if not f"{_HEAD} {_rules()}\n".encode().startswith(head):
                raise InputError("not a journal of lighteval-fix", str(self.path))
            self._file.truncate(0)
            self._write(f"{_HEAD} {_rules()}\n".encode())
            return
        if not head.startswith(_HEAD.encode()):
            raise InputError("not a journal of lighteval-fix", str(self.path))
        if head.decode("utf-8", "replace").strip() != f"{_HEAD} {_rules()}":
            raise InputError("written by another version or other rules: start a new journal", str(self.path))
        good = self._file.tell()
        while line := self._file.readline():
            label = _label(line)
            if label is None:
                break
            key, part, offset = label
            self._done[key, part] = (good + offset, len(line) - offset)
            good += len(line)
        self._file.truncate(good)
        self._file.seek(0, os.SEEK_END)

    def _write(self, line: bytes) -> int:
        self._file.seek(0, os.SEEK_END)
        at = self._file.tell()
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        return at

    def _append(self, key: str, part: Part, grades: list[Result]) -> None:
        body = json.dumps([to_json(grade) for grade in one_by_one(grades)], separators=(",", ":")).encode()
        label = json.dumps([key, part.start, part.stop, part.key, sha256(body).hexdigest()]).encode() + b"\t"
        at = self._write(label + body + b"\n")
        self._done[key, part] = (at + len(label), len(body) + 1)

    def _read(self, key: str, part: Part) -> list[Result]:
        at, length = self._done[key, part]
        self._file.seek(at)
        return [from_json(made) for made in json.loads(self._file.read(length))]


def _rules() -> str:
    return f"{version()} {rules_hash()}"


def _label(line: bytes) -> tuple[str, Part, int] | None:
    """Key, part and where the grades begin; None for a line that is torn or whose checksum does not hold."""
    label, tab, body = line.partition(b"\t")
    if not tab or not body.endswith(b"\n"):
        return None
    try:
        key, start, stop, part_key, checksum = json.loads(label)
    except ValueError:
        return None
    if sha256(body[:-1]).hexdigest() != checksum:
        return None
    return key, Part(start, stop, part_key), len(label) + 1


def _key(work: Work) -> str:
    """What a part's grades depend on beside the rules: the input as it is now, and the options."""
    run = work.run
    try:
        changed = os.stat(run.path).st_mtime_ns
    except OSError:
        changed = 0  # a URL: its size is what we know
    told = (run.path, run.task, run.format, run.bytes, changed, repr(work.options), work.replay is not None)
    return sha256(repr(told).encode()).hexdigest()

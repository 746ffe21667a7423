"""The seam: what a source is, and what it sees of a file when it says whether the file is its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from ..model import InputError, Item, Part, RowError, Run
from .files import Place


class Container(StrEnum):
    """How the rows of a file are held."""

    PARQUET = "parquet"
    JSON_LINES = "jsonl"
    JSON_ARRAY = "json array"
    JSON_OBJECT = "json object"
    CSV = "csv"
    ZIP = "zip"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Head:
    """What can be known of a file without reading it whole.

    Args:
        place: the file.
        container: how it holds its rows.
        columns: column names, or the keys of the first record or of the object, or the names in an archive.
        record: the first record (of an object: the whole object).
        size: stored bytes.
    """

    place: Place
    container: Container
    columns: tuple[str, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """A shape that a source knows: in which containers, and which columns must be there."""

    containers: tuple[Container, ...]
    columns: tuple[str, ...]
    """A name may list alternatives: `resps|responses`."""

    def closeness(self, head: Head) -> float:
        """1 for a match, else the share of the columns that are there (less in another container)."""
        have = set(head.columns)
        hits = sum(any(name in have for name in column.split("|")) for column in self.columns)
        share = hits / len(self.columns)
        return share if head.container in self.containers else share * 0.5


@dataclass(frozen=True, slots=True)
class Around:
    """The other files that were found together with a file, so that a source can pair what belongs together."""

    places: tuple[Place, ...] = ()


class Source(Protocol):
    """One format. Stateless; `runs` must be lazy enough that listing a folder does not read its files whole."""

    name: str
    layouts: tuple[Layout, ...]

    def matches(self, head: Head) -> bool:
        """Whether the content is this format's, beyond any doubt."""
        ...

    def is_companion(self, head: Head, around: Around) -> bool:
        """Whether the file belongs to this format but is no run of its own (a results file)."""
        ...

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        """The runs in the file."""
        ...


def closeness(source: Source, head: Head) -> float:
    """How much a file looks like a source's, for naming the nearest formats."""
    return max((layout.closeness(head) for layout in source.layouts), default=0.0)


@dataclass(frozen=True, slots=True)
class NoReader:
    """The reader of a run that is skipped: no items."""

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        yield from ()

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield from ()


@dataclass(frozen=True, slots=True)
class BrokenReader:
    """The reader of a file, found among others, that cannot be read at all: one error."""

    reason: str
    detail: str

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        yield RowError(0, self.reason, self.detail)

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield Part(0, 1)


def broken_run(place: Place, error: InputError) -> Run:
    """A run that stands for a file that cannot be read, so that the others are still graded."""
    return Run(path=str(place), format="unknown", reader=BrokenReader("unreadable_file", error.message))

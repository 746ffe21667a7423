"""Rows that are samples of one item, wherever in the file they stand: repeats are written as they are done."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

from ..model import Item, Part, RowError
from .files import is_plain, open_raw
from .json_rows import line_offsets, parsed
from .records import WHOLE, Convert, Records
from .source import Container
from .values import Record

Key: TypeAlias = Callable[[Record], str]
"""What rows of one item have in common; a function of a module, so that a reader pickles."""


@dataclass(frozen=True, slots=True)
class GroupedReader:
    """Items made of all the rows with one key, in the order in which the keys first come up.

    Plain JSON lines are read twice, and only byte offsets are held; of anything else, all items are.
    The row of an item is that of its first sample.
    """

    records: Records
    convert: Convert
    key: Key
    task: str = ""

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        if self.records.container is Container.JSON_LINES and is_plain(self.records.place):
            yield from self._by_offsets()
            return
        groups: dict[object, list[Item | RowError]] = {}
        for found in self.records.read():
            if isinstance(found, RowError):
                groups[found.row] = [found]
            else:
                groups.setdefault(self._key(*found), []).append(self._item(*found))
        for group in groups.values():
            yield from gathered(group)

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield WHOLE

    def _by_offsets(self) -> Iterator[Item | RowError]:
        path = self.records.place.path
        groups: dict[object, list[tuple[int, int, int]]] = {}
        with open_raw(path) as raw:
            for row, start, line in line_offsets(raw):
                value = parsed(line, row)
                key: object = row if isinstance(value, RowError) else self._key(row, value)
                groups.setdefault(key, []).append((row, start, len(line)))
            for group in groups.values():
                found: list[Item | RowError] = []
                for row, start, length in group:
                    raw.seek(start)
                    value = parsed(raw.read(length), row)
                    found.append(value if isinstance(value, RowError) else self._item(row, value))
                yield from gathered(found)

    def _key(self, row: int, value: object) -> object:
        if not isinstance(value, Mapping):
            return row
        return blake2b(self.key(value).encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def _item(self, row: int, value: object) -> Item | RowError:
        if isinstance(value, Mapping):
            return self.convert(row, value, self.task)
        return RowError(row, "wrong_type", "the row is no object")


def gathered(found: list[Item | RowError]) -> Iterator[Item | RowError]:
    """Errors first, then the one item that the others make."""
    yield from (each for each in found if isinstance(each, RowError))
    items = [each for each in found if isinstance(each, Item)]
    if items:
        yield merged(items)


def merged(items: list[Item]) -> Item:
    """One item out of several samples of it; its scores become scores of the samples."""
    if len(items) == 1:
        return items[0]
    generations = tuple(generation for item in items for generation in item.generations)
    recorded = []
    start = 0
    for item in items:
        for score in item.recorded:
            if score.sample is not None:
                recorded.append(dataclasses.replace(score, sample=start + score.sample))
            elif len(item.generations) == 1:
                recorded.append(dataclasses.replace(score, sample=start))
        start += len(item.generations)
    return dataclasses.replace(items[0], generations=generations, recorded=tuple(recorded))

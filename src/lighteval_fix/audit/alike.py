"""Items that are alike in all that a score depends on, counted instead of listed: a few dozen kinds in a million.

Where nothing but the counts is wanted, they are counted where they are graded, and one grade stands for all its kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..model import Change, Grade, NoAnswer, RowError, Standing

_KINDS = 1024
"""Kinds that are counted at a time: more of them where recorded scores are no marks but, say, rewards, and then there
is nothing to gain."""


@dataclass(frozen=True, slots=True)
class Alike:
    """So many items with one sample each that were graded like this one."""

    grade: Grade
    times: int


Result: TypeAlias = Grade | RowError | Alike


class Counts:
    """Counts items by their kind."""

    def __init__(self) -> None:
        self._places: dict[Hashable, int] = {}
        self._grades: list[Grade] = []
        self._times: list[int] = []

    def add(self, grade: Grade, times: int = 1) -> None:
        """So many more items like this one (`countable`)."""
        place = self._places.setdefault(_kind(grade), len(self._grades))  # looked up once: hashing a kind takes long
        if place == len(self._grades):
            self._grades.append(grade)
            self._times.append(times)
        else:
            self._times[place] += times

    @property
    def full(self) -> bool:
        """Whether it is time to take them out."""
        return len(self._grades) >= _KINDS

    def taken(self) -> list[Alike]:
        """What was counted so far, in the order in which the kinds were first seen; counting starts anew."""
        made = [Alike(grade, times) for grade, times in zip(self._grades, self._times, strict=True)]
        self._places, self._grades, self._times = {}, [], []
        return made


def countable(grade: Grade) -> bool:
    """Whether nothing of this grade is told but its counts: no change to be listed, no error to be named, no other
    samples that its score depends on."""
    return (
        grade.samples == 1
        and grade.change is not Change.RECOVERED
        and grade.change is not Change.WITHDRAWN
        and grade.standing is not Standing.ERROR
    )


def counted(results: Iterable[Grade | RowError]) -> Iterator[Result]:
    """The same results, those that are `countable` as counts, after the others."""
    counts = Counts()
    for result in results:
        if isinstance(result, Grade) and countable(result):
            counts.add(result)
            if counts.full:
                yield from counts.taken()
        else:
            yield result
    yield from counts.taken()


def one_by_one(results: Iterable[Result]) -> Iterator[Grade | RowError]:
    """Results that hold no counts, known as such.

    Raises:
        TypeError: there is a count among them.
    """
    for result in results:
        if isinstance(result, Alike):
            raise TypeError("grades were counted where each was wanted")
        yield result


def _kind(grade: Grade) -> Hashable:
    """All that the counts and scores of an item with this one sample depend on."""
    reading = grade.reading
    return (
        grade.standing,
        grade.recorded,
        grade.by_policy,
        grade.unfinished_standing,
        grade.finished,
        grade.change,
        grade.kind,
        grade.marks,
        reading.reason if isinstance(reading, NoAnswer) else reading is None,
    )

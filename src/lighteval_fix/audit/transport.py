"""Grades on their way from a worker: plain tuples, which pickle many times faster than frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeAlias

from ..model import Grade, Reading, RowError

Packed: TypeAlias = list[RowError | tuple[Any, ...]]

_GRADE = tuple(field.name for field in fields(Grade))
_READING = tuple(field.name for field in fields(Reading))
_grade = attrgetter(*_GRADE)
_reading = attrgetter(*_READING)
_AT = _GRADE.index("reading")


def pack(results: Iterable[Grade | RowError]) -> Packed:
    """The results as tuples of their fields; a bad row stays as it is."""
    packed: Packed = []
    for result in results:
        if isinstance(result, RowError):
            packed.append(result)
            continue
        values = _grade(result)
        if isinstance(result.reading, Reading):
            values = (*values[:_AT], _reading(result.reading), *values[_AT + 1 :])
        packed.append(values)
    return packed


def unpack(packed: Packed) -> list[Grade | RowError]:
    """The results again."""
    results: list[Grade | RowError] = []
    for values in packed:
        if isinstance(values, RowError):
            results.append(values)
            continue
        if type(values[_AT]) is tuple:
            values = (*values[:_AT], Reading(*values[_AT]), *values[_AT + 1 :])
        results.append(Grade(*values))
    return results

"""Grades on their way from a worker: plain tuples, which pickle many times faster than frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeAlias

from ..model import Grade, Reading, RowError
from .alike import Alike, Result

Packed: TypeAlias = list[RowError | Alike | tuple[Any, ...]]

_GRADE = tuple(field.name for field in fields(Grade))
_READING = tuple(field.name for field in fields(Reading))
_grade = attrgetter(*_GRADE)
_reading = attrgetter(*_READING)
_AT = _GRADE.index("reading")


def pack(results: Iterable[Result]) -> Packed:
    """Grades as tuples of their fields; what is seldom, a bad row or a count, stays as it is."""
    packed: Packed = []
    for result in results:
        if not isinstance(result, Grade):
            packed.append(result)
            continue
        values = _grade(result)
        if isinstance(result.reading, Reading):
            values = (*values[:_AT], _reading(result.reading), *values[_AT + 1 :])
        packed.append(values)
    return packed


def unpack(packed: Packed) -> list[Result]:
    """The results again."""
    results: list[Result] = []
    for values in packed:
        if not isinstance(values, tuple):
            results.append(values)
            continue
        if type(values[_AT]) is tuple:
            values = (*values[:_AT], Reading(*values[_AT]), *values[_AT + 1 :])
        results.append(Grade(*values))
    return results

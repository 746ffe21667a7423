"""Grades as JSON and back, exactly: what a journal of a long re-grade holds. Built from the types of `model`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from ..model import (
    Cause,
    CauseBy,
    Change,
    Different,
    Equal,
    Grade,
    Kind,
    Mark,
    NoAnswer,
    NoAnswerReason,
    Policy,
    Proof,
    Reading,
    Recorded,
    RowError,
    Rule,
    Standing,
    Undecided,
    UndecidedReason,
    Verdict,
)

Json = dict[str, Any]


def to_json(result: Grade | RowError) -> Json:
    """Plain values; a field at its default is left out."""
    if isinstance(result, RowError):
        return {"row_error": [result.row, result.reason, result.detail]}
    made: Json = {}
    for field in fields(Grade):
        value = getattr(result, field.name)
        if value != field.default:
            made[field.name] = _WRITERS.get(field.name, _same)(value)
    return made


def from_json(made: Mapping[str, Any]) -> Grade | RowError:
    """The grade again.

    Raises:
        ValueError, KeyError, TypeError: not what `to_json` writes.
    """
    if "row_error" in made:
        row, reason, detail = made["row_error"]
        return RowError(int(row), str(reason), str(detail))
    return Grade(**{name: _READERS[name](value) if name in _READERS else value for name, value in made.items()})


def _same(value: Any) -> Any:
    return value


def _spans(passed: Sequence[tuple[Any, Any]]) -> list[Any]:
    return [[list(span), str(rule)] for span, rule in passed]


def _passed(made: Sequence[Any]) -> tuple[tuple[tuple[int, int], Rule], ...]:
    return tuple(((span[0], span[1]), Rule(rule)) for span, rule in made)


def _write_reading(reading: Reading | NoAnswer | None) -> Json | None:
    if reading is None:
        return None
    if isinstance(reading, NoAnswer):
        return {"none": str(reading.reason), "passed": _spans(reading.passed_over)}
    return {
        "text": reading.text,
        "spans": [list(span) for span in reading.spans],
        "rule": str(reading.rule),
        "in_reasoning": reading.in_reasoning,
        "marks": [str(mark) for mark in reading.marks],
        "passed": _spans(reading.passed_over),
    }


def _read_reading(made: Json | None) -> Reading | NoAnswer | None:
    if made is None:
        return None
    if "none" in made:
        return NoAnswer(NoAnswerReason(made["none"]), _passed(made["passed"]))
    return Reading(
        text=made["text"],
        spans=tuple((span[0], span[1]) for span in made["spans"]),
        rule=Rule(made["rule"]),
        in_reasoning=made["in_reasoning"],
        marks=tuple(Mark(mark) for mark in made["marks"]),
        passed_over=_passed(made["passed"]),
    )


def _write_verdict(verdict: Verdict | None) -> list[str] | None:
    match verdict:
        case None:
            return None
        case Undecided(reason, detail):
            return ["undecided", str(reason), detail]
        case Equal(proof, evidence) | Different(proof, evidence):
            return [verdict.kind, str(proof), evidence]


def _read_verdict(made: Sequence[str] | None) -> Verdict | None:
    if made is None:
        return None
    kind, code, said = made
    if kind == "undecided":
        return Undecided(UndecidedReason(code), said)
    return (Equal if kind == "equal" else Different)(Proof(code), said)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "reading": _write_reading,
    "verdict": _write_verdict,
    "by_policy": lambda pairs: [[str(policy), str(standing)] for policy, standing in pairs],
    "marks": lambda marks: [str(mark) for mark in marks],
    "recorded": lambda scores: [[score.metric, score.score, score.sample] for score in scores],
}

_READERS: dict[str, Callable[[Any], Any]] = {
    "kind": Kind,
    "standing": Standing,
    "golds": tuple,
    "reading": _read_reading,
    "verdict": _read_verdict,
    "by_policy": lambda pairs: tuple((Policy(policy), Standing(standing)) for policy, standing in pairs),
    "unfinished_standing": Standing,
    "marks": lambda marks: tuple(Mark(mark) for mark in marks),
    "recorded": lambda scores: tuple(Recorded(metric, score, sample) for metric, score, sample in scores),
    "change": Change,
    "cause": Cause,
    "cause_by": CauseBy,
}

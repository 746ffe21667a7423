"""One grade as one row of plain values: the contract's flip, and the recorded score."""

from __future__ import annotations

from typing import Any

from ..audit.document import reading_document, verdict_document
from ..model import Grade, NoAnswer, Reading, RowError, Run, Standing, Undecided
from .part_file import encodable

Row = dict[str, Any]


def row_of(run: Run, grade: Grade | RowError) -> Row:
    """The row; a `RowError` fills what it can, so that nothing of the input is lost."""
    if isinstance(grade, RowError):
        return _empty(run) | {
            "row": grade.row,
            "standing": str(Standing.ERROR),
            "error": grade.reason,
            "detail": encodable(grade.detail),
        }
    before, level = recorded_score(run, grade)
    return _empty(run) | {
        "task": grade.task or run.task,
        "id": encodable(grade.id),
        "row": grade.row,
        "sample": grade.sample,
        "samples": grade.samples,
        "kind": str(grade.kind),
        "standing": str(grade.standing),
        "from": before,
        "level": level,
        "to": grade.score,
        "change": str(grade.change),
        "cause": str(grade.cause) if grade.cause is not None else None,
        "cause_by": str(grade.cause_by) if grade.cause is not None else None,
        "golds": [encodable(gold) for gold in grade.golds],
        "matched_gold": grade.matched_gold,
        "answer": answer_of(grade),
        "verdict": _verdict(grade),
        "reading": _reading(grade),
        "marks": [str(mark) for mark in grade.marks],
        "by_policy": [{"policy": str(policy), "standing": str(standing)} for policy, standing in grade.by_policy],
        "finished": grade.finished,
        "recorded": [
            {"metric": score.metric, "score": score.score}
            for score in grade.recorded
            if score.sample in (None, grade.sample)
        ],
        "detail": encodable(grade.detail),
    }


def answer_of(grade: Grade) -> str | None:
    """What was read as the answer."""
    return encodable(grade.reading.text) if isinstance(grade.reading, Reading) else None


def recorded_score(run: Run, grade: Grade) -> tuple[float | None, str | None]:
    """The recorded score under the run's first metric, and whether it is of the generation or of the item."""
    metrics = [*run.metrics, *(score.metric for score in grade.recorded)]
    for metric in metrics:
        for score in grade.recorded:
            if score.metric == metric and score.sample == grade.sample:
                return score.score, "generation"
        for score in grade.recorded:
            if score.metric == metric and score.sample is None:
                return score.score, "generation" if grade.samples == 1 else "item"
    return None, None


def _empty(run: Run) -> Row:
    return {
        "path": encodable(run.path),
        "model": run.model,
        "task": run.task,
        "id": None,
        "row": None,
        "sample": None,
        "samples": None,
        "kind": None,
        "standing": None,
        "from": None,
        "level": None,
        "to": None,
        "change": None,
        "cause": None,
        "cause_by": None,
        "golds": [],
        "matched_gold": None,
        "answer": None,
        "verdict": None,
        "reading": None,
        "marks": [],
        "by_policy": [],
        "finished": None,
        "recorded": [],
        "error": None,
        "detail": "",
    }


def _verdict(grade: Grade) -> Row | None:
    if grade.verdict is None:
        return None
    held: Row = {"kind": None, "proof": None, "reason": None, **verdict_document(grade.verdict)}
    detail = grade.verdict.detail if isinstance(grade.verdict, Undecided) else grade.verdict.evidence
    return {name: held[name] for name in ("kind", "proof", "reason")} | {"evidence": encodable(detail)}


def _reading(grade: Grade) -> Row | None:
    if grade.reading is None:
        return None
    if isinstance(grade.reading, NoAnswer):
        return {"rule": None, "spans": [], "in_reasoning": False, "no_answer": str(grade.reading.reason)}
    held: Row = {**reading_document(grade.reading)}
    return {name: held[name] for name in ("rule", "spans", "in_reasoning")} | {"no_answer": None}

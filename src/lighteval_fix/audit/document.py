"""The JSON of the contract as types (`schema_version` 1), and the way there from a `Summary`.

The JSON Schema in the documentation is generated from these types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict, TypeVar

from ..model import Flip, NoAnswer, Reading, RowError, Undecided, Verdict
from .rules import rules_hash, version
from .summary import MetricScore, Regraded, RunSummary, Score, Summary

SCHEMA_VERSION: Literal[1] = 1
K = TypeVar("K", bound=str)


class ToolDoc(TypedDict):
    name: str
    version: str
    rules: str


class SettingsDoc(TypedDict):
    policy: str
    precision: int
    unfinished: str
    comparator: str
    sandbox: str | None


class InputDoc(TypedDict):
    bytes: int
    sha256: str | None


class SourceDoc(TypedDict):
    format: str
    version: str | None
    date: str | None


class ScoreDoc(TypedDict):
    score: float
    ci95: list[float]


class FinishedDoc(TypedDict):
    score: float
    of: int


class RegradedDoc(TypedDict):
    score: float
    ci95: list[float]
    if_undecided_right: float
    unfinished_as_wrong: float
    finished_only: FinishedDoc | None
    by_policy: dict[str, float]


class MetricDoc(TypedDict):
    metric: str
    k: int | None
    n: int | None
    denominator: Literal["items"]
    of: int
    recorded: ScoreDoc | None
    regraded: RegradedDoc | None
    note: NotRequired[str]


class VerdictsDoc(TypedDict):
    right: int
    wrong: int
    undecided: int
    no_answer: int
    error: int


class ChangesDoc(TypedDict):
    level: Literal["generation", "item"]
    kept: int
    recovered: int
    withdrawn: int
    not_comparable: int


class VerdictDoc(TypedDict):
    kind: Literal["equal", "different", "undecided"]
    proof: NotRequired[str]
    reason: NotRequired[str]
    evidence: NotRequired[str]


class ReadingDoc(TypedDict):
    rule: NotRequired[str]
    spans: NotRequired[list[list[int]]]
    in_reasoning: NotRequired[bool]
    no_answer: NotRequired[str]


# "from" is no Python name, so this one is written as a call.
FlipDoc = TypedDict(
    "FlipDoc",
    {
        "id": str,
        "row": int,
        "sample": int | None,
        "from": float,
        "to": float,
        "cause": str,
        "cause_by": Literal["inferred", "replayed"],
        "golds": list[str],
        "matched_gold": int | None,
        "answer": str | None,
        "verdict": VerdictDoc | None,
        "reading": ReadingDoc | None,
    },
)


class ErrorDoc(TypedDict):
    row: int
    reason: str
    detail: NotRequired[str]


class RunDoc(TypedDict):
    path: str
    input: InputDoc
    source: SourceDoc
    model: str | None
    task: str
    kind: str | None
    items: int
    generations: int
    scores: list[MetricDoc]
    verdicts: VerdictsDoc
    no_answers: dict[str, int]
    changes: ChangesDoc
    marks: dict[str, int]
    causes: dict[str, int]
    flips_total: int
    flips: list[FlipDoc]
    errors: list[ErrorDoc]


class SkippedDoc(TypedDict):
    path: str
    reason: str


class Document(TypedDict):
    schema_version: Literal[1]
    tool: ToolDoc
    settings: SettingsDoc
    runs: list[RunDoc]
    skipped: list[SkippedDoc]


def document(summary: Summary) -> Document:
    """The whole document."""
    options = summary.options
    ran_code = any(run.kind == "code" for run in summary.runs)
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "lighteval-fix", "version": version(), "rules": rules_hash()},
        "settings": {
            "policy": str(options.policy),
            "precision": options.precision,
            "unfinished": str(options.unfinished),
            "comparator": "own" if options.comparator is None else "lighteval",
            "sandbox": options.code.sandbox if ran_code else None,
        },
        "runs": [run_document(run) for run in summary.runs],
        "skipped": [{"path": skipped.path, "reason": skipped.reason} for skipped in summary.skipped],
    }


def run_document(run: RunSummary) -> RunDoc:
    """One run's part of it."""
    verdicts, changes = _counts(run.verdicts), _counts(run.changes)
    return {
        "path": run.path,
        "input": {"bytes": run.bytes, "sha256": run.sha256},
        "source": {"format": run.format, "version": run.version, "date": run.date},
        "model": run.model,
        "task": run.task,
        "kind": None if run.kind is None else str(run.kind),
        "items": run.items,
        "generations": run.generations,
        "scores": [_metric(score) for score in run.scores],
        "verdicts": {
            "right": verdicts["right"],
            "wrong": verdicts["wrong"],
            "undecided": verdicts["undecided"],
            "no_answer": verdicts["no_answer"],
            "error": verdicts["error"],
        },
        "no_answers": _counts(run.no_answers),
        "changes": {
            "level": "item" if run.level == "item" else "generation",
            "kept": changes["kept"],
            "recovered": changes["recovered"],
            "withdrawn": changes["withdrawn"],
            "not_comparable": changes["not_comparable"],
        },
        "marks": _counts(run.marks),
        "causes": _counts(run.causes),
        "flips_total": len(run.flips),
        "flips": [flip_document(flip) for flip in run.flips],
        "errors": [_error(error) for error in run.errors],
    }


def why_no_answer(run: RunDoc) -> str:
    """`17 empty, 1 unfinished`: why the generations without an answer have none, for a reader."""
    return ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in run["no_answers"].items())


def _counts(counts: Mapping[K, int]) -> dict[str, int]:
    return {str(key): count for key, count in counts.items()}


def _metric(score: MetricScore) -> MetricDoc:
    made: MetricDoc = {
        "metric": score.metric,
        "k": score.k,
        "n": score.n,
        "denominator": "items",
        "of": score.of,
        "recorded": None if score.recorded is None else _score(score.recorded),
        "regraded": None if score.regraded is None else _regraded(score.regraded),
    }
    if score.note:
        made["note"] = score.note
    return made


def _score(score: Score) -> ScoreDoc:
    return {"score": _round(score.score), "ci95": [_round(end) for end in score.ci95]}


def _regraded(score: Regraded) -> RegradedDoc:
    done = score.finished_only
    return {
        "score": _round(score.score),
        "ci95": [_round(end) for end in score.ci95],
        "if_undecided_right": _round(score.if_undecided_right),
        "unfinished_as_wrong": _round(score.unfinished_as_wrong),
        "finished_only": None if done is None else {"score": _round(done[0]), "of": done[1]},
        "by_policy": {str(policy): _round(value) for policy, value in score.by_policy},
    }


def _round(value: float) -> float:
    # Twelve places: summation order must not show in the document, and no score has more in it.
    return round(value, 12)


def flip_document(flip: Flip) -> FlipDoc:
    """One changed verdict."""
    return {
        "id": flip.id,
        "row": flip.row,
        "sample": flip.sample,
        "from": _round(flip.before),
        "to": _round(flip.after),
        "cause": str(flip.cause),
        "cause_by": "replayed" if flip.cause_by == "replayed" else "inferred",
        "golds": list(flip.golds),
        "matched_gold": flip.matched_gold,
        "answer": flip.answer,
        "verdict": None if flip.verdict is None else verdict_document(flip.verdict),
        "reading": None if flip.reading is None else reading_document(flip.reading),
    }


def verdict_document(verdict: Verdict) -> VerdictDoc:
    """A verdict with its proof or reason; `evidence` quotes the question, or says what could not be settled."""
    if isinstance(verdict, Undecided):
        made: VerdictDoc = {"kind": "undecided", "reason": str(verdict.reason)}
        evidence = verdict.detail
    else:
        made = {"kind": verdict.kind, "proof": str(verdict.proof)}
        evidence = verdict.evidence
    if evidence:
        made["evidence"] = evidence
    return made


def reading_document(reading: Reading | NoAnswer) -> ReadingDoc:
    """Where and by which rule an answer was read, or why none was."""
    if isinstance(reading, NoAnswer):
        return {"no_answer": str(reading.reason)}
    return {
        "rule": str(reading.rule),
        "spans": [list(span) for span in reading.spans],
        "in_reasoning": reading.in_reasoning,
    }


def _error(error: RowError) -> ErrorDoc:
    made: ErrorDoc = {"row": error.row, "reason": error.reason}
    if error.detail:
        made["detail"] = error.detail
    return made

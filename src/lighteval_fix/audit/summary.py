"""What a re-graded run comes to: scores before and after, counts, causes, changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..grading.grader import Options
from ..model import Cause, Change, Flip, Kind, Mark, NoAnswerReason, Policy, RowError, Standing
from .stats import Interval

if TYPE_CHECKING:
    from .document import Document


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over items with its 95 % interval."""

    score: float
    ci95: Interval


@dataclass(frozen=True, slots=True)
class Regraded:
    """A metric's score as re-graded, and what it would be under other readings of the same grades.

    Args:
        score, ci95: undecided counts as wrong.
        if_undecided_right: what was undecided, or could not be graded, counted as right: the upper bound.
        unfinished_as_wrong: traces that were never closed counted as no answer.
        finished_only: mean over the items with enough finished samples, and their number.
        by_policy: the score under each policy at or below the one in force, strictest first.
    """

    score: float
    ci95: Interval
    if_undecided_right: float
    unfinished_as_wrong: float
    finished_only: tuple[float, int] | None
    by_policy: tuple[tuple[Policy, float], ...]


@dataclass(frozen=True, slots=True)
class MetricScore:
    """One recorded metric, before and after.

    Args:
        of: items in the denominator.
        recorded: None where the harness recorded no such score for these items.
        regraded: None where the metric is no matter of right and wrong, or is not defined on the samples there are.
        note: why `regraded` is missing, or what else must be said (ties in a vote).
        reported: the harness's own figure for the whole run, where known.
    """

    metric: str
    k: int | None
    n: int | None
    of: int
    recorded: Score | None
    regraded: Regraded | None
    note: str = ""
    reported: float | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Everything the JSON says of one run."""

    path: str
    bytes: int
    sha256: str | None
    format: str
    version: str | None
    date: str | None
    model: str | None
    task: str
    kind: Kind | None
    items: int
    generations: int
    scores: tuple[MetricScore, ...]
    verdicts: dict[Standing, int]
    no_answers: dict[NoAnswerReason, int]
    """Why those without an answer have none; reasons that do not occur are left out."""
    level: str
    changes: dict[Change, int]
    marks: dict[Mark, int]
    causes: dict[Cause, int]
    flips: tuple[Flip, ...]
    errors: tuple[RowError, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A run that is not graded, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """All runs of one call, and the options they were graded with."""

    options: Options
    runs: tuple[RunSummary, ...]
    skipped: tuple[Skipped, ...] = ()

    def to_dict(self) -> Document:
        """The JSON of the contract, as plain values."""
        from .document import document

        return document(self)

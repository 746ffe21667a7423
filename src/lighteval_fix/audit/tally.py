"""Collects the grades of one run into its summary. Streaming: it counts, and keeps one `Flip` per change; grades go by.

Scores are kept as counts of equal values, and items that are alike in all that a score depends on are counted before
they are scored (`alike`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum

from ..grading.grader import Options
from ..grading.sampling import Metric, NotEnoughSamples, Over, majority, parse_metric, score_item
from ..grading.shared import policies_of
from ..model import (
    Cause,
    Change,
    Flip,
    Grade,
    Kind,
    Mark,
    NoAnswer,
    NoAnswerReason,
    Policy,
    RowError,
    Run,
    Standing,
)
from .alike import Alike, Counts, Result, countable
from .grades import (
    Same,
    answer_of,
    by_generation,
    flip_of,
    marks_only,
    recorded_score,
    standing_under,
)
from .stats import interval
from .summary import MetricScore, Regraded, RunSummary, Score

_CHANGED = (Change.RECOVERED, Change.WITHDRAWN)
_OPEN = (Standing.UNDECIDED, Standing.ERROR)


@dataclass(slots=True)
class _Column:
    """How many items have which value under one metric."""

    metric: Metric | None
    name: str
    recorded: Counter[float] = field(default_factory=Counter)
    regraded: Counter[float] = field(default_factory=Counter)
    upper: Counter[float] = field(default_factory=Counter)
    strict: Counter[float] = field(default_factory=Counter)
    finished: Counter[float] = field(default_factory=Counter)
    by_policy: dict[Policy, Counter[float]] = field(default_factory=dict)
    samples: int | None = None
    graded: bool = False
    """Some single generation was scored between right and wrong."""
    ties: int = 0
    refused: int = 0


class Tally:
    """Collects the grades of one run, in row order."""

    def __init__(self, run: Run, options: Options, same: Same = str.__eq__) -> None:
        self._run = run
        self._options = options
        self._policies = policies_of(options.policy)
        self._same = same
        self._columns: dict[str, _Column] = {name: _Column(parse_metric(name), name) for name in run.metrics}
        self._pending: list[Grade] = []
        self._alike = Counts()
        self._items = 0
        self._generations = 0
        self._verdicts: Counter[Standing] = Counter()
        self._no_answers: Counter[NoAnswerReason] = Counter()
        self._changes: Counter[Change] = Counter()
        self._marks: Counter[Mark] = Counter()
        self._causes: Counter[Cause] = Counter()
        self._kinds: Counter[Kind] = Counter()
        self._flips: list[Flip] = []
        self._errors: list[RowError] = []
        self._by_item = False

    def add(self, result: Result) -> None:
        """The next grade or bad row, or how many items were graded alike; the samples of an item follow one another."""
        if isinstance(result, RowError):
            self._errors.append(result)
        elif isinstance(result, Alike):
            self._count(result.grade, result.times)
        elif countable(result):
            self._count(result)
        else:
            self._pending.append(result)
            if result.sample == result.samples - 1:
                self._close(self._pending)
                self._pending = []

    def _count(self, grade: Grade, times: int = 1) -> None:
        self._alike.add(grade, times)
        if self._alike.full:
            self._settle()

    def _settle(self) -> None:
        """Score the items that were only counted so far."""
        for alike in self._alike.taken():
            self._close([alike.grade], alike.times)

    def _close(self, grades: list[Grade], times: int = 1) -> None:
        """Count `times` items that were graded like this one."""
        self._items += times
        self._generations += len(grades) * times
        for grade in grades:
            self._verdicts[grade.standing] += times
            self._kinds[grade.kind] += times
            if grade.standing is Standing.NO_ANSWER and isinstance(grade.reading, NoAnswer):
                self._no_answers[grade.reading.reason] += times
            for mark in dict.fromkeys(grade.marks):
                self._marks[mark] += times
        for recorded in grades[0].recorded:
            if recorded.metric not in self._columns:
                self._columns[recorded.metric] = _Column(parse_metric(recorded.metric), recorded.metric)
        for column in self._columns.values():
            self._score(column, grades, times)
        self._by_item = self._by_item or not by_generation(grades)
        for grade in grades if by_generation(grades) else grades[:1]:
            self._changes[grade.change] += times
            if grade.change in _CHANGED:
                flip = flip_of(grade, grades, self._same)
                self._causes[flip.cause] += 1
                self._flips.append(flip)

    def _score(self, column: _Column, grades: list[Grade], times: int) -> None:
        recorded = recorded_score(column.name, grades)
        if recorded is not None:
            column.recorded[recorded] += times
        column.graded = column.graded or not marks_only(column.name, grades)
        metric = column.metric
        if metric is None:
            return
        answers = [answer_of(grade) for grade in grades]

        def under(marks: list[float]) -> float:
            return score_item(metric, marks, answers, self._same)

        try:
            value = under([grade.score for grade in grades])
        except NotEnoughSamples:
            column.refused += times
            return
        column.samples = max(column.samples or 0, len(grades))
        column.regraded[value] += times
        if len(grades) > 1 and metric.over is Over.MAJORITY and len(majority(answers, self._same, metric.n).tied) > 1:
            column.ties += times
        column.upper[under([1.0 if grade.standing in _OPEN else grade.score for grade in grades])] += times
        column.strict[under([_mark(grade.unfinished_standing) for grade in grades])] += times
        for policy in self._policies:
            values = column.by_policy.setdefault(policy, Counter())
            values[under([_mark(standing_under(grade, policy)) for grade in grades])] += times
        done = _finished_score(metric, grades, self._same)
        if done is not None:
            column.finished[done] += times

    def summary(self, sha256: str | None = None) -> RunSummary:
        """The run as it stands."""
        self._settle()
        run = self._run
        reported = dict(run.reported)
        return RunSummary(
            path=run.path,
            bytes=run.bytes,
            sha256=sha256,
            format=run.format,
            version=run.version,
            date=run.date,
            model=run.model,
            task=run.task,
            kind=self._kinds.most_common(1)[0][0] if self._kinds else run.kind,
            items=self._items,
            generations=self._generations,
            scores=tuple(_metric_score(c, self._items, reported.get(c.name)) for c in self._columns.values()),
            verdicts={standing: self._verdicts[standing] for standing in Standing},
            no_answers={reason: self._no_answers[reason] for reason in NoAnswerReason if self._no_answers[reason]},
            level="item" if self._by_item else "generation",
            changes={change: self._changes[change] for change in Change},
            marks={Mark.UNFINISHED: self._marks[Mark.UNFINISHED], **dict(sorted(self._marks.items()))},
            causes=dict(sorted(self._causes.items(), key=lambda pair: (-pair[1], pair[0]))),
            flips=tuple(self._flips),
            errors=tuple(self._errors),
        )


def _metric_score(column: _Column, items: int, reported: float | None) -> MetricScore:
    metric = column.metric
    recorded, note = None, ""
    scored = column.recorded.total()
    if scored == items > 0:
        recorded = Score(_mean(column.recorded), interval(column.recorded))
    elif column.recorded:
        note = f"recorded for {scored} of {items} items only"
    regraded = None
    if metric is None or column.graded:
        note = "no matter of right and wrong: not re-graded"
    elif column.refused:
        note = f"not defined for {column.refused} of {items} items: too few samples"
    elif column.regraded:
        regraded = Regraded(
            score=_mean(column.regraded),
            ci95=interval(column.regraded),
            if_undecided_right=_mean(column.upper),
            unfinished_as_wrong=_mean(column.strict),
            finished_only=(_mean(column.finished), column.finished.total()) if column.finished else None,
            by_policy=tuple((policy, _mean(values)) for policy, values in column.by_policy.items()),
        )
        if column.ties:
            note = f"{column.ties} votes were tied; the answer that came first counts"
    k = metric.k if metric else None
    n = column.samples if metric and column.samples else (metric.n if metric else None)
    return MetricScore(column.name, k, n, items, recorded, regraded, note, reported)


def _mean(counts: Mapping[float, int]) -> float:
    return fsum(value * count for value, count in counts.items()) / sum(counts.values())


def _mark(standing: Standing) -> float:
    return 1.0 if standing is Standing.RIGHT else 0.0


def _finished_score(metric: Metric, grades: Sequence[Grade], same: Same) -> float | None:
    """The item's score on its finished samples alone; None where they are too few for the metric."""
    finished = [grade for grade in grades if grade.finished]
    if metric.n is not None and metric.over in (Over.MEAN, Over.MAJORITY):
        metric = replace(metric, n=min(metric.n, len(finished)))
    try:
        return score_item(metric, [g.score for g in finished], [answer_of(g) for g in finished], same)
    except NotEnoughSamples:
        return None

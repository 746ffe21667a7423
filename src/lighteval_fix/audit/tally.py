"""Collects the grades of one run into its summary. Streaming: it keeps one number per item and score, and one `Flip`
per change; grades go by."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..grading.grader import Options
from ..grading.sampling import Metric, NotEnoughSamples, Over, majority, parse_metric, score_item
from ..model import Cause, Change, Flip, Grade, Kind, Mark, Policy, RowError, Run, Standing
from .grades import (
    Same,
    answer_of,
    by_generation,
    flip_of,
    marks_only,
    policies_of,
    recorded_score,
    standing_under,
)
from .stats import interval
from .summary import MetricScore, Regraded, RunSummary, Score


@dataclass(slots=True)
class _Column:
    """The per-item values of one metric."""

    metric: Metric | None
    name: str
    recorded: array[float] = field(default_factory=lambda: array("d"))
    regraded: array[float] = field(default_factory=lambda: array("d"))
    upper: array[float] = field(default_factory=lambda: array("d"))
    strict: array[float] = field(default_factory=lambda: array("d"))
    finished: array[float] = field(default_factory=lambda: array("d"))
    by_policy: dict[Policy, array[float]] = field(default_factory=dict)
    samples: int | None = None
    graded: bool = False
    """Some single generation was scored between right and wrong."""
    ties: int = 0
    refused: int = 0
    single: dict[tuple[float, bool], float] = field(default_factory=dict)
    """Scores of items with one sample, by its mark and whether it gave an answer: they depend on nothing else."""

    def score(self, marks: list[float], answers: list[str | None], same: Same) -> float:
        """The item's score under this column's metric."""
        assert self.metric is not None
        if len(marks) > 1:
            return score_item(self.metric, marks, answers, same)
        key = marks[0], answers[0] is None
        if key not in self.single:
            self.single[key] = score_item(self.metric, marks, answers, same)
        return self.single[key]


class Tally:
    """Collects the grades of one run, in row order."""

    def __init__(self, run: Run, options: Options, same: Same = str.__eq__) -> None:
        self._run = run
        self._options = options
        self._same = same
        self._columns: dict[str, _Column] = {name: _Column(parse_metric(name), name) for name in run.metrics}
        self._pending: list[Grade] = []
        self._items = 0
        self._generations = 0
        self._verdicts: Counter[Standing] = Counter()
        self._changes: Counter[Change] = Counter()
        self._marks: Counter[Mark] = Counter()
        self._causes: Counter[Cause] = Counter()
        self._kinds: Counter[Kind] = Counter()
        self._flips: list[Flip] = []
        self._errors: list[RowError] = []
        self._by_item = False

    def add(self, grade: Grade | RowError) -> None:
        """The next grade or bad row; the samples of an item follow one another."""
        if isinstance(grade, RowError):
            self._errors.append(grade)
            return
        self._pending.append(grade)
        if grade.sample == grade.samples - 1:
            self._close(self._pending)
            self._pending = []

    def _close(self, grades: list[Grade]) -> None:
        self._items += 1
        self._generations += len(grades)
        for grade in grades:
            self._verdicts[grade.standing] += 1
            self._kinds[grade.kind] += 1
            for mark in dict.fromkeys(grade.marks):
                self._marks[mark] += 1
        for recorded in grades[0].recorded:
            if recorded.metric not in self._columns:
                self._columns[recorded.metric] = _Column(parse_metric(recorded.metric), recorded.metric)
        for column in self._columns.values():
            self._score(column, grades)
        self._by_item = self._by_item or not by_generation(grades)
        counted = grades if by_generation(grades) else grades[:1]
        for grade in counted:
            self._changes[grade.change] += 1
            if grade.change in (Change.RECOVERED, Change.WITHDRAWN):
                flip = flip_of(grade, grades, self._same)
                self._causes[flip.cause] += 1
                self._flips.append(flip)

    def _score(self, column: _Column, grades: list[Grade]) -> None:
        recorded = recorded_score(column.name, grades)
        if recorded is not None:
            column.recorded.append(recorded)
        column.graded = column.graded or not marks_only(column.name, grades)
        metric = column.metric
        if metric is None:
            return
        answers = [answer_of(grade) for grade in grades]
        try:
            value = column.score([grade.score for grade in grades], answers, self._same)
        except NotEnoughSamples:
            column.refused += 1
            return
        column.samples = max(column.samples or 0, len(grades))
        column.regraded.append(value)
        if len(grades) > 1 and metric.over is Over.MAJORITY and len(majority(answers, self._same, metric.n).tied) > 1:
            column.ties += 1

        def under(marks: list[float]) -> float:
            return column.score(marks, answers, self._same)

        open_ = (Standing.UNDECIDED, Standing.ERROR)
        column.upper.append(under([1.0 if grade.standing in open_ else grade.score for grade in grades]))
        column.strict.append(under([_mark(grade.unfinished_standing) for grade in grades]))
        for policy in policies_of(self._options.policy):
            values = column.by_policy.setdefault(policy, array("d"))
            values.append(under([_mark(standing_under(grade, policy)) for grade in grades]))
        if len(grades) == 1 and grades[0].finished:
            column.finished.append(value)
            return
        done = _finished_score(metric, grades, self._same)
        if done is not None:
            column.finished.append(done)

    def summary(self, sha256: str | None = None) -> RunSummary:
        """The run as it stands."""
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
    if len(column.recorded) == items > 0:
        recorded = Score(_mean(column.recorded), interval(column.recorded))
    elif column.recorded:
        note = f"recorded for {len(column.recorded)} of {items} items only"
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
            finished_only=(_mean(column.finished), len(column.finished)) if column.finished else None,
            by_policy=tuple((policy, _mean(values)) for policy, values in column.by_policy.items()),
        )
        if column.ties:
            note = f"{column.ties} votes were tied; the answer that came first counts"
    k = metric.k if metric else None
    n = column.samples if metric and column.samples else (metric.n if metric else None)
    return MetricScore(column.name, k, n, items, recorded, regraded, note, reported)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


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

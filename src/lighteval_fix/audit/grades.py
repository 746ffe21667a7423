"""Small questions about grades that several rooms ask: which score was recorded, what it is now, what was answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..grading.sampling import NotEnoughSamples, parse_metric, score_item
from ..model import Cause, Flip, Grade, Policy, Reading, Recorded, Standing

Same = Callable[[str, str], bool]
"""Whether two samples gave the same answer (for a vote)."""


def standing_under(grade: Grade, policy: Policy) -> Standing:
    """The standing under a policy; a grader that knows no policies (choices, programs) has one standing for all."""
    return dict(grade.by_policy).get(policy, grade.standing)


def answer_of(grade: Grade) -> str | None:
    """The answer that was read, or None."""
    return grade.reading.text if isinstance(grade.reading, Reading) else None


def by_generation(grades: Sequence[Grade]) -> bool:
    """Whether the harness's record speaks of single generations: it says so, or there is only one."""
    return len(grades) == 1 or any(recorded.sample is not None for recorded in grades[0].recorded)


def recorded_score(metric: str, grades: Sequence[Grade]) -> float | None:
    """The item's recorded score under `metric`: as recorded for the item, else the mean over its samples."""
    for recorded in grades[0].recorded:
        if recorded.metric == metric and recorded.sample is None:
            return recorded.score
    samples = [r.score for r in _of_samples(grades) if r.metric == metric]
    return sum(samples) / len(samples) if samples else None


def marks_only(metric: str, grades: Sequence[Grade]) -> bool:
    """Whether every score of a single generation under `metric` is 0 or 1."""
    single = len(grades) == 1
    found = [r.score for r in grades[0].recorded if r.metric == metric and (single or r.sample is not None)]
    return all(score in (0.0, 1.0) for score in found)


def _of_samples(grades: Sequence[Grade]) -> Iterator[Recorded]:
    seen = set()
    for grade in grades:
        for recorded in grade.recorded:
            if recorded.sample is not None and (recorded.metric, recorded.sample) not in seen:
                seen.add((recorded.metric, recorded.sample))
                yield recorded


def flip_of(grade: Grade, grades: Sequence[Grade], same: Same = str.__eq__) -> Flip:
    """The changed verdict that `grade` stands for: of the generation, or of its item (then the sample that is to blame
    for the change shows what was read)."""
    single = by_generation(grades)
    before, after = before_after(grade, grades, same) or (0.0, 0.0)
    if not single:
        grade = next((g for g in grades if g.cause is not None), grade)
    return Flip(
        id=grade.id,
        row=grade.row,
        sample=grade.sample if single and grade.samples > 1 else None,
        before=before,
        after=after,
        cause=grade.cause or Cause.UNEXPLAINED,
        cause_by=grade.cause_by,
        golds=grade.golds,
        matched_gold=grade.matched_gold,
        answer=answer_of(grade),
        verdict=grade.verdict,
        reading=grade.reading,
    )


def before_after(grade: Grade, grades: Sequence[Grade], same: Same = str.__eq__) -> tuple[float, float] | None:
    """Recorded and re-graded score of a generation (or, where only items were scored, of its item) under the first
    recorded metric that marks it right or wrong; None where none does."""
    for recorded in grade.recorded:
        metric = parse_metric(recorded.metric)
        if metric is None or (recorded.score not in (0.0, 1.0) and (recorded.sample is not None or len(grades) == 1)):
            continue  # a mark between right and wrong is another thing than ours (a weighted reward, an F1)
        if recorded.sample is not None:
            if recorded.sample == grade.sample:
                return recorded.score, grade.score
            continue
        if len(grades) == 1:
            return recorded.score, grade.score
        try:
            value = score_item(metric, [g.score for g in grades], [answer_of(g) for g in grades], same)
        except NotEnoughSamples:
            continue
        return recorded.score, value
    return None

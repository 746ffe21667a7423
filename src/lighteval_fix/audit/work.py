"""What a worker does with a part of a run: read its items, grade them, say what changed and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ..grading.grader import Options
from ..grading.kind import Graders
from ..model import Cause, CauseBy, Change, Grade, Item, Kind, Part, RowError, Run, SandboxMissing, Standing
from .flips import infer
from .grades import Same, before_after, by_generation

if TYPE_CHECKING:
    from ..reading.profile import Profile

Replay: TypeAlias = Callable[[Item, Grade], Cause | None]
"""Proves a cause by running the harness's own metric on the item; None where it cannot tell. Must pickle."""

BUG = "internal error: "
"""Start of `Grade.detail` where grading itself failed: a fault of ours, which costs the item and is reported."""


@dataclass(frozen=True, slots=True)
class Work:
    """A run and how to grade it: plain values, so that it crosses a process border.

    Args:
        counted: only counts, changes and errors are wanted, so grades that are alike need not cross it one by one.
    """

    run: Run
    options: Options
    profile: Profile | None = None
    replay: Replay | None = None
    counted: bool = False

    def grades(self, part: Part | None) -> Iterator[Grade | RowError]:
        """Grades of a part (None: of the whole run) in row order."""
        graders = Graders(self.options, self.profile, self.run.kind)
        same = same_answer(self.options)
        for item in self.run.items(part):
            if isinstance(item, RowError):
                yield item
            else:
                yield from self._item(item, graders, same)

    def one(self, item: Item) -> list[Grade]:
        """Grades of a single item."""
        return self._item(item, Graders(self.options, self.profile, self.run.kind), same_answer(self.options))

    def seconds_per_row(self) -> float:
        """The most that one row may take by the limits in force (a guess for programs, whose tests are many)."""
        code = self.run.kind is Kind.CODE
        return 100 * self.options.code.timeout if code else 20 * self.options.timeout

    def _item(self, item: Item, graders: Graders, same: Same) -> list[Grade]:
        try:
            grades = with_changes(list(graders.of(item).grade(item)), same)
            return [self._explained(item, grade, grades) for grade in grades]
        except SandboxMissing:
            raise
        except Exception as error:
            # One item must not cost the run, and the fault must not hide: it is counted, shown, and ends in exit 70.
            return [_failed(item, sample, graders, error) for sample in range(len(item.generations))]

    def _explained(self, item: Item, grade: Grade, grades: list[Grade]) -> Grade:
        if grade.change not in (Change.RECOVERED, Change.WITHDRAWN):
            return grade
        if grade.cause is not None:
            return grade  # its grader knows already
        if self.replay is not None and (proved := self.replay(item, grade)) is not None:
            return replace(grade, cause=proved, cause_by=CauseBy.REPLAYED)
        return replace(grade, cause=infer(item, grade, grades, lighteval=self.run.format == "lighteval"))


def with_changes(grades: list[Grade], same: Same) -> list[Grade]:
    """The grades with `change` set: of each generation, or of the item where only items were scored.

    Set in place: nobody else holds the grades yet, and copying a million of them takes longer than deciding them.
    """
    if not grades:
        return grades
    single = by_generation(grades)
    change = Change.NOT_COMPARABLE if single else _change(before_after(grades[0], grades, same))
    for grade in grades:
        object.__setattr__(grade, "change", _change(before_after(grade, grades, same)) if single else change)
    return grades


def _change(scores: tuple[float, float] | None) -> Change:
    if scores is None:
        return Change.NOT_COMPARABLE
    before, after = scores
    if abs(before - after) < 1e-9:
        return Change.KEPT
    return Change.RECOVERED if after > before else Change.WITHDRAWN


def same_answer(options: Options) -> Same:
    """Whether two samples gave the same answer: proved equal as values, without the question."""

    def same(first: str, second: str) -> bool:
        from ..deciding import decide

        return (
            decide(first, second, policy="value", precision=options.precision, timeout=options.timeout).kind == "equal"
        )

    return same


def _failed(item: Item, sample: int, graders: Graders, error: Exception) -> Grade:
    generation = item.generations[sample]
    return Grade(
        id=item.id,
        row=item.row,
        task=item.task,
        sample=sample,
        samples=len(item.generations),
        kind=graders.kind_of(item),
        standing=Standing.ERROR,
        unfinished_standing=Standing.ERROR,
        recorded=item.recorded,
        detail=f"{BUG}{type(error).__name__}: {error}"[:500],
        text_length=len(generation.text),
    )

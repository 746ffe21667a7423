"""The pool: order, a worker that dies, one that stalls."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from lighteval_fix.audit import engine
from lighteval_fix.audit.regrade import iter_grades, regrade
from lighteval_fix.audit.work import BUG, Work
from lighteval_fix.model import Change, Grade, Item, Part, RowError, Run, Standing
from tests.audit.handmade import ListReader, item, run_of, scored

PARENT = os.getpid()


@dataclass(frozen=True)
class BadReader(ListReader):
    """A reader whose row 3 ends the process that reads it, or never comes."""

    parent: int = 0
    stalls: bool = False

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        for row in super().items(part):
            if row.row == 3 and os.getpid() != self.parent:
                if self.stalls:
                    time.sleep(300)
                os._exit(9)
            yield row


def run_with(reader: type[ListReader] = ListReader, **more: object) -> Run:
    rows = tuple(item(n, "7", f"ANSWER: {7 + n % 2}", recorded=scored("acc", 1.0)) for n in range(7))
    return replace(run_of(*rows), reader=reader(rows, **more))  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_pool_gives_the_same_grades_in_the_same_order() -> None:
    assert list(iter_grades(run_with(), jobs=2)) == list(iter_grades(run_with(), jobs=1))
    assert regrade(run_with(), jobs=2) == regrade(run_with(), jobs=1)


@pytest.mark.slow
def test_a_worker_that_dies_costs_one_row() -> None:
    made = list(iter_grades(run_with(BadReader, parent=PARENT), jobs=2))
    assert [grade.row for grade in made] == list(range(7))
    lost = made[3]
    assert isinstance(lost, RowError)
    assert lost.reason == "worker_died"
    assert all(isinstance(grade, Grade) for grade in made if grade.row != 3)


@pytest.mark.slow
def test_a_worker_that_stalls_is_killed_and_costs_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_STALL", 8.0)
    monkeypatch.setattr(Work, "seconds_per_row", lambda self: 0.0)
    made = list(iter_grades(run_with(BadReader, parent=PARENT, stalls=True), jobs=2))
    assert [grade.row for grade in made] == list(range(7))
    lost = made[3]
    assert isinstance(lost, RowError)
    assert lost.reason == "timeout"


def test_a_fault_of_ours_costs_its_item_and_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from lighteval_fix.grading import math

    def broken(gold: str, answer: str, **more: object) -> object:
        if answer == "8":
            raise RuntimeError("never meant to happen")
        return decide_policies(gold, answer, **more)  # type: ignore[arg-type]

    decide_policies = math.decide_policies
    monkeypatch.setattr(math, "decide_policies", broken)
    math.judged.cache_clear()  # pairs are remembered, also those of the tests before
    made = [grade for grade in iter_grades(run_with()) if isinstance(grade, Grade)]
    assert [grade.standing for grade in made[:2]] == [Standing.RIGHT, Standing.ERROR]
    assert made[1].detail.startswith(BUG)
    assert made[1].change is Change.NOT_COMPARABLE

"""The journal behind --resume: exact round trips, torn ends, other inputs, other writers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.audit.codec import from_json, to_json
from lighteval_fix.audit.journal import Graded, Journal
from lighteval_fix.audit.work import Work
from lighteval_fix.grading.grader import Options
from lighteval_fix.model import (
    Cause,
    CauseBy,
    Change,
    Different,
    Equal,
    Grade,
    InputError,
    Kind,
    Mark,
    NoAnswer,
    NoAnswerReason,
    Part,
    Policy,
    Proof,
    Reading,
    Recorded,
    RowError,
    Rule,
    Standing,
    Undecided,
    UndecidedReason,
)
from tests.reports.handmade import make_grade, make_item, make_run

TEXT = st.text(max_size=12)
SPANS = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=3).map(tuple)
SPAN = st.tuples(st.integers(0, 9), st.integers(0, 9))
PASSED = st.lists(st.tuples(SPAN, st.sampled_from(Rule)), max_size=2).map(tuple)
MARKS = st.lists(st.sampled_from(Mark), max_size=2).map(tuple)
RECORDED = st.builds(Recorded, TEXT, st.floats(allow_nan=False), st.none() | st.integers(0, 3))
READINGS = (
    st.none()
    | st.builds(
        Reading,
        TEXT,
        SPANS,
        st.sampled_from(Rule),
        st.booleans(),
        MARKS,
        PASSED,
    )
    | st.builds(NoAnswer, st.sampled_from(NoAnswerReason), PASSED)
)
VERDICTS = (
    st.none()
    | st.builds(Equal, st.sampled_from(Proof), TEXT)
    | st.builds(Different, st.sampled_from(Proof), TEXT)
    | st.builds(Undecided, st.sampled_from(UndecidedReason), TEXT)
)
GRADES = st.builds(
    Grade,
    id=TEXT,
    row=st.integers(0, 10**9),
    task=TEXT,
    sample=st.integers(0, 9),
    samples=st.integers(1, 9),
    kind=st.sampled_from(Kind),
    standing=st.sampled_from(Standing),
    golds=st.lists(TEXT, max_size=2).map(tuple),
    matched_gold=st.none() | st.integers(0, 3),
    reading=READINGS,
    verdict=VERDICTS,
    by_policy=st.lists(st.tuples(st.sampled_from(Policy), st.sampled_from(Standing)), max_size=3).map(tuple),
    unfinished_standing=st.sampled_from(Standing),
    finished=st.booleans(),
    marks=MARKS,
    recorded=st.lists(RECORDED, max_size=2).map(tuple),
    change=st.sampled_from(Change),
    cause=st.none() | st.sampled_from(Cause),
    cause_by=st.sampled_from(CauseBy),
    detail=TEXT,
    text_length=st.integers(0, 10**6),
)


@given(GRADES | st.builds(RowError, st.integers(0, 9), TEXT, TEXT))
def test_a_grade_comes_back_as_it_was(grade: Grade | RowError) -> None:
    assert from_json(to_json(grade)) == grade


def work_of(rows: int = 6, path: str = "made/by/hand") -> tuple[Work, list[Part]]:
    run = make_run([make_item(row, "ANSWER: 7") for row in range(rows)])
    return Work(run, Options()), [Part(row, row + 2) for row in range(0, rows, 2)]


class Graders:
    """Grades parts and remembers which."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.seen: list[Part] = []

    def __call__(self, parts: Iterator[Part]) -> Iterator[Graded]:
        for part in parts:
            self.seen.append(part)
            yield part, [make_grade(item, Change.KEPT) for item in self.work.run.items(part)]  # type: ignore[arg-type]


def through(path: Path, work: Work, parts: list[Part]) -> tuple[list[int], list[Part]]:
    grader = Graders(work)
    with Journal(path) as journal:
        rows = [g.row for _, grades in journal.through(work, iter(parts), grader) for g in grades]
    return rows, grader.seen


def test_a_second_run_grades_nothing(tmp_path: Path) -> None:
    work, parts = work_of()
    assert through(tmp_path / "j", work, parts) == ([0, 1, 2, 3, 4, 5], parts)
    assert through(tmp_path / "j", work, parts) == ([0, 1, 2, 3, 4, 5], [])


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    work, parts = work_of()
    grader = Graders(work)
    with Journal(tmp_path / "j") as journal:
        next(journal.through(work, iter(parts), grader))
    assert through(tmp_path / "j", work, parts) == ([0, 1, 2, 3, 4, 5], parts[1:])


def test_a_file_cut_anywhere_gives_the_same_total(tmp_path: Path) -> None:
    work, parts = work_of()
    through(tmp_path / "whole", work, parts)
    whole = (tmp_path / "whole").read_bytes()
    for cut in range(0, len(whole), 37):
        torn = tmp_path / "torn"
        torn.write_bytes(whole[:cut])
        rows, again = through(torn, work, parts)
        assert rows == [0, 1, 2, 3, 4, 5], cut
        assert torn.read_bytes() == whole
        assert len(again) <= len(parts)


def test_a_flipped_byte_costs_its_part_and_what_follows(tmp_path: Path) -> None:
    work, parts = work_of()
    through(tmp_path / "j", work, parts)
    data = bytearray((tmp_path / "j").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "j").write_bytes(data)
    rows, again = through(tmp_path / "j", work, parts)
    assert rows == [0, 1, 2, 3, 4, 5]
    assert again


def test_other_options_share_nothing(tmp_path: Path) -> None:
    work, parts = work_of()
    through(tmp_path / "j", work, parts)
    strict = Work(work.run, Options(policy=Policy.IDENTICAL))
    assert through(tmp_path / "j", strict, parts)[1] == parts


def test_another_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("a shopping list\n")
    with pytest.raises(InputError, match="not a journal"):
        Journal(tmp_path / "j")
    assert (tmp_path / "j").read_text() == "a shopping list\n"


def test_other_rules_are_refused(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("lighteval-fix journal 1 0.0.0 abc\n")
    with pytest.raises(InputError, match="other rules"):
        Journal(tmp_path / "j")


def test_two_writers_are_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j"), pytest.raises(InputError, match="another process"):
        Journal(tmp_path / "j")

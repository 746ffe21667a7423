"""A trace that only the run gives away as unfinished is no answer where such traces are not read, and its standing
without them is no answer either way."""

from __future__ import annotations

import pytest

from lighteval_fix.grading.choice import ChoiceGrader
from lighteval_fix.grading.grader import Options
from lighteval_fix.grading.math import MathGrader
from lighteval_fix.model import Generation, Gold, Item, Mark, NoAnswer, NoAnswerReason, Standing, Unfinished
from lighteval_fix.reading.profile import Profile

CLOSED_ONLY = Profile.of([(None, f"we add {n}</think>\n\nANSWER: {n}") for n in range(8)])
MATHS = Item(
    id="0", row=0, prompt="What is 3 + 4?", question=None, golds=(Gold("7"),), generations=(Generation("ANSWER: 7"),)
)
CHOICE = Item(
    id="1",
    row=1,
    prompt="Which?\n\nA) Oslo\nB) Bergen",
    question=None,
    golds=(Gold("B"),),
    generations=(Generation("Answer: B"),),
    choices=("A", "B"),
    labels=("A", "B"),
    gold_index=(1,),
)


@pytest.mark.parametrize(("grader", "item"), [(MathGrader, MATHS), (ChoiceGrader, CHOICE)])
def test_no_answer_where_unfinished_traces_are_not_read(
    grader: type[MathGrader] | type[ChoiceGrader], item: Item
) -> None:
    (grade,) = grader(Options(unfinished=Unfinished.NO_ANSWER), CLOSED_ONLY).grade(item)
    assert isinstance(grade.reading, NoAnswer)
    assert grade.reading.reason is NoAnswerReason.UNFINISHED
    assert grade.standing is grade.unfinished_standing is Standing.NO_ANSWER
    assert Mark.UNFINISHED_INFERRED in grade.marks


@pytest.mark.parametrize(("grader", "item"), [(MathGrader, MATHS), (ChoiceGrader, CHOICE)])
def test_read_and_marked_otherwise(grader: type[MathGrader] | type[ChoiceGrader], item: Item) -> None:
    (grade,) = grader(Options(), CLOSED_ONLY).grade(item)
    assert grade.standing is Standing.RIGHT
    assert grade.unfinished_standing is Standing.NO_ANSWER
    assert {Mark.UNFINISHED, Mark.UNFINISHED_INFERRED, Mark.IN_REASONING} <= set(grade.marks)


@pytest.mark.parametrize(("grader", "item"), [(MathGrader, MATHS), (ChoiceGrader, CHOICE)])
def test_without_a_profile_the_same_text_is_finished(grader: type[MathGrader] | type[ChoiceGrader], item: Item) -> None:
    (grade,) = grader(Options(unfinished=Unfinished.NO_ANSWER)).grade(item)
    assert grade.standing is grade.unfinished_standing is Standing.RIGHT
    assert grade.marks == ()

from __future__ import annotations

from dataclasses import replace

import pytest

from lighteval_fix import model
from lighteval_fix.grading.choice import ChoiceGrader, labels_of, option_texts
from lighteval_fix.grading.grader import Options
from lighteval_fix.grading.kind import Graders, kind_of
from lighteval_fix.grading.math import MathGrader, combine
from lighteval_fix.model import (
    Different,
    Equal,
    Generation,
    Gold,
    Item,
    Kind,
    Mark,
    Proof,
    Recorded,
    Standing,
    Undecided,
    UndecidedReason,
)

BARE = Item(id="0", row=0, prompt="?", question=None, golds=(Gold("7"),), generations=(Generation("ANSWER: 7"),))
CHOICE = replace(
    BARE,
    prompt="Which?\n\nA) Oslo\nB) Bergen\nC) Drammen\nD) Moss",
    golds=(Gold("B"),),
    choices=("A", "B", "C", "D"),
    labels=("A", "B", "C", "D"),
    gold_index=(1,),
)


@pytest.mark.parametrize(
    ("item", "declared", "kind"),
    [
        (BARE, None, Kind.MATH),
        (CHOICE, None, Kind.CHOICE),
        (replace(BARE, tests=model.Tests(("1",), ("1",))), None, Kind.CODE),
        (replace(BARE, recorded=(Recorded("codegen_pass@1:16", 1.0),)), None, Kind.CODE),
        (CHOICE, Kind.MATH, Kind.MATH),
        (replace(BARE, choices=("7", "seven"), gold_index=()), None, Kind.MATH),
        (replace(BARE, task="gpqa|0"), None, Kind.MATH),
    ],
)
def test_declared_then_shape_then_metric_never_the_tasks_name(item: Item, declared: Kind | None, kind: Kind) -> None:
    assert kind_of(item, declared) is kind


def test_graders_are_built_once() -> None:
    graders = Graders(Options())
    assert isinstance(graders.of(BARE), MathGrader)
    assert graders.of(BARE) is graders.of(BARE)
    assert isinstance(graders.of(CHOICE), ChoiceGrader)


RIGHT, WRONG = Equal(Proof.EXACT), Different(Proof.EXACT)
OPEN = Undecided(UndecidedReason.NOT_PROVED)


@pytest.mark.parametrize(
    ("verdicts", "verdict", "matched"),
    [
        ([WRONG, RIGHT], RIGHT, 1),
        ([OPEN, RIGHT], RIGHT, 1),
        ([WRONG, WRONG], WRONG, None),
        ([WRONG, OPEN], OPEN, None),
        ([RIGHT, RIGHT], RIGHT, 0),
    ],
)
def test_several_golds(verdicts: list[object], verdict: object, matched: int | None) -> None:
    assert combine(verdicts) == (verdict, matched)  # type: ignore[arg-type]


def standing(item: Item, text: str, grader: MathGrader | ChoiceGrader) -> Standing:
    (grade,) = grader.grade(replace(item, generations=(Generation(text),)))
    return grade.standing


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Answer: B", Standing.RIGHT), ("Answer: C", Standing.WRONG), ("Hard to say, really.", Standing.NO_ANSWER)],
)
def test_choices(text: str, expected: Standing) -> None:
    assert standing(CHOICE, text, ChoiceGrader(Options())) is expected


def test_several_right_options() -> None:
    both = replace(CHOICE, gold_index=(1, 3))
    assert standing(both, "Answer: D", ChoiceGrader(Options())) is Standing.RIGHT


def test_labels_and_option_texts_come_from_the_item_or_its_prompt() -> None:
    texts = replace(CHOICE, choices=("Oslo", "Bergen", "Drammen", "Moss"), labels=())
    assert labels_of(texts) == ("A", "B", "C", "D")
    assert option_texts(texts, labels_of(texts)) == ["Oslo", "Bergen", "Drammen", "Moss"]
    assert option_texts(CHOICE, labels_of(CHOICE)) is None  # the reader looks at the prompt, if it needs them
    assert standing(CHOICE, "Answer: Bergen", ChoiceGrader(Options())) is Standing.RIGHT
    unlabelled = replace(texts, prompt="Which?")
    assert labels_of(unlabelled) == ("A", "B", "C", "D")


def test_a_choice_without_options_cannot_be_graded() -> None:
    bare = replace(BARE, generations=(Generation("The answer is B."), Generation("B", finish_reason="length")))
    grades = list(ChoiceGrader(Options()).grade(bare))
    assert [grade.standing for grade in grades] == [Standing.ERROR, Standing.ERROR]
    assert {grade.detail for grade in grades} == {"no_options"}
    assert {grade.unfinished_standing for grade in grades} == {Standing.ERROR}


def test_how_a_generation_ended_is_marked() -> None:
    grader = MathGrader(Options())
    cut = replace(BARE, generations=(Generation("It is 7 and", finish_reason="length"),))
    (grade,) = grader.grade(cut)
    assert not grade.finished
    assert Mark.UNFINISHED in grade.marks
    full = replace(BARE, generations=(Generation("ANSWER: 7", tokens=512),), generation_limit=512)
    (grade,) = grader.grade(full)
    assert not grade.finished
    assert grade.unfinished_standing is Standing.NO_ANSWER
    (grade,) = grader.grade(replace(BARE, generations=(Generation("ANSWER: 7", finish_reason="stop"),)))
    assert grade.finished

"""Causes: one constructed change for each, with the text that brings it about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.audit.habits import Step, formulas, letter_taken, maths_taken
from lighteval_fix.audit.regrade import iter_grades
from lighteval_fix.model import Cause, CauseBy, Change, Generation, Grade, Item
from tests.audit.handmade import item, run_of, scored

ASKED = 'The final line MUST be "ANSWER: $ANSWER" (without quotes).\n\nWhat is it?'


def changed(made: Item, **options: object) -> Grade:
    (grade,) = iter_grades(run_of(made), **options)  # type: ignore[arg-type]
    assert isinstance(grade, Grade)
    assert grade.change in (Change.RECOVERED, Change.WITHDRAWN), grade
    return grade


def maths(gold: str, text: str, before: float, **options: object) -> Cause | None:
    made = replace(item(0, gold, text, recorded=scored("pass@k:k=1&n=1", before)), prompt=ASKED)
    return changed(made, **options).cause


@pytest.mark.parametrize(
    ("cause", "gold", "text", "before"),
    [
        (Cause.ANSWER_LINE_UNREAD, "3R^2", "So.\nANSWER: 3R^2", 0.0),
        (Cause.ANSWER_LINE_UNREAD, "\\sqrt{66}", "then 7 apples.\nANSWER: \\sqrt{66}", 0.0),
        (Cause.ANSWER_LINE_OUTRANKED, "7", "First \\boxed{6}, no.\nANSWER: $7$", 0.0),
        (Cause.WORD_ANSWER, "\\text{east}", "He walks on.\nANSWER: east", 0.0),
        (Cause.REASONING_PHRASE, "7", "<think>The final answer is 6, or not?</think>\nANSWER: 7", 0.0),
        (Cause.REASONING_NOT_REMOVED, "7", "<think>so \\boxed{6}, or not?</think>\nANSWER: 7", 0.0),
        (Cause.CREDITED_FROM_REASONING, "6", "<think>The final answer is 6.</think>\nANSWER: 7", 1.0),
        (Cause.FRAGMENT_COMPARED, "5", "ANSWER: 5x", 1.0),
        (Cause.KINDS_CONFUSED, "(1,2)", "So \\boxed{\\{1,2\\}}", 1.0),
        (Cause.NOTATION, "\\frac{1}{2}", "So \\boxed{½}", 0.0),
        (Cause.RESTATED_TEMPLATE, "7", "The final answer is: $\\boxed{ANSWER}$, they say. So $\\boxed{7}$.", 0.0),
        (Cause.TOLERANCE, "3.14159265", "So \\boxed{3.1416}", 1.0),
    ],
)
def test_the_smallest_change_is_named(cause: Cause, gold: str, text: str, before: float) -> None:
    assert maths(gold, text, before) is cause


def test_an_unfinished_trace_that_is_not_read() -> None:
    cause = maths("7", "<think>so it is 7", 1.0, unfinished="no-answer")
    assert cause is Cause.CREDITED_FROM_REASONING


def test_an_answer_that_breaks_off_is_no_reasoning() -> None:
    assert maths("7", "So it is 7, and the final answer is \\boxed{7", 1.0) is Cause.UNFINISHED


@pytest.mark.parametrize(
    ("cause", "text", "right", "before"),
    [
        (Cause.LETTER_IN_DOLLARS, "A looks good at first, but no.\nAnswer: $C$", 2, 0.0),
        (Cause.LAST_LETTER, "Answer:\n\n**C**\n\nThat was Question B", 2, 0.0),
        (Cause.REASONING_PHRASE, "<think>The final answer is B.</think>\nAnswer: C", 2, 0.0),
        (Cause.CREDITED_FROM_REASONING, "<think>The final answer is B.</think>\nAnswer: C", 1, 1.0),
    ],
)
def test_causes_of_choices(cause: Cause, text: str, right: int, before: float) -> None:
    labels = ("A", "B", "C", "D")
    made = replace(
        item(0, labels[right], text, recorded=scored("gpqa_pass@k:k=1", before)),
        prompt="The last line must be 'Answer: $LETTER'.\n\nWhich?\n\nA) a\nB) b\nC) c\nD) d",
        choices=labels,
        labels=labels,
        gold_index=(right,),
    )
    assert changed(made).cause is cause


def test_a_recorded_prediction_is_believed_over_the_simulation() -> None:
    made = item(0, "7", "It is 7.\nANSWER: 7", recorded=scored("exact_match", 0.0))
    made = replace(made, generations=(Generation("It is 7.\nANSWER: 7", predicted="[invalid]"),))
    assert changed(made).cause is Cause.ANSWER_UNREAD


def test_of_another_harness_only_its_prediction_is_known() -> None:
    made = item(0, "3R^2", "ANSWER: 3R^2", recorded=scored("exact_match", 0.0))
    run = replace(run_of(made), format="lm_eval")
    (grade,) = iter_grades(run)
    assert isinstance(grade, Grade)
    assert grade.cause is Cause.ANSWER_UNREAD


def test_a_replay_that_proves_a_cause_is_believed() -> None:
    def proves(made: Item, grade: Grade) -> Cause:
        return Cause.GOLD_MISREAD

    grade = changed(item(0, "7", "ANSWER: 7", recorded=scored("acc", 0.0)), replay=proves)
    assert (grade.cause, grade.cause_by) == (Cause.GOLD_MISREAD, CauseBy.REPLAYED)


def test_a_replay_that_cannot_tell_leaves_the_inference() -> None:
    grade = changed(item(0, "3R^2", "ANSWER: 3R^2", recorded=scored("acc", 0.0)), replay=lambda made, grade: None)
    assert grade.cause_by is CauseBy.INFERRED
    assert grade.cause is not None


def test_where_only_the_item_was_scored_the_samples_to_blame_carry_the_cause() -> None:
    made = item(
        0, "\\pi", "ANSWER: \\pi", "ANSWER: $\\pi$", "ANSWER: 3", recorded=scored("avg@n:n=3", 1 / 3, of_item=True)
    )
    grades = [grade for grade in iter_grades(run_of(made)) if isinstance(grade, Grade)]
    assert [grade.cause for grade in grades] == [Cause.ANSWER_LINE_UNREAD, None, None]


@pytest.mark.parametrize(
    ("text", "taken", "step"),
    [
        ("the final answer is $5$. ANSWER: 6", "5", Step.FINAL_PHRASE),
        ("\\boxed{4} then ANSWER: $6$", "4", Step.BOX),
        ("then 7 apples.\nANSWER: \\sqrt{66}", "7", Step.ANYWHERE),
        ("ANSWER: 3R^2", "3", Step.ANSWER_COLON),
        ("ANSWER: $3R^2$", "3R^2", Step.ANSWER_COLON),
    ],
)
def test_what_lighteval_takes(text: str, taken: str, step: Step) -> None:
    first = next(maths_taken(text))
    assert (first.text, first.step) == (taken, step)
    assert text[first.start : first.end] == first.text


def test_what_lighteval_takes_of_nothing() -> None:
    assert next(maths_taken("ANSWER: \\pi"), None) is None


@given(st.text(alphabet="$\\[]()a1 \nAnswer:final is{}boxed"))
def test_spans_are_those_of_the_text(text: str) -> None:
    for taken in maths_taken(text):
        assert text[taken.start : taken.end] == taken.text
    for start, end, inside, inside_end in formulas(text):
        assert start < inside < inside_end < end


@given(st.text(alphabet="ABC().*: answerfinlis\n"))
def test_letters_are_labels(text: str) -> None:
    taken = letter_taken(text, "ABC")
    assert taken is None or (taken.text in "ABC" and taken.text in text[taken.start : taken.end])

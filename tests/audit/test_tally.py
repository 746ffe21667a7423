from __future__ import annotations

import pytest

from lighteval_fix.audit import alike
from lighteval_fix.audit.regrade import iter_grades, options_of, regrade
from lighteval_fix.audit.summary import RunSummary
from lighteval_fix.audit.tally import Tally
from lighteval_fix.model import Change, Grade, Item, Recorded, RowError, Standing
from tests.audit.handmade import item, run_of, scored


def summary(*rows: Item | RowError, **options: object) -> RunSummary:
    return regrade(run_of(*rows), **options).runs[0]  # type: ignore[arg-type]


def test_scores_counts_and_changes_of_a_small_run() -> None:
    made = summary(
        item(0, "7", "ANSWER: 7", recorded=scored("extractive_match", 1.0)),
        item(1, "7", "ANSWER: 7", recorded=scored("extractive_match", 0.0)),
        item(2, "7", "ANSWER: 8", recorded=scored("extractive_match", 1.0)),
        item(3, "7", "I do not know.", recorded=scored("extractive_match", 0.0)),
    )
    (score,) = made.scores
    assert score.recorded is not None
    assert score.regraded is not None
    assert (score.recorded.score, score.regraded.score, score.of) == (0.5, 0.5, 4)
    assert made.changes == {
        Change.KEPT: 2,
        Change.RECOVERED: 1,
        Change.WITHDRAWN: 1,
        Change.NOT_COMPARABLE: 0,
    }
    assert made.verdicts[Standing.RIGHT] == 2
    assert made.verdicts[Standing.NO_ANSWER] == 1
    assert [flip.id for flip in made.flips] == ["q1", "q2"]
    assert made.level == "generation"


def test_verdicts_add_up_to_generations_and_changes_to_their_level() -> None:
    made = summary(
        item(0, "7", "ANSWER: 7", "ANSWER: 8", "ANSWER: 7", "?", recorded=scored("avg@n:n=4", 0.25, of_item=True)),
        item(
            1, "5", "ANSWER: 5", "ANSWER: 5", "ANSWER: 5", "ANSWER: 5", recorded=scored("avg@n:n=4", 1.0, of_item=True)
        ),
    )
    assert sum(made.verdicts.values()) == made.generations == 8
    assert made.level == "item"
    assert sum(made.changes.values()) == made.items == 2
    (score,) = made.scores
    assert score.regraded is not None
    assert score.regraded.score == pytest.approx(0.75)
    (flip,) = made.flips
    assert (flip.id, flip.sample, flip.before, flip.after) == ("q0", None, 0.25, 0.5)


def test_generations_that_were_scored_one_by_one_are_compared_one_by_one() -> None:
    made = summary(item(0, "7", "ANSWER: 7", "ANSWER: 8", recorded=scored("acc", 0.0, 0.0)))
    assert made.level == "generation"
    assert made.changes[Change.RECOVERED] == 1
    assert [(flip.sample, flip.after) for flip in made.flips] == [(0, 1.0)]


def test_an_item_without_a_record_is_not_comparable() -> None:
    made = summary(item(0, "7", "ANSWER: 7"))
    assert made.changes[Change.NOT_COMPARABLE] == 1
    assert made.flips == ()


def test_a_metric_that_is_no_matter_of_right_and_wrong_is_left_alone() -> None:
    made = summary(item(0, "7", "ANSWER: 7", recorded=(Recorded("f1", 0.25),)))
    (score,) = made.scores
    assert score.regraded is None
    assert score.note
    assert score.recorded is not None
    assert made.changes[Change.NOT_COMPARABLE] == 1


def test_a_mean_over_more_samples_than_were_kept_is_refused_not_guessed() -> None:
    (score,) = summary(item(0, "7", "ANSWER: 7", recorded=scored("avg@n:n=16", 1.0, of_item=True))).scores
    assert score.regraded is None
    assert "too few samples" in score.note


def test_undecided_counts_as_wrong_and_its_bound_is_shown() -> None:
    made = summary(
        item(0, "5 \\text{ cm}", "ANSWER: 5", recorded=scored("acc", 1.0)),
        item(1, "7", "ANSWER: 7", recorded=scored("acc", 1.0)),
    )
    (score,) = made.scores
    assert made.verdicts[Standing.UNDECIDED] == 1
    assert score.regraded is not None
    assert (score.regraded.score, score.regraded.if_undecided_right) == (0.5, 1.0)


def test_unfinished_traces_are_read_marked_and_bounded() -> None:
    rows = (
        item(0, "7", "<think>so\nANSWER: 7", recorded=scored("acc", 1.0)),
        item(1, "7", "<think>so</think>\nANSWER: 7", recorded=scored("acc", 1.0)),
    )
    read = summary(*rows)
    (score,) = read.scores
    assert score.regraded is not None
    assert (score.regraded.score, score.regraded.unfinished_as_wrong) == (1.0, 0.5)
    assert score.regraded.finished_only == (1.0, 1)
    assert read.marks["unfinished"] == 1
    strict = summary(*rows, unfinished="no-answer")
    assert strict.verdicts[Standing.NO_ANSWER] == 1
    assert strict.scores[0].regraded is not None
    assert strict.scores[0].regraded.score == 0.5


def test_a_bad_row_is_listed_and_the_others_are_graded() -> None:
    made = summary(RowError(0, "null_gold"), item(1, "7", "ANSWER: 7", recorded=scored("acc", 1.0)))
    assert made.items == 1
    assert made.errors == (RowError(0, "null_gold"),)


def test_votes_are_by_value_and_ties_are_stated() -> None:
    made = summary(
        item(0, "1/2", "ANSWER: 0.5", "ANSWER: 3", "ANSWER: 1/2", recorded=scored("maj@n:n=3", 0.0, of_item=True)),
        item(1, "4", "ANSWER: 4", "ANSWER: 5", "ANSWER: 6", recorded=scored("maj@n:n=3", 1.0, of_item=True)),
    )
    (score,) = made.scores
    assert score.regraded is not None
    assert score.regraded.score == 1.0
    assert "1 votes were tied" in score.note


def test_a_stricter_policy_never_scores_higher() -> None:
    made = summary(
        item(0, "1/2", "ANSWER: 0.5", recorded=scored("acc", 1.0)),
        item(1, "x", "ANSWER: x", recorded=scored("acc", 1.0)),
    )
    regraded = made.scores[0].regraded
    assert regraded is not None
    values = [value for _, value in regraded.by_policy]
    assert values == sorted(values)
    assert values[0] == 0.5


def test_the_same_grades_come_from_the_generator() -> None:
    run = run_of(item(0, "7", "ANSWER: 7", recorded=scored("acc", 0.0)))
    (grade,) = iter_grades(run)
    assert isinstance(grade, Grade)
    assert (grade.change, grade.score) == (Change.RECOVERED, 1.0)


@pytest.mark.parametrize(
    "wrong", [{"policy": "loose"}, {"unfinished": "maybe"}, {"precision": -1}, {"timeout": 0.0}, {"engine": "magic"}]
)
def test_an_unknown_option_is_an_error_at_once(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        list(iter_grades(run_of(item(0, "7", "ANSWER: 7")), **wrong))  # type: ignore[arg-type]


def test_a_weighted_reward_is_no_mark_and_the_next_metric_counts() -> None:
    recorded = (Recorded("reward", 0.9, 0), Recorded("correct", 0.0, 0))
    made = summary(item(0, "7", "ANSWER: 7", recorded=recorded))
    reward, correct = made.scores
    assert reward.regraded is None
    assert correct.regraded is not None
    assert (made.flips[0].before, made.flips[0].after) == (0.0, 1.0)


def test_scores_recorded_for_some_items_only_are_said_to_be() -> None:
    made = summary(item(0, "7", "ANSWER: 7", recorded=scored("acc", 1.0)), item(1, "7", "ANSWER: 7"))
    (score,) = made.scores
    assert score.recorded is None
    assert "1 of 2" in score.note
    assert score.regraded is not None


def test_the_reasons_for_no_answer_are_counted() -> None:
    made = summary(
        item(0, "7", "", recorded=scored("acc", 0.0)),
        item(1, "7", "ANSWER: 7", recorded=scored("acc", 1.0)),
        item(2, "7", "", "I do not know.", recorded=scored("acc", 0.0, 0.0)),
        item(3, "7", "So the final answer is \\boxed{4 +", recorded=scored("acc", 0.0)),
    )
    assert made.no_answers == {"empty": 2, "unfinished": 1, "not_stated": 1}
    assert sum(made.no_answers.values()) == made.verdicts[Standing.NO_ANSWER]


@pytest.mark.parametrize("kinds", [1, 2, 1024])
def test_counting_alike_items_first_changes_nothing(kinds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("ANSWER: 7", "ANSWER: 8", "", "ANSWER: maybe", "<think>ANSWER: 7")
    rows = [
        item(row, "7", text, recorded=(Recorded("acc", float(row % 3 == 0)), Recorded("reward", row % 4 / 4)))
        for row, text in enumerate(texts * 8)
    ]
    rows.append(item(99, "7", "ANSWER: 7", "", recorded=scored("acc", 0.5, of_item=True)))
    run = run_of(*rows)
    grades = list(iter_grades(run))
    monkeypatch.setattr(alike, "_KINDS", kinds)
    first = Tally(run, options_of())
    for position, grade in enumerate(grades):
        first.add(grade)
        if position % 3 == 0:
            first.summary()  # looking changes nothing
    assert first.summary() == regrade(run).runs[0]
    assert first.summary().items == len(rows)
    second = Tally(run, options_of())
    for result in alike.counted(grades):
        second.add(result)
    assert second.summary() == first.summary()


def test_what_is_told_one_by_one_is_not_counted() -> None:
    run = run_of(
        item(0, "7", "ANSWER: 7", recorded=scored("acc", 1.0)),
        item(1, "7", "ANSWER: 7", recorded=scored("acc", 0.0)),
        item(2, "7", "ANSWER: 7", recorded=scored("acc", 1.0)),
        item(3, "7", "ANSWER: 7", "ANSWER: 7", recorded=scored("acc", 1.0, 1.0)),
    )
    *listed, count = alike.counted(iter_grades(run))
    assert [(grade.row, grade.sample) for grade in listed if isinstance(grade, Grade)] == [(1, 0), (3, 0), (3, 1)]
    assert isinstance(count, alike.Alike)
    assert (count.grade.row, count.times) == (0, 2)


def test_a_count_is_never_taken_for_a_grade() -> None:
    [grade] = iter_grades(run_of(item(0, "7", "ANSWER: 7", recorded=scored("acc", 1.0))))
    assert isinstance(grade, Grade)
    with pytest.raises(TypeError, match="counted"):
        list(alike.one_by_one([grade, alike.Alike(grade, 3)]))

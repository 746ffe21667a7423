"""Causes proved by LightEval's own metric: it reproduces what was recorded, and single changes explain what moved."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("lighteval")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

from lighteval_fix.audit.regrade import iter_grades  # noqa: E402
from lighteval_fix.model import Cause, Change, Grade, Item, Kind, Recorded  # noqa: E402
from lighteval_fix.sources import open_runs  # noqa: E402
from lighteval_fix.upstream.lighteval import replay as replaying  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "run"


@pytest.fixture(scope="module")
def graded() -> dict[str, tuple[Item, Grade]]:
    """`task/id/sample` -> item and grade, of the example run without its programs."""
    found = {}
    for run in open_runs(str(EXAMPLES)):
        if run.kind is Kind.CODE:
            continue
        items = {item.id: item for item in run.items() if isinstance(item, Item)}
        for grade in iter_grades(run):
            assert isinstance(grade, Grade)
            found[f"{run.task.partition('|')[0]}/{grade.id}/{grade.sample}"] = (items[grade.id], grade)
    return found


def test_the_unfixed_metric_gives_every_recorded_score(graded: dict[str, tuple[Item, Grade]]) -> None:
    assert {name: replaying.reproduces(item, grade.kind) for name, (item, grade) in graded.items()} == dict.fromkeys(
        graded, True
    )


def test_another_score_is_not_reproduced_and_nothing_is_proved(graded: dict[str, tuple[Item, Grade]]) -> None:
    item, grade = graded["maths/0/0"]
    wrong = replace(item, recorded=(Recorded(item.recorded[0].metric, 0.5),))
    assert replaying.reproduces(wrong, grade.kind) is False
    assert replaying.replay(wrong, grade) is None
    unknown = replace(item, recorded=(Recorded("no_such_metric", 0.0),))
    assert replaying.replay(unknown, grade) is None


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("maths/0/0", Cause.ANSWER_LINE_OUTRANKED),
        ("maths/1/0", Cause.ANSWER_LINE_UNREAD),
        ("maths/3/0", Cause.ANSWER_LINE_UNREAD),
        ("maths/6/0", Cause.WORD_ANSWER),
        ("maths/9/0", Cause.REASONING_NOT_REMOVED),
        ("maths/11/0", Cause.KINDS_CONFUSED),
        ("maths/12/0", Cause.TOLERANCE),
        ("maths/13/0", Cause.CREDITED_FROM_REASONING),
        ("choice/0/0", Cause.LETTER_IN_DOLLARS),
        ("contest/0/0", Cause.RAW_TEXT_SCORED),
        ("contest/1/1", Cause.RESTATED_TEMPLATE),
    ],
)
def test_causes(graded: dict[str, tuple[Item, Grade]], name: str, cause: Cause) -> None:
    item, grade = graded[name]
    assert grade.change in (Change.RECOVERED, Change.WITHDRAWN)
    assert replaying.replay(item, grade) is cause


def test_a_text_that_never_came_back_does_not_hang_it(graded: dict[str, tuple[Item, Grade]]) -> None:
    item, grade = graded["maths/0/0"]
    text = "$" + "\\boxed{5}, " * 3000 + "\nANSWER: 18"
    looping = replace(item, generations=(replace(item.generations[0], text=text, post_processed=text),))
    assert replaying.reproduces(looping, grade.kind) in (True, False)


def test_a_worker_that_dies_is_started_again(graded: dict[str, tuple[Item, Grade]]) -> None:
    item, grade = graded["maths/0/0"]
    child = replaying._child()
    assert replaying.reproduces(item, grade.kind) is True
    assert child._process is not None
    child._process.kill()
    child._process.wait()
    assert replaying.reproduces(item, grade.kind) is True


def test_it_ends_with_its_process() -> None:
    code = (
        "from lighteval_fix.upstream.lighteval import replay as r\n"
        "p = r._child()._started()\nprint(p.pid, flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.audit.document import Document
from lighteval_fix.audit.regrade import options_of, regrade
from lighteval_fix.audit.summary import Skipped, Summary
from lighteval_fix.reports.markdown import code, step_summary
from lighteval_fix.reports.standings import leaderboards, means
from lighteval_fix.reports.terminal import print_report
from lighteval_fix.text.visible import visible
from tests.audit.handmade import item, run_of, scored

HOSTILE = "7\x1b[31m\u202e[bold]x[/bold] | `a` <script>"


def document(answer: str = "ANSWER: 7", gold: str = "7") -> Document:
    rows = (
        item(0, gold, answer, recorded=scored("acc", 0.0)),
        item(1, "7", "ANSWER: 8", recorded=scored("acc", 1.0)),
        item(2, "7", "no idea", recorded=scored("acc", 0.0)),
    )
    return regrade(run_of(*rows)).to_dict()


def printed(made: Document, show: int = 10) -> str:
    file = io.StringIO()
    print_report(made, show=show, file=file)
    return file.getvalue()


@pytest.fixture(params=[60, 100, 160])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def test_one_screen_says_it_all(width: int) -> None:
    said = printed(document())
    for part in ("0.333", "as graded", "re-graded", "recovered 1, withdrawn 1, kept 1", "no answer 1", "q0", "q1"):
        assert part in said
    assert max(len(line) for line in said.splitlines()) <= width
    assert len(said.splitlines()) <= 30


def test_model_text_cannot_speak_to_the_terminal(width: int) -> None:
    said = printed(document(f"ANSWER: \\text{{{HOSTILE}}}", f"\\text{{{HOSTILE}}}"))
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_more_changes_than_are_shown_are_counted() -> None:
    said = printed(document(), show=1)
    assert "q0" in said
    assert "q1" not in said
    assert "1 more changed" in said


def test_skipped_runs_are_listed() -> None:
    made = Summary(options_of(), (), (Skipped("somewhere", "log_likelihood"),)).to_dict()
    assert "skipped somewhere: log likelihood" in printed(made)


def of_model(model: str, score: float, right: int, task: str = "sums|0") -> Document:
    rows = [item(n, "7", "ANSWER: 7" if n < right else "ANSWER: 8", recorded=scored("acc", score)) for n in range(4)]
    run = regrade(run_of(*rows)).to_dict()
    run["runs"][0].update(model=model, task=task)
    return run


def test_a_leaderboard_shows_rank_changes() -> None:
    made = of_model("a", 1.0, 1)
    made["runs"] += of_model("b", 0.0, 3)["runs"]
    ((title, places),) = leaderboards(made["runs"])
    assert "sums" in title
    assert [(p.name, p.rank_before, p.rank_after) for p in places] == [("b", 2, 1), ("a", 1, 2)]
    assert "2 → 1" in printed(made)
    assert "2 → 1" in step_summary(made)


def test_means_over_tasks_are_named() -> None:
    made = of_model("a", 1.0, 1)
    made["runs"] += of_model("a", 0.0, 3, task="other|0")["runs"]
    (mean,) = means(made["runs"])
    assert mean.macro == mean.micro == (0.5, 0.5)
    assert "mean of 2 tasks (macro)" in printed(made)


@given(st.text(max_size=400), st.integers(1, 80))
def test_visible_text_is_one_printable_line(text: str, limit: int) -> None:
    line = visible(text, limit)
    assert len(line) <= limit
    assert line.isprintable() or re.fullmatch(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]*", line)


@given(st.text(alphabet="`|ab\\ \n", max_size=30))
def test_a_code_span_cannot_be_left(text: str) -> None:
    span = code(text)
    if not span:
        return
    fence = re.match(r"`+", span)
    assert fence is not None
    inside = span[len(fence[0]) : -len(fence[0])]
    assert "\n" not in inside
    assert fence[0] not in re.findall(r"`+", inside)
    assert not re.search(r"(?<!\\)\|", inside)

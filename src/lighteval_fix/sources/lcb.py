"""LiveCodeBench's own runner: `…_eval_all.json`, a list of problems with outputs, code and verdicts.

The file holds no tests, so its programs cannot be run again unless somebody has joined the tests to the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Generation, Item, Kind, Recorded, RowError, Run, Tests
from .code_tests import tests_of
from .names import components
from .records import RecordReader, Records
from .source import Around, Container, Head, Layout, NoReader
from .values import Record, listed, number, text

_METRIC = "pass@1"


class LcbSource:
    """Evaluation files of LiveCodeBench."""

    name = "lcb"
    layouts: tuple[Layout, ...] = (
        Layout(
            (Container.JSON_ARRAY, Container.JSON_LINES),
            ("question_id", "question_content", "output_list|code_list", "graded_list"),
        ),
    )

    def matches(self, head: Head) -> bool:
        return self.layouts[0].closeness(head) >= 1

    def is_companion(self, head: Head, around: Around) -> bool:
        return False

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        words = components(head.place)
        scenario = words[-1].partition("_")[0].removeprefix("Scenario.")
        task = f"lcb:{scenario}"
        has_tests = isinstance(tests_of(head.record), Tests)
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=RecordReader(Records(head.place, head.container), build_item, task) if has_tests else NoReader(),
            model=words[-2] if len(words) > 1 else None,
            task=task,
            metrics=(_METRIC,),
            reported=() if has_tests else _mean_score(head),
            kind=Kind.CODE,
            bytes=head.size,
            skip=None if has_tests else "no_tests",
        )


def _mean_score(head: Head) -> tuple[tuple[str, float], ...]:
    """What the file says its problems came to, since nobody will read them after this."""
    scores = [
        score
        for found in Records(head.place, head.container).read()
        if isinstance(found, tuple) and isinstance(found[1], Mapping)
        for score in [_score(found[1])]
        if score is not None
    ]
    return ((_METRIC, sum(scores) / len(scores)),) if scores else ()


def _score(record: Record) -> float | None:
    score = number(record.get(_METRIC))
    if score is not None:
        return score
    graded = [number(value) for value in listed(record.get("graded_list"))]
    known = [value for value in graded if value is not None]
    return sum(known) / len(known) if known else None


def build_item(row: int, record: Record, task: str) -> Item | RowError:
    """One problem with all its programs."""
    texts = listed(record.get("output_list")) or listed(record.get("code_list"))
    if not texts or any(not isinstance(value, str) for value in texts):
        return RowError(row, "no_generation")
    tests = tests_of(record)
    if not isinstance(tests, Tests):
        return RowError(row, tests or "no_tests")
    question = text(record.get("question_content"))
    if question is None:
        return RowError(row, "no_prompt")
    code = listed(record.get("code_list"))
    graded = [number(value) for value in listed(record.get("graded_list"))]
    return Item(
        id=text(record.get("question_id")) or str(row),
        row=row,
        prompt=question,
        question=question,
        golds=(),
        tests=tests,
        generations=tuple(
            Generation(value, predicted=text(code[index]) if index < len(code) else None)
            for index, value in enumerate(texts)
        ),
        recorded=tuple(Recorded(_METRIC, score, sample) for sample, score in enumerate(graded) if score is not None),
        task=task,
    )

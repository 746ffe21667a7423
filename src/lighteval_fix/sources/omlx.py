"""oMLX: exported accuracy results, as one result, a list of results, or the question rows alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import Generation, Item, Kind, Part, Recorded, RowError, Run
from .files import Place
from .json_rows import array, json_object
from .names import components, stem
from .records import WHOLE, RecordReader, Records
from .references import Options, golds_from, options_in_text
from .source import Around, Container, Head, Layout
from .values import Record, first_text, listed, number, text

_METRIC = "accuracy"
_CHOICE = frozenset(
    ("mmlu", "mmlu_pro", "kmmlu", "cmmlu", "jmmlu", "hellaswag", "truthfulqa", "arc_challenge", "winogrande")
    + ("mathqa", "bbq", "safetybench")
)
"""The benchmarks of oMLX (its own closed list) that are multiple choice."""
_CODE = frozenset(("humaneval", "mbpp", "livecodebench"))
_ROWS = Layout(
    (Container.JSON_ARRAY, Container.JSON_LINES, Container.CSV, Container.JSON_OBJECT),
    ("question_id|id", "correct", "expected", "predicted", "raw_response"),
)
_RESULT = Layout(
    (Container.JSON_OBJECT, Container.JSON_ARRAY, Container.JSON_LINES),
    ("question_results", "benchmark|benchmark_name"),
)
_QUESTION = {"expected", "raw_response"}
_BUNDLE = Layout((Container.JSON_OBJECT,), ("results",))


class OmlxSource:
    """Accuracy results exported from oMLX."""

    name = "omlx"
    layouts: tuple[Layout, ...] = (_ROWS, _RESULT)

    def matches(self, head: Head) -> bool:
        return any(layout.closeness(head) >= 1 for layout in self.layouts) or bool(_bundled(head))

    def is_companion(self, head: Head, around: Around) -> bool:
        return False

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        if _ROWS.closeness(head) >= 1:
            task = stem(components(head.place)[-1])
            reader = RecordReader(Records(head.place, head.container), build_item, task)
            yield Run(str(head.place), self.name, reader, task=task, metrics=(_METRIC,), bytes=head.size)
            return
        for index, result in enumerate(results_of(head.place, head.container)):
            yield _run(head, index, result)


def _run(head: Head, index: int, result: Record) -> Run:
    task = first_text(result, "benchmark", "benchmark_name") or ""
    score = number(result.get("accuracy"))
    kind = Kind.CHOICE if task in _CHOICE else Kind.CODE if task in _CODE else None
    return Run(
        path=str(head.place),
        format=OmlxSource.name,
        reader=OmlxReader(head.place, head.container, index, task),
        date=first_text(result, "date", "timestamp"),
        model=first_text(result, "model_id", "model"),
        task=task,
        metrics=(_METRIC,),
        reported=((_METRIC, score),) if score is not None else (),
        kind=kind,
        bytes=head.size,
        skip="no_tests" if kind is Kind.CODE else None,
    )


def _bundled(head: Head) -> list[Record]:
    if _BUNDLE.closeness(head) < 1:
        return []
    if _is_result(head.record):
        return [head.record]
    return [result for result in listed(head.record.get("results")) if _is_result(result)]


def question_rows(value: object) -> list[Any]:
    """The question rows that a result holds; empty where it is no result."""
    for name in ("question_results", "results", "questions") if isinstance(value, Mapping) else ():
        rows = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(rows, list) and rows and isinstance(rows[0], Mapping) and set(rows[0]) >= _QUESTION:
            return rows
    return []


def _is_result(value: object) -> bool:
    return bool(question_rows(value))


def results_of(place: Place, container: Container) -> list[Record]:
    """The results in a file: one object, `{"results": […]}`, an array, or one a line."""
    if container is Container.JSON_OBJECT:
        whole = json_object(place) or {}
        found: list[Any] = [whole] if _is_result(whole) else listed(whole.get("results"))
    elif container is Container.JSON_ARRAY:
        found = [each[1] for each in array(place) if isinstance(each, tuple)]
    else:
        found = [each[1] for each in Records(place, container).read() if isinstance(each, tuple)]
    return [result for result in found if _is_result(result)]


@dataclass(frozen=True, slots=True)
class OmlxReader:
    """Reads the questions of one result in a file."""

    place: Place
    container: Container
    index: int
    task: str

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        results = results_of(self.place, self.container)
        if self.index >= len(results):
            yield RowError(0, "bad_json", "the result is no longer there")
            return
        for row, record in enumerate(question_rows(results[self.index])):
            if isinstance(record, Mapping):
                yield build_item(row, record, self.task)
            else:
                yield RowError(row, "wrong_type", "the row is no object")

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield WHOLE


def build_item(row: int, record: Record, task: str) -> Item | RowError:
    """One question. The export keeps no options apart; they are read from the question's own option lines."""
    response = record.get("raw_response")
    if response is None:
        return RowError(row, "no_generation")
    if not isinstance(response, str):
        return RowError(row, "wrong_type", "raw_response")
    golds = golds_from(record.get("expected"))
    if golds is None:
        return RowError(row, "null_gold")
    question = first_text(record, "question_text", "question")
    if question is None:
        return RowError(row, "no_prompt")
    options: Options | None = options_in_text(question, golds[0].text)
    score = number(record.get("correct"))
    return Item(
        id=first_text(record, "question_id", "id") or str(row),
        row=row,
        prompt=question,
        question=question,
        golds=options.golds if options else golds,
        choices=options.texts if options else (),
        gold_index=options.index if options else (),
        labels=options.labels if options else (),
        generations=(Generation(response, predicted=text(record.get("predicted"))),),
        recorded=(Recorded(_METRIC, score),) if score is not None else (),
        task=task,
    )

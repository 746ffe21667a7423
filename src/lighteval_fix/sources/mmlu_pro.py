"""The official MMLU-Pro scripts: `CATEGORY_result.json`, a list of questions with the response and the letter read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Generation, Item, Kind, Recorded, RowError, Run
from .names import components, stem
from .records import RecordReader, Records
from .references import Options, options_of, prompt_with_options
from .source import Around, Container, Head, Layout
from .values import Record, integer, listed, text

_METRIC = "accuracy"


class MmluProSource:
    """Result files of MMLU-Pro's own evaluation."""

    name = "mmlu_pro"
    layouts: tuple[Layout, ...] = (
        Layout(
            (Container.JSON_ARRAY, Container.JSON_LINES),
            (
                "question_id",
                "question",
                "options",
                "answer|answer_index",
                "pred",
                "model_outputs|response|generated_text",
            ),
        ),
    )

    def matches(self, head: Head) -> bool:
        return self.layouts[0].closeness(head) >= 1

    def is_companion(self, head: Head, around: Around) -> bool:
        if head.container is not Container.JSON_OBJECT or not head.place.name.endswith("summary.json"):
            return False
        return all(isinstance(value, Mapping) and {"corr", "wrong"} <= set(value) for value in head.record.values())

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        words = components(head.place)
        category = text(head.record.get("category")) or re.sub(r"_result\Z", "", stem(words[-1]))
        task = f"mmlu_pro:{category}"
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=RecordReader(Records(head.place, head.container), build_item, task),
            model=words[-2] if len(words) > 1 else None,
            task=task,
            metrics=(_METRIC,),
            kind=Kind.CHOICE,
            bytes=head.size,
        )


def build_item(row: int, record: Record, task: str) -> Item | RowError:
    """One question."""
    response = next((record[name] for name in ("model_outputs", "response", "generated_text") if name in record), None)
    texts = listed(response)
    if not texts or all(value is None for value in texts):
        return RowError(row, "no_generation")
    if any(not isinstance(value, str) for value in texts):
        return RowError(row, "wrong_type", "response")
    question = text(record.get("question"))
    if question is None:
        return RowError(row, "no_prompt")
    options = _options(record)
    if isinstance(options, str):
        return RowError(row, options)
    predicted = text(record.get("pred"))
    right = 1.0 if predicted is not None and predicted in [gold.text for gold in options.golds] else 0.0
    return Item(
        id=text(record.get("question_id")) or str(row),
        row=row,
        prompt=prompt_with_options(question, options),
        question=question,
        golds=options.golds,
        choices=options.texts,
        gold_index=options.index,
        labels=options.labels,
        generations=tuple(Generation(value, predicted=predicted) for value in texts),
        recorded=(Recorded(_METRIC, right),),
        task=task,
    )


def _options(record: Record) -> Options | str:
    texts = record.get("options")
    if not isinstance(texts, list) or len(texts) < 2:
        return "no_options"
    answer: object = record.get("answer")
    position = integer(record.get("answer_index"))
    if answer is None and position is None:
        return "null_gold"
    if answer is None and position is not None:
        if not 0 <= position < len(texts):
            return "gold_index_out_of_range"
        answer = chr(ord("A") + position)
    options = options_of(texts, answer)
    return options if options is not None else "gold_not_among_options"

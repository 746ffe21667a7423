"""OpenCompass: results JSON with `details`, where `correct` may be a boolean, a string, or a list of either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import Generation, Item, Part, Recorded, RowError, Run
from .files import Place
from .json_rows import json_object
from .names import components, stem
from .records import WHOLE
from .references import golds_from
from .source import Around, Container, Head, Layout, NoReader
from .values import Record, listed, mapping, number, text

_METRIC = "accuracy"
_PERCENT = 100.0
_ROWS = ({"references", "origin_prediction"}, {"references", "predictions"}, {"origin_prompt", "prediction"})
"""What a row must hold: a detail of a result, or an entry of the predictions file that results are made from."""


class OpencompassSource:
    """Result files of OpenCompass that were written with details."""

    name = "opencompass"
    layouts: tuple[Layout, ...] = (Layout((Container.JSON_OBJECT,), ("details",)),)

    def matches(self, head: Head) -> bool:
        if head.container is not Container.JSON_OBJECT:
            return False
        return any(required <= set(row) for _, row in detail_rows(head.record)[:3] for required in _ROWS)

    def is_companion(self, head: Head, around: Around) -> bool:
        return False

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        words = components(head.place)
        task = stem(words[-1])
        kind = mapping(head.record.get("details")).get("type")
        skipped = isinstance(kind, str) and kind.upper() in ("PPL", "LL", "CLP")
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=NoReader() if skipped else OpencompassReader(head.place, task),
            model=words[-2] if len(words) > 1 else None,
            task=task,
            metrics=(_METRIC,) if "details" in head.columns else (),
            reported=tuple(
                (_METRIC, score / _PERCENT)
                for name in ("accuracy", "score")
                if (score := number(head.record.get(name))) is not None
            )[:1],
            bytes=head.size,
            skip="log_likelihood" if skipped else None,
        )


@dataclass(frozen=True, slots=True)
class OpencompassReader:
    """Reads the one object whole: it cannot be entered in its middle."""

    place: Place
    task: str

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        whole = json_object(self.place)
        if whole is None:
            yield RowError(0, "bad_json", "not one JSON object")
            return
        for row, (key, record) in enumerate(detail_rows(whole)):
            yield build_item(row, key, record, self.task)

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield WHOLE


def detail_rows(whole: Record) -> list[tuple[str, Record]]:
    """`(key, record)` of every detail, which are a list or an object with numbers for keys.

    A predictions file is such an object itself.
    """
    details = whole.get("details", whole if all(key.isdigit() for key in whole) else None)
    if isinstance(details, Mapping):
        return [(str(key), value) for key, value in details.items() if isinstance(value, Mapping)]
    return [(str(key), value) for key, value in enumerate(listed(details)) if isinstance(value, Mapping)]


def build_item(row: int, key: str, record: Record, task: str) -> Item | RowError:
    """One detail."""
    predicted = listed(record.get("predictions", record.get("pred")))
    texts = listed(record.get("origin_prediction", record.get("prediction"))) or predicted
    if not texts or all(value is None for value in texts):
        return RowError(row, "no_generation")
    if any(not isinstance(value, str) for value in texts):
        return RowError(row, "wrong_type", "origin_prediction")
    golds = golds_from(record.get("references", record.get("gold")))
    if golds is None:
        return RowError(row, "null_gold")
    prompt, question = _prompt(record.get("prompt", record.get("origin_prompt")))
    scores = [number(value) for value in listed(record.get("correct"))]
    return Item(
        id=text(record.get("example_abbr")) or key,
        row=row,
        prompt=prompt,
        question=question,
        golds=golds,
        generations=tuple(
            Generation(value, predicted=text(predicted[index]) if len(predicted) == len(texts) else None)
            for index, value in enumerate(texts)
        ),
        recorded=tuple(
            Recorded(_METRIC, score, sample if len(texts) > 1 else None)
            for sample, score in enumerate(scores)
            if score is not None and len(scores) == len(texts)
        ),
        task=task,
    )


def _prompt(value: object) -> tuple[str, str | None]:
    """The whole prompt, and its last human turn where turns before it are worked examples."""
    if isinstance(value, str):
        return value, None
    turns = [turn for turn in listed(value) if isinstance(turn, Mapping)]
    texts = [text(turn.get("prompt", turn.get("content"))) or "" for turn in turns]
    human = [
        said for turn, said in zip(turns, texts, strict=True) if str(turn.get("role")).upper() in ("HUMAN", "USER")
    ]
    return "\n\n".join(said for said in texts if said), human[-1] if len(human) > 1 else None

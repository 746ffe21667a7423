"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, with the `results_DATE.json` beside it.

A file lists all documents under its first filter, then all under the next one, and so on: the generations are the same,
so the rows of the first filter are the items, and the scores of the others stand beside.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import Generation, Item, Part, Recorded, RowError, Run
from .files import Place, open_stream
from .json_rows import line_parts, lines
from .names import DATE, beside, components, iso
from .records import WHOLE, Records
from .references import golds_from, options_in, options_of
from .source import Around, Container, Head, Layout, NoReader
from .values import Record, chat_text, integer, last_user_text, listed, loads, mapping, number, text

_SAMPLES_NAME = re.compile(rf"(?:.*?__)?samples_(?P<task>.+)_(?P<date>{DATE})\.jsonl")
_NOT_METRICS = frozenset(
    ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
    + ("doc_hash", "prompt_hash", "target_hash")
)
_QUESTION_FIELDS = ("question", "problem", "query", "Question", "Problem")
_LEADING_FIELDS = ("passage", "context", "body", "Body", "article")

Elsewhere = tuple[tuple[str, tuple[Recorded, ...]], ...]
"""Document id -> its scores under the other filters."""


class LmEvalSource:
    """Sample files of lm-evaluation-harness."""

    name = "lm_eval"
    layouts: tuple[Layout, ...] = (
        Layout((Container.JSON_LINES, Container.JSON_OBJECT), ("doc_id", "doc", "target", "arguments", "resps")),
    )

    def matches(self, head: Head) -> bool:
        return self.layouts[0].closeness(head) >= 1

    def is_companion(self, head: Head, around: Around) -> bool:
        have = set(head.columns)
        return head.container is Container.JSON_OBJECT and {"results", "configs"} <= have and "n-shot" in have

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        place = head.place
        named = _SAMPLES_NAME.fullmatch(place.name)
        task, date = (named["task"], named["date"]) if named else ("", None)
        results = beside(place, around, f"results_{date}.json") if date else {}
        known = mapping(mapping(results.get("results")).get(task))
        config = mapping(mapping(results.get("configs")).get(task))
        skipped = _is_log_likelihood(head.record, config)
        first = text(head.record.get("filter"))
        others = () if skipped else _other_filters(place, head.container, first)
        limit = integer(mapping(config.get("generation_kwargs")).get("max_gen_toks"))
        metrics = [_metric(name, first) for name in _metric_names(head.record)]
        metrics += [score.metric for _, scores in others[:1] for score in scores]
        yield Run(
            path=str(place),
            format=self.name,
            reader=NoReader() if skipped else LmEvalReader(place, head.container, task, first, others, limit),
            version=text(results.get("lm_eval_version")),
            date=iso(date) if date else None,
            model=_model(place, results),
            task=task,
            metrics=tuple(metrics),
            reported=_reported(known) or (_means(place, head.container, metrics) if skipped else ()),
            bytes=head.size,
            skip="log_likelihood" if skipped else None,
        )


def _reported(known: Record) -> tuple[tuple[str, float], ...]:
    return tuple(
        (name.removesuffix(",none"), score)
        for name, value in known.items()
        if "_stderr" not in name and (score := number(value)) is not None
    )


def _means(place: Place, container: Container, metrics: list[str]) -> tuple[tuple[str, float], ...]:
    """Mean scores of a run whose items nobody will read after this."""
    found: dict[str, list[float]] = {name: [] for name in metrics}
    for each in Records(place, container).read():
        for score in _scores(each[1]) if isinstance(each, tuple) and isinstance(each[1], Mapping) else ():
            found.setdefault(score.metric, []).append(score.score)
    return tuple((name, sum(scores) / len(scores)) for name, scores in found.items() if scores)


@dataclass(frozen=True, slots=True)
class LmEvalReader:
    """Reads the rows of the first filter and adds what the other filters came to."""

    place: Place
    container: Container
    task: str
    filter: str | None
    others: Elsewhere
    generation_limit: int | None

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        others = dict(self.others)
        for found in Records(self.place, self.container).read(part):
            if isinstance(found, RowError):
                yield found
                continue
            row, record = found
            if not isinstance(record, Mapping):
                yield RowError(row, "wrong_type", "the row is no object")
            elif text(record.get("filter")) == self.filter:
                item = build_item(row, record, self.task)
                if isinstance(item, Item):
                    scores = (*item.recorded, *others.get(item.id, ()))
                    item = dataclasses.replace(item, recorded=scores, generation_limit=self.generation_limit)
                yield item

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        if self.container is not Container.JSON_LINES:
            yield WHOLE
            return
        for part in line_parts(self.place, batch_bytes):
            yield part if part.key else WHOLE


def _model(place: Place, results: Record) -> str | None:
    for name in (results.get("model_name"), mapping(mapping(results.get("config")).get("model_args")).get("model")):
        if isinstance(name, str) and name:
            return name
    words = components(place)
    if len(words) > len(place.parts) + 2:  # folders joined into the file's name, `…__ORG__MODEL__samples_…`
        return "/".join(words[-3:-1])
    folder = place.parts[-1] if place.parts else ""
    return folder.replace("__", "/") if "__" in folder else None


def _is_log_likelihood(record: Record, config: Record) -> bool:
    kind = config.get("output_type")
    if isinstance(kind, str):
        return kind != "generate_until"
    first = next(iter(listed(record.get("resps"))), None)
    while isinstance(first, list) and first and isinstance(first[0], list):
        first = first[0]
    return isinstance(first, list) and len(first) == 2 and number(first[0]) is not None and str(first[1]) in _BOOLEANS


_BOOLEANS = frozenset(("True", "False", "true", "false"))


def _metric_names(record: Record) -> list[str]:
    declared = [name for name in listed(record.get("metrics")) if isinstance(name, str)]
    if declared:
        return [name for name in declared if number(record.get(name)) is not None]
    return [name for name, value in record.items() if name not in _NOT_METRICS and number(value) is not None]


def _metric(name: str, filter_name: str | None) -> str:
    return name if filter_name in (None, "none") else f"{name},{filter_name}"


def _scores(record: Record) -> tuple[Recorded, ...]:
    name_of_filter = text(record.get("filter"))
    return tuple(
        Recorded(_metric(name, name_of_filter), score)
        for name in _metric_names(record)
        if (score := number(record.get(name))) is not None
    )


def _other_filters(place: Place, container: Container, first: str | None) -> Elsewhere:
    """Scores under later filters, by document; rows of the first filter are not parsed."""
    if first is None or container is not Container.JSON_LINES:
        return ()
    import json

    mark = b'"filter": ' + json.dumps(first, ensure_ascii=False).encode()
    found: dict[str, tuple[Recorded, ...]] = {}
    with open_stream(place) as stream:
        for line in stream:
            if mark in line or not line.strip():
                continue
            try:
                record = loads(line.decode("utf-8"))
            except ValueError:
                continue  # told as an error of its row when the items are read
            if isinstance(record, Mapping) and text(record.get("filter")) != first:
                key = text(record.get("doc_id")) or ""
                found[key] = (*found.get(key, ()), *_scores(record))
    return tuple(found.items())


def build_item(row: int, record: Record, task: str) -> Item | RowError:
    """One document with its samples."""
    texts = _flat(record.get("resps"))
    if not texts or all(value is None for value in texts):
        return RowError(row, "no_generation")
    if any(not isinstance(value, str) and value is not None for value in texts):
        return RowError(row, "wrong_type", "resps")
    doc = mapping(record.get("doc"))
    golds = golds_from(record.get("target"))
    if golds is None:
        return RowError(row, "null_gold")
    filtered = _flat(record.get("filtered_resps"))
    prompt, question = _prompt(record.get("arguments")), _question(doc)
    if prompt is None and question is None:
        return RowError(row, "no_prompt")
    found, labels = options_in(doc)
    options = options_of(found, record.get("target"), labels)
    return Item(
        id=text(record.get("doc_id")) or str(row),
        row=row,
        prompt=prompt or question or "",
        question=question,
        golds=options.golds if options else golds,
        choices=options.texts if options else (),
        gold_index=options.index if options else (),
        labels=options.labels if options else (),
        generations=tuple(
            Generation(value or "", predicted=_predicted(filtered, index, texts)) for index, value in enumerate(texts)
        ),
        recorded=_scores(record),
        task=task,
    )


def _flat(value: object) -> list[Any]:
    """`resps` is a list a request of a list a repeat."""
    found = listed(value)
    while found and all(isinstance(each, list) for each in found):
        found = [inner for each in found for inner in each]
    return found


def _predicted(filtered: list[Any], index: int, texts: list[Any]) -> str | None:
    if len(filtered) == 1 and len(texts) >= 1:
        index = 0
    value = filtered[index] if index < len(filtered) else None
    return value if isinstance(value, str) and value not in texts else None


def _prompt(arguments: object) -> str | None:
    first: Any = next(iter(arguments.values()), None) if isinstance(arguments, Mapping) else None
    if isinstance(arguments, list) and arguments:
        first = arguments[0]
    sent = first.get("arg_0") if isinstance(first, Mapping) else next(iter(listed(first)), None)
    return chat_text(sent) if sent else None


def _question(doc: Record) -> str | None:
    for name in _QUESTION_FIELDS:
        found = doc.get(name)
        if isinstance(found, str) and found.strip():
            leading = [doc[field] for field in _LEADING_FIELDS if isinstance(doc.get(field), str)]
            return "\n".join([*leading, found])
        if isinstance(found, list):
            return last_user_text(found)
    return None


def samples(place: Place) -> Iterator[tuple[int, Any] | RowError]:
    """The raw rows, for writing them back with another filter beside."""
    yield from lines(place)

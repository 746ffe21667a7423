"""EvalScope: `predictions/MODEL/DATASET_SUBSET.jsonl` and `reviews/MODEL/DATASET_SUBSET.jsonl`.

Two schemas: chat completions with a `review` in each choice (0.x), and `sample_score` with a `target` (1.x). Reviews
hold everything; predictions are a run of their own only where their reviews are not at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Generation, Item, ItemReader, Recorded, RowError, Run
from .grouping import GroupedReader
from .names import beside, components, stem
from .records import RecordReader, Records
from .references import Options, golds_from, options_in, options_of
from .source import Around, Container, Head, Layout, NoReader
from .values import Record, chat_text, first_text, integer, listed, mapping, message_text, number, text

_METRIC = "acc"
_LINES = (Container.JSON_LINES, Container.JSON_OBJECT)
_COMPLETIONS = Layout(_LINES, ("choices", "model_spec", "raw_input", "subset_name"))
_REVIEWS = Layout(_LINES, ("sample_score", "target"))
_PREDICTIONS = Layout(_LINES, ("model_output", "messages", "index"))


class EvalscopeSource:
    """Reviews and predictions of EvalScope."""

    name = "evalscope"
    layouts: tuple[Layout, ...] = (_COMPLETIONS, _REVIEWS, _PREDICTIONS)

    def matches(self, head: Head) -> bool:
        return any(layout.closeness(head) >= 1 for layout in self.layouts)

    def is_companion(self, head: Head, around: Around) -> bool:
        if head.container is Container.JSON_OBJECT and {"metrics", "dataset_name", "model_name"} <= set(head.columns):
            return True
        return self.matches(head) and _is_predictions(head) and _reviews_of(head, around)

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        model = _model(head.record)
        words = components(head.place)
        task = _task(words, model)
        reviewed = not _is_predictions(head)
        graded = reviewed or _COMPLETIONS.closeness(head) >= 1
        report = beside(head.place, around, f"{task}.json") if "report" in "".join(words) else {}
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=_reader(head, task) if graded else NoReader(),
            date=text(report.get("date")),
            model=model or (words[-2] if len(words) > 1 else None),
            task=task,
            metrics=_metrics(head.record) if reviewed else (),
            bytes=head.size,
            skip=None if graded else "no_gold",
        )


def _is_predictions(head: Head) -> bool:
    if _REVIEWS.closeness(head) >= 1:
        return False
    return not any("review" in mapping(choice) for choice in listed(head.record.get("choices")))


def _reviews_of(head: Head, around: Around) -> bool:
    """Whether the reviews of these predictions were found together with them."""
    mine = [word for word in components(head.place) if word != "predictions"]
    return any(
        "reviews" in words and [word for word in words if word != "reviews"] == mine
        for words in (components(place) for place in around.places)
    )


def _model(record: Record) -> str | None:
    for holder in (record, mapping(record.get("model_spec")), mapping(record.get("model_output"))):
        found = first_text(holder, "model", "model_id")
        if found:
            return found
    for message in listed(record.get("messages")):
        if (
            isinstance(message, Mapping)
            and message.get("role") == "assistant"
            and isinstance(message.get("model"), str)
        ):
            return str(message["model"])
    return None


def _task(words: tuple[str, ...], model: str | None) -> str:
    name = stem(words[-1])
    prefix = f"{model}_"
    return name.removeprefix(prefix) if model else name


def _metrics(record: Record) -> tuple[str, ...]:
    values = mapping(mapping(mapping(record.get("sample_score")).get("score")).get("value"))
    return tuple(values) or (_review_metric(record),)


def _review_metric(record: Record) -> str:
    """The name that a 0.x reviewer gives its one metric."""
    names = [name for name in listed(mapping(record.get("reviewer_spec")).get("metric")) if isinstance(name, str)]
    return names[0] if len(names) == 1 else _METRIC


def _reader(head: Head, task: str) -> ItemReader:
    records = Records(head.place, head.container)
    if _COMPLETIONS.closeness(head) >= 1:
        return RecordReader(records, completion_item, task)
    return GroupedReader(records, review_item, group_of, task)


def group_of(record: Record) -> str:
    """Repeated samples of one question share their group."""
    scored = mapping(record.get("sample_score"))
    return first_text(scored, "group_id", "sample_id") or f"index {record.get('index')}"


def completion_item(row: int, record: Record, task: str) -> Item | RowError:
    """A row of the 0.x schema."""
    choices = [mapping(choice) for choice in listed(record.get("choices"))]
    contents = [mapping(choice.get("message")).get("content") for choice in choices]
    if not contents or all(content is None for content in contents):
        return RowError(row, "no_generation")
    reviews = [mapping(choice.get("review")) for choice in choices]
    raw = mapping(record.get("raw_input"))
    gold = next((review["gold"] for review in reviews if review.get("gold") is not None), None)
    if gold is None:
        gold = next(
            (raw[name] for name in ("answerKey", "answer", "target", "gold") if raw.get(name) is not None), None
        )
    golds = golds_from(gold)
    if golds is None:
        return RowError(row, "null_gold")
    origin = mapping(record.get("origin_prompt"))
    prompt = "\n".join(str(piece) for piece in listed(origin.get("data")))
    options = _options(raw, gold)
    score = tuple(
        Recorded(_review_metric(record), value, sample if len(reviews) > 1 else None)
        for sample, review in enumerate(reviews)
        if (value := number(review.get("result"))) is not None
    )
    question = first_text(raw, "question", "problem", "query")
    if not prompt and question is None:
        return RowError(row, "no_prompt")
    return Item(
        id=first_text(raw, "id", "question_id") or first_text(record, "index") or str(row),
        row=row,
        prompt=prompt or question or "",
        question=question,
        golds=options.golds if options else golds,
        choices=options.texts if options else (),
        gold_index=options.index if options else (),
        labels=options.labels if options else (),
        generations=tuple(
            Generation(
                message_text(content) if content is not None else "",
                reasoning=text(mapping(choice.get("message")).get("reasoning_content")),
                finish_reason=text(choice.get("finish_reason")),
                tokens=integer(mapping(record.get("usage")).get("completion_tokens")) if len(choices) == 1 else None,
                predicted=text(review.get("pred")),
            )
            for content, choice, review in zip(contents, choices, reviews, strict=True)
        ),
        recorded=score,
        task=task,
    )


def _options(raw: Record, gold: object) -> Options | None:
    texts, labels = options_in(raw)
    return options_of(texts, gold, labels)


def review_item(row: int, record: Record, task: str) -> Item | RowError:
    """A row of the 1.x reviews."""
    scored = mapping(record.get("sample_score"))
    score = mapping(scored.get("score"))
    messages = [message for message in listed(record.get("messages")) if isinstance(message, Mapping)]
    answers = [message for message in messages if message.get("role") == "assistant"]
    raw = answers[-1].get("content") if answers else score.get("prediction")
    if raw is None:
        return RowError(row, "no_generation")
    answer, reasoning = split_content(raw)
    golds = golds_from(record.get("target"))
    if golds is None:
        return RowError(row, "null_gold")
    asked = [message for message in messages if message.get("role") != "assistant"]
    prompt = chat_text(asked) or text(record.get("input")) or ""
    metadata = mapping(scored.get("sample_metadata"))
    texts, labels = options_in(record) if "choices" in record else options_in(metadata)
    options = options_of(texts, record.get("target"), labels)
    return Item(
        id=first_text(scored, "group_id", "sample_id") or text(record.get("index")) or str(row),
        row=row,
        prompt=prompt,
        question=first_text(metadata, "question", "problem"),
        golds=options.golds if options else golds,
        choices=options.texts if options else (),
        gold_index=options.index if options else (),
        labels=options.labels if options else (),
        generations=(Generation(answer, reasoning=reasoning, predicted=text(score.get("extracted_prediction"))),),
        recorded=tuple(
            Recorded(str(name), value)
            for name, each in mapping(score.get("value")).items()
            if (value := number(each)) is not None
        ),
        task=task,
    )


def split_content(content: object) -> tuple[str, str | None]:
    """Text of a message, and reasoning that stands in parts of its own (unless it is encrypted)."""
    parts = [part for part in listed(content) if isinstance(part, Mapping) and part.get("type") == "reasoning"]
    reasoning = [str(part.get("reasoning") or "") for part in parts if not part.get("redacted")]
    joined = "\n".join(piece for piece in reasoning if piece)
    return message_text(content), joined or None

"""Samples of Inspect logs: the epochs of one id make one item."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from ..model import Generation, Item, Recorded, RowError
from .evalscope import split_content
from .references import golds_from, options_of
from .values import Record, chat_text, integer, listed, mapping, number, text

_VALUES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's own numbers for correct, partial, incorrect and no answer."""

_ATTACHMENT = "attachment://"
_MEANS = ("accuracy", "mean")


def scores_of_results(results: Record) -> tuple[tuple[str, float], ...]:
    """`scorer -> accuracy` (or mean) as the log reports it; further metrics as `scorer/metric`, errors of means not."""
    found = []
    for score in listed(results.get("scores")):
        name = (text(mapping(score).get("name")) or "").rpartition("/")[2]
        for metric, held in mapping(mapping(score).get("metrics")).items():
            value = number(mapping(held).get("value"))
            short = metric.rpartition("/")[2]
            if value is not None and "stderr" not in short and short not in ("std", "var"):
                found.append((name if short in _MEANS else f"{name}/{short}", value))
    return tuple(found)


def build_item(row: int, samples: Sequence[Record], task: str, limit: int | None) -> Item | RowError:
    """One item from all epochs of a sample. An epoch that ended in an error has no text; all of them: a row error."""
    generations: list[Generation] = []
    recorded: list[Recorded] = []
    problem = RowError(row, "no_generation")
    for sample in samples:
        found = _generations(sample)
        if isinstance(found, RowError):
            problem = RowError(row, found.reason, found.detail)
            continue
        recorded += _scores(sample, len(generations), len(found), len(samples))
        epoch = integer(sample.get("epoch"))
        generations += [dataclasses.replace(each, epoch=epoch) for each in found] if epoch is not None else found
    if not generations:
        return problem
    first = samples[0]
    golds = golds_from(first.get("target"))
    if golds is None:
        return RowError(row, "null_gold")
    asked = [
        message
        for message in listed(first.get("messages"))
        if isinstance(message, Mapping) and message.get("role") in ("system", "user")
    ]
    question = _text(first.get("input"), first)
    prompt = _text(asked, first) or question
    options = options_of(listed(first.get("choices")), _letters(first.get("target")))
    return Item(
        id=text(first.get("id")) or str(row),
        row=row,
        prompt=prompt,
        question=question or None,
        golds=options.golds if options else golds,
        choices=options.texts if options else (),
        gold_index=options.index if options else (),
        labels=options.labels if options else (),
        generations=tuple(generations),
        recorded=tuple(recorded),
        task=task,
        generation_limit=limit,
    )


def _letters(target: object) -> list[Any]:
    """Targets of a choice sample; Inspect also writes several right letters as one string `AC`."""
    found = listed(target)
    if len(found) == 1 and isinstance(found[0], str) and found[0].strip().isalpha() and found[0].isupper():
        return list(found[0].strip()) if len(found[0].strip()) < 5 else found
    return found


def _resolved(value: Any, sample: Record) -> Any:
    """Long texts are kept once, as attachments."""
    if isinstance(value, str) and value.startswith(_ATTACHMENT):
        return mapping(sample.get("attachments")).get(value.removeprefix(_ATTACHMENT), value)
    if isinstance(value, Mapping):
        return {key: _resolved(inner, sample) for key, inner in value.items()}
    if isinstance(value, list):
        return [_resolved(inner, sample) for inner in value]
    return value


def _text(value: object, sample: Record) -> str:
    return chat_text(_resolved(value, sample))


def _generations(sample: Record) -> list[Generation] | RowError:
    output = mapping(sample.get("output"))
    choices = [mapping(choice) for choice in listed(output.get("choices"))]
    error = mapping(sample.get("error"))
    if not choices:
        if error:
            return RowError(0, "sample_error", (text(error.get("message")) or "")[:200])
        completion = output.get("completion")
        if not isinstance(completion, str) or not completion:
            return RowError(0, "no_generation", _limit(sample))
        return [Generation(completion, finish_reason=text(mapping(sample.get("limit")).get("type")))]
    tokens = integer(mapping(output.get("usage")).get("output_tokens"))
    answers = [text(mapping(score).get("answer")) for score in mapping(sample.get("scores")).values()]
    found = []
    for choice in choices:
        message = _resolved(mapping(choice.get("message")), sample)
        answer, reasoning = split_content(message.get("content"))
        found.append(
            Generation(
                answer,
                reasoning=reasoning or text(message.get("reasoning")),
                finish_reason=text(choice.get("stop_reason")),
                tokens=tokens if len(choices) == 1 else None,
                predicted=next((each for each in answers if each), None) if len(choices) == 1 else None,
            )
        )
    return found


def _limit(sample: Record) -> str:
    kind = text(mapping(sample.get("limit")).get("type"))
    return f"stopped at its {kind} limit" if kind else ""


def _scores(sample: Record, start: int, count: int, epochs: int) -> list[Recorded]:
    """Scores of one epoch: of its one generation, else (several choices in one epoch) of the item."""
    position = start if count == 1 and epochs > 1 else None
    if count > 1 and epochs > 1:
        return []
    found = []
    for name, score in mapping(sample.get("scores")).items():
        short = str(name).rpartition("/")[2]
        value = mapping(score).get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            parts = [(f"{short}/{key}", _value(each)) for key, each in value.items()]
        elif isinstance(value, list):
            parts = [(f"{short}/{index}", _value(each)) for index, each in enumerate(value)]
        else:
            parts = [(short, _value(value))]
        found += [Recorded(metric, each, position) for metric, each in parts if each is not None]
    return found


def _value(value: object) -> float | None:
    if isinstance(value, str) and value in _VALUES:
        return _VALUES[value]
    return number(value)

"""Rows of LightEval 0.6 to 0.10: flat columns, up to 0.7 with every value as the text that `str()` gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import Generation, Gold, Item, Part, RowError, Tests
from . import pyliteral
from .code_tests import tests_of
from .files import Place
from .lighteval_rows import Golds, golds_of, labels_of, recorded_of
from .parquet import Damage, batches, first_batch, leaves, opened, row_parts, sound_rows, under
from .references import golds_from, options_in_text
from .values import chat_text, decoded, integer, listed, mapping, text

COLUMNS = ("example", "full_prompt", "predictions", "gold", "choices", "gold_index", "metrics", "specifics")
_OTHERS = ("instruction", "num_effective_few_shots")


def literal(value: object) -> Any:
    """A value that was stored as text, as the value; what is no literal stays text."""
    if not isinstance(value, str):
        return value
    value = decoded(value)
    if not isinstance(value, str):
        return value
    try:
        return pyliteral.parse(value)
    except ValueError:
        return value


def projection(paths: tuple[str, ...]) -> list[str]:
    """The leaves that are needed."""
    return under(paths, (*COLUMNS, *_OTHERS))


@dataclass(frozen=True, slots=True)
class FlatReader:
    """Reads one details file of the old layout."""

    place: Place
    task: str

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        for piece in batches(self.place, projection, part):
            if isinstance(piece, Damage):
                yield RowError(piece.row, "damaged_rows", f"{piece.rows} rows: {piece.detail}")
                continue
            for found in sound_rows(*piece, lambda batch: batch.to_pylist()):
                yield found if isinstance(found, RowError) else build_item(*found, self.task)

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        with opened(self.place) as file:
            yield from row_parts(file, projection(leaves(file)), batch_bytes)


def build_item(row: int, record: Mapping[str, Any], task: str) -> Item | RowError:
    """One item."""
    texts = predictions_of(record)
    if not texts or all(value is None for value in texts):
        return RowError(row, "no_generation")
    if any(not isinstance(value, str) and value is not None for value in texts):
        return RowError(row, "wrong_type", "predictions")
    example = text(record.get("example"))
    if example is None:
        return RowError(row, "no_prompt")
    tests = tests_of(literal(record.get("specifics")))
    if isinstance(tests, str):
        return RowError(row, tests, "specifics")
    golds = _golds(record, example)
    if isinstance(golds, str):
        if tests is None:
            return RowError(row, golds)
        golds = Golds((), (), ())
    prompt, question = _prompt(record, example)
    graded = tests is None
    return Item(
        id=str(row),
        row=row,
        prompt=prompt,
        question=question,
        golds=golds.golds if graded else (),
        choices=golds.choices if graded else (),
        gold_index=golds.index if graded else (),
        labels=(golds.labels or labels_of(golds.choices)) if graded else (),
        tests=tests,
        generations=tuple(Generation(value or "") for value in texts),
        recorded=recorded_of(mapping(literal(record.get("metrics"))), len(texts)),
        task=task,
    )


def predictions_of(record: Mapping[str, Any]) -> list[Any]:
    """The sampled texts; each request's result is a list of its own in some versions."""
    found = listed(literal(record.get("predictions")))
    while found and all(isinstance(each, list) for each in found) and any(found):
        found = [inner for each in found for inner in each]
    return found


def _golds(record: Mapping[str, Any], example: str) -> Golds | str:
    choices, index = literal(record.get("choices")), literal(record.get("gold_index"))
    if listed(choices) and listed(index):
        return golds_of(choices, index)
    golds = golds_from(listed(literal(record.get("gold"))))
    if golds is None:
        return "null_gold" if not listed(literal(record.get("gold"))) else "empty_gold"
    # Generative choice tasks kept the right letter only; the options stand in the question, a line each.
    options = options_in_text(example, golds[0].text) if len(golds) == 1 and len(golds[0].text.strip()) == 1 else None
    if options is None:
        return Golds(golds, (), ())
    return Golds(tuple(Gold(gold.text) for gold in options.golds), options.texts, options.index, options.labels)


def _prompt(record: Mapping[str, Any], example: str) -> tuple[str, str | None]:
    shots = integer(literal(record.get("num_effective_few_shots")))
    if shots:
        whole = chat_text(record.get("full_prompt"))
        if whole.strip():
            return whole, example
    instruction = record.get("instruction")
    if isinstance(instruction, str) and instruction.strip() and example.startswith(instruction.strip()):
        return example, example[len(instruction.strip()) :].strip() or None
    return example, None


def is_log_likelihood(record: Mapping[str, Any]) -> bool:
    """Whether the predictions are log-probabilities."""
    found = predictions_of(record)
    return bool(found) and not any(isinstance(each, str) or each is None for each in found)


def has_tests(record: Mapping[str, Any]) -> bool:
    """Whether the item is a program with tests."""
    return isinstance(tests_of(literal(record.get("specifics"))), Tests)


def peek(place: Place) -> Mapping[str, Any]:
    """The first row, as far as it tells what the run is; empty where there is none."""
    batch = first_batch(place, lambda paths: under(paths, ("predictions", "specifics", "metrics")))
    for found in sound_rows(0, batch, lambda rows: rows.to_pylist()) if batch else ():
        if not isinstance(found, RowError):
            return dict(found[1])
    return {}

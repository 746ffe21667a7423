"""Rows of LightEval 0.11 and later: the structs `doc`, `metric`, `model_response`, or the same as JSON text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..model import Generation, Gold, Item, Part, Recorded, RowError, Tests
from .code_tests import tests_of
from .files import Place
from .parquet import Damage, batches, first_batch, leaves, opened, row_parts, sound_rows, under
from .references import option_lines
from .values import Record, chat_text, decoded, integer, is_object, listed, loads, mapping, number, text

STRUCTS = ("doc", "metric", "model_response")

_DOC = ("id", "query", "instruction", "choices", "gold_index", "specific", "task_name", "generation_size")
_RESPONSE = ("text", "text_post_processed", "reasonings", "output_tokens")
_TWINS = {"model_response.text_post_processed.list.element": "model_response.text.list.element"}
_LETTERS = re.compile(r"\(?([A-Za-z])[).]?")


def projection(paths: tuple[str, ...]) -> list[str]:
    """The leaves that are needed; the sent prompt only where worked examples make it differ from the query."""
    if "doc" in paths:  # JSON text
        return [name for name in STRUCTS if name in paths]
    wanted = [f"doc.{name}" for name in _DOC] + [f"model_response.{name}" for name in _RESPONSE] + ["metric"]
    if any(path.startswith("doc.fewshot_samples.") and path.endswith(".query") for path in paths):
        wanted.append("model_response.input")
    return under(paths, tuple(wanted))


@dataclass(frozen=True, slots=True)
class StructReader:
    """Reads one details file."""

    place: Place
    task: str

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        for piece in batches(self.place, projection, part, _TWINS):
            if isinstance(piece, Damage):
                yield RowError(piece.row, "damaged_rows", f"{piece.rows} rows: {piece.detail}")
                continue
            for found in sound_rows(*piece, _rows):
                yield found if isinstance(found, RowError) else self._item(*found)

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        with opened(self.place) as file:
            yield from row_parts(file, projection(leaves(file)), batch_bytes)

    def _item(self, row: int, values: tuple[Any, Any, Any] | str) -> Item | RowError:
        if isinstance(values, str):
            return RowError(row, "bad_json", values)
        return checked_item(row, *values, self.task)


def _rows(batch: Any) -> Iterator[tuple[Any, Any, Any] | str]:
    """`(doc, metric, model_response)` of every row; a message where JSON text does not parse."""
    columns = [_column(batch, name) for name in STRUCTS]
    rows = zip(*columns, strict=True)
    if all(_is_struct(batch, name) for name in STRUCTS):
        yield from rows  # nothing is JSON text
        return
    for values in rows:
        if any(isinstance(value, str) for value in values):
            try:
                yield tuple(loads(value) if isinstance(value, str) else value for value in values)
            except ValueError as error:
                yield str(error)[:200]
        else:
            yield values


def _is_struct(batch: Any, name: str) -> bool:
    import pyarrow

    return name not in batch.schema.names or pyarrow.types.is_struct(batch.schema.field(name).type)


def _column(batch: Any, name: str) -> list[Any]:
    """One struct column as dicts, made leaf by leaf: many times faster than row by row."""
    import pyarrow

    if name not in batch.schema.names:
        return [None] * batch.num_rows
    array = batch.column(name)
    if not _is_struct(batch, name):
        values: list[Any] = array.to_pylist()
        return values
    names = [array.type.field(index).name for index in range(array.type.num_fields)]
    fields: list[list[Any]] = []
    texts: Any = None
    for field_name, field in zip(names, array.flatten(), strict=True):
        if field_name == "text":
            texts = field, len(fields)
        elif field_name == "text_post_processed" and texts is not None and field.equals(texts[0]):
            fields.append(fields[texts[1]])  # mostly the same: made into strings once
            continue
        is_list = pyarrow.types.is_list(field.type) or pyarrow.types.is_large_list(field.type)
        if field_name == "output_tokens" and is_list:
            fields.append(_token_counts(field))
        else:
            fields.append(field.to_pylist())
    valid = array.is_valid().to_pylist() if array.null_count else None
    rows = [dict(zip(names, row, strict=True)) for row in zip(*fields, strict=True)] if fields else []
    if not fields:
        return [{}] * batch.num_rows
    return rows if valid is None else [row if ok else None for row, ok in zip(rows, valid, strict=True)]


class Counts(list[int | None]):
    """Token counts, one a generation, in place of the token lists."""


def _token_counts(array: Any) -> list[Counts]:
    import pyarrow

    inner = array.type.value_type
    if not (pyarrow.types.is_list(inner) or pyarrow.types.is_large_list(inner)):
        return [Counts() for _ in range(len(array))]
    import pyarrow.compute  # takes longer to import than a small run to read

    lengths = pyarrow.compute.list_value_length(array.flatten()).to_pylist()
    counts, position = [], 0
    for length in pyarrow.compute.list_value_length(array).to_pylist():
        counts.append(Counts(lengths[position : position + (length or 0)]))
        position += length or 0
    return counts


def record_item(row: int, record: Record, task: str) -> Item | RowError:
    """One item of details that were pushed as JSON lines."""
    doc, metric, response = (decoded(record.get(name)) for name in STRUCTS)
    return checked_item(row, doc, metric, response, task)


def checked_item(row: int, doc: object, metric: object, response: object, task: str) -> Item | RowError:
    """One item, where the three structs are objects at all."""
    if not is_object(doc) or not is_object(response):
        return RowError(row, "wrong_type", "doc and model_response must be objects")
    return build_item(row, doc, metric if is_object(metric) else {}, response, task)


def build_item(
    row: int, doc: Mapping[str, Any], metric: Mapping[str, Any], response: Mapping[str, Any], task: str
) -> Item | RowError:
    """One item, or why there is none."""
    generations = generations_of(response)
    if isinstance(generations, str):
        return RowError(row, generations)
    query = doc.get("query")
    if not isinstance(query, str):
        return RowError(row, "no_prompt" if query is None else "wrong_type", "query")
    tests = tests_of(doc.get("specific"))
    if isinstance(tests, str):
        return RowError(row, tests, "specific")
    golds = golds_of(doc.get("choices"), doc.get("gold_index"), query)
    if isinstance(golds, str):
        if tests is None:
            return RowError(row, golds)
        golds = Golds((), (), ())
    if tests is None and not any(gold.text.strip() for gold in golds.golds):
        return RowError(row, "empty_gold")
    prompt, question = prompts(query, doc.get("instruction"), response.get("input"))
    return Item(
        id=text(doc.get("id")) or str(row),
        row=row,
        prompt=prompt,
        question=question,
        golds=() if tests is not None else golds.golds,
        choices=() if tests is not None else golds.choices,
        gold_index=() if tests is not None else golds.index,
        labels=() if tests is not None else labels_of(golds.choices),
        tests=tests,
        generations=generations,
        recorded=recorded_of(metric, len(generations)),
        task=text(doc.get("task_name")) or task,
        generation_limit=integer(doc.get("generation_size")),
    )


def prompts(query: str, instruction: object, sent: object) -> tuple[str, str | None]:
    """What was sent, and the question alone where the instruction is known apart or examples went before."""
    question = None
    if isinstance(instruction, str) and instruction.strip() and query.startswith(instruction.strip()):
        question = query[len(instruction.strip()) :].strip() or None
    if sent:
        whole = chat_text(sent)
        if whole.strip():
            return whole, question or query
    return query, question


@dataclass(slots=True)
class Golds:
    """References; options and right ones only where there is something to choose from."""

    golds: tuple[Gold, ...]
    choices: tuple[str, ...]
    index: tuple[int, ...]
    labels: tuple[str, ...] = ()


def golds_of(choices: object, gold_index: object, query: str = "") -> Golds | str:
    """References of an item, or the reason why there are none.

    MMLU-Pro in LightEval 0.13 gives its letters as one string, and more of them than there are options: those beyond
    the options that stand in the query are left out.
    """
    if choices is None or gold_index is None:
        return "null_gold"
    if gold_index == 0 and type(choices) is list and len(choices) == 1 and type(choices[0]) is str:
        return Golds((Gold(choices[0]),), (), ())  # nearly every row of a maths run: there is nothing to check
    if isinstance(choices, str) and len(choices) > 1 and labels_of(choices):
        choices = list(choices)
    options = [text(choice) for choice in listed(choices)]
    index = [integer(value) for value in listed(gold_index)]
    if not options or not index:
        return "null_gold"
    if any(position is None for position in index):
        return "null_gold" if None in listed(gold_index) else "wrong_type"
    right = tuple(dict.fromkeys(position for position in index if position is not None))
    if any(not -1 < position < len(options) for position in right):
        return "gold_index_out_of_range"
    golds = []
    for position in right:
        option = options[position]
        if option is None:
            return "null_gold"
        golds.append(Gold(option))
    if labels_of([option or "" for option in options]):
        options = options[: max(option_lines(query), max(right) + 1)] if option_lines(query) > 1 else options
    is_choice = len(options) > 1 and len(right) < len(options)
    if not is_choice:
        return Golds(tuple(golds), (), ())
    return Golds(
        tuple(Gold(gold.text.strip()) for gold in golds), tuple((option or "").strip() for option in options), right
    )


def labels_of(choices: Sequence[str]) -> tuple[str, ...]:
    """The letters, where the options are given as nothing but consecutive letters."""
    letters = []
    for choice in choices:
        match = _LETTERS.fullmatch(choice.strip())
        if match is None:
            return ()
        letters.append(match[1])
    if len(letters) < 2 or any(ord(b) - ord(a) != 1 for a, b in pairwise(letters)):
        return ()
    return tuple(letters)


def generations_of(response: Mapping[str, Any]) -> tuple[Generation, ...] | str:
    """The sampled texts, or the reason why there are none; one missing among several stands as an empty text."""
    texts = listed(response.get("text"))
    if len(texts) == 1 and type(texts[0]) is str:
        # Nearly every row of most runs: its fields need not be lined up.
        reasoning, post, tokens = map(_only, map(response.get, ("reasonings", "text_post_processed", "output_tokens")))
        return (_generation(texts[0], reasoning, post, tokens),)
    if all(value is None for value in texts):
        return "no_generation"
    if any(not isinstance(value, str) and value is not None for value in texts):
        return "wrong_type"
    nothing = [None] * len(texts)

    def aligned(name: str) -> list[Any]:
        values = listed(response.get(name))
        return values if len(values) == len(texts) else nothing

    each = zip(texts, aligned("reasonings"), aligned("text_post_processed"), aligned("output_tokens"), strict=True)
    return tuple(_generation(*fields) for fields in each)


def _generation(value: str | None, reasoning: object, post: object, tokens: object) -> Generation:
    return Generation(
        text=value or "",
        reasoning=_string(reasoning),
        # Mostly the same text: one copy of it will do.
        post_processed=value if post == value else _string(post),
        tokens=_count(tokens),
    )


def _only(value: object) -> object:
    if value is None:
        return None
    values = listed(value)
    return values[0] if len(values) == 1 else None


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: object) -> int | None:
    if value is None:
        return None
    count = len(value) if isinstance(value, list | tuple) else integer(value)
    return count or None


def recorded_of(metric: Mapping[str, Any], samples: int) -> tuple[Recorded, ...]:
    """Scores of the item, or of each generation where a metric holds a list of as many."""
    found = []
    for name, value in metric.items():
        score = number(value)
        if score is not None:
            found.append(Recorded(name, score))
        elif isinstance(value, list) and len(value) == samples:
            scores = [number(each) for each in value]
            found.extend(Recorded(name, each, sample) for sample, each in enumerate(scores) if each is not None)
    return tuple(found)


def is_log_likelihood(doc: Mapping[str, Any]) -> bool:
    """Whether the item was scored by log-likelihood only, so that there is no text to read."""
    methods = [str(method).rsplit(".", 1)[-1].upper() for method in listed(doc.get("sampling_methods"))]
    return bool(methods) and "GENERATIVE" not in methods


def has_tests(doc: Mapping[str, Any]) -> bool:
    """Whether the item is a program with tests."""
    return isinstance(tests_of(doc.get("specific")), Tests)


def peek(place: Place) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """`doc` and `metric` of the first row, without the long texts; empty where there are none."""
    batch = first_batch(place, _peeked)
    try:
        for doc, metric in zip(_column(batch, "doc"), _column(batch, "metric"), strict=True) if batch else ():
            return mapping(doc), mapping(metric)
    except UnicodeDecodeError:
        pass  # told as an error of its row when the items are read
    return {}, {}


def _peeked(paths: tuple[str, ...]) -> list[str]:
    return under(
        paths, ("doc.sampling_methods", "doc.task_name", "doc.specific", "doc.choices", "doc.gold_index", "metric")
    ) + [name for name in ("doc",) if name in paths]

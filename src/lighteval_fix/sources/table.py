"""Any table of generations, once the caller says which column is which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import Generation, InputError, Item, Part, Recorded, RowError, Run
from .code_tests import tests_of
from .names import stem
from .records import Records
from .references import Options, golds_from, options_of
from .source import Around, Container, Head, Layout
from .values import Record, chat_text, decoded, integer, listed, message_text, number, text
from .verifiers import last_assistant

FIELDS = ("response", "gold", "prompt", "question", "score", "id", "choices", "gold_index", "reasoning", "tests")
FIELDS_OF_RUN = ("task", "model")


class TableSource:
    """JSON lines, a JSON array, CSV or parquet, with `columns` from field names to column names."""

    name = "table"
    layouts: tuple[Layout, ...] = ()

    def matches(self, head: Head) -> bool:
        return False

    def is_companion(self, head: Head, around: Around) -> bool:
        return False

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        if head.container in (Container.ZIP, Container.UNKNOWN):
            raise InputError("no table: JSON lines, a JSON array, CSV or parquet is needed", str(head.place))
        columns = tuple(checked_columns(options.get("columns"), head).items())
        wanted = dict(columns)
        first = head.record or _first(head)
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=TableReader(Records(head.place, head.container), columns),
            model=text(lookup(first, wanted["model"])) if "model" in wanted else None,
            task=(text(lookup(first, wanted["task"])) if "task" in wanted else None) or stem(head.place.name),
            metrics=(wanted["score"],) if "score" in wanted else (),
            bytes=head.size,
        )


def _first(head: Head) -> Record:
    for found in Records(head.place, head.container).read():
        if isinstance(found, tuple) and isinstance(found[1], Mapping):
            return found[1]
    return {}


def checked_columns(columns: object, head: Head) -> dict[str, str]:
    """The mapping, given as such or as `NAME=COLUMN,…`; a column may be dotted (`doc.answer`).

    Raises:
        InputError: an unknown field, a column that is not there, or no response or gold.
    """
    path = str(head.place)
    if isinstance(columns, str):
        pairs = [pair.partition("=") for pair in columns.split(",") if pair.strip()]
        columns = {name.strip(): column.strip() for name, _, column in pairs}
    if not isinstance(columns, Mapping) or not columns:
        raise InputError("a table needs columns, as in response=COLUMN,gold=COLUMN,prompt=COLUMN", path)
    known = (*FIELDS, *FIELDS_OF_RUN)
    for name, column in columns.items():
        if name not in known:
            raise InputError(f"unknown field {name!r} in columns; known: {', '.join(known)}", path)
        top = str(column).partition(".")[0]
        if column not in head.columns and top not in head.columns:
            raise InputError(f"no column {column!r}; there are: {', '.join(head.columns[:30])}", path)
    if "response" not in columns or not {"gold", "gold_index", "tests"} & set(columns):
        raise InputError("columns must name response, and one of gold, gold_index, tests", path)
    return {str(name): str(column) for name, column in columns.items()}


def lookup(record: Record, column: str) -> Any:
    """A column by its name, or by the dotted path into objects and lists."""
    if column in record:
        return record[column]
    value: Any = record
    for step in column.split("."):
        value = decoded(value)
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


@dataclass(frozen=True, slots=True)
class TableReader:
    """One row an item; a response that is a list holds several samples."""

    records: Records
    columns: tuple[tuple[str, str], ...]

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        columns = dict(self.columns)
        for found in self.records.read(part):
            if isinstance(found, RowError):
                yield found
            elif isinstance(found[1], Mapping):
                yield build_item(found[0], found[1], columns)
            else:
                yield RowError(found[0], "wrong_type", "the row is no object")

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield from self.records.parts(batch_bytes)


def build_item(row: int, record: Record, columns: Mapping[str, str]) -> Item | RowError:
    """One row."""

    def field(name: str) -> Any:
        return lookup(record, columns[name]) if name in columns else None

    texts = responses(field("response"))
    if isinstance(texts, str):
        return RowError(row, texts)
    tests = tests_of(field("tests")) if "tests" in columns else None
    if isinstance(tests, str):
        return RowError(row, tests)
    options = _options(field("choices"), field("gold"), field("gold_index"))
    golds = options.golds if options else golds_from(decoded_list(field("gold")))
    if golds is None and tests is None:
        return RowError(row, "null_gold")
    scores = [number(value) for value in listed(decoded_list(field("score")))]
    metric = columns.get("score", "")
    reasoning = listed(decoded_list(field("reasoning")))
    return Item(
        id=text(field("id")) or str(row),
        row=row,
        prompt=chat_text(field("prompt") or field("question") or ""),
        question=text(field("question")),
        golds=golds or (),
        choices=options.texts if options else (),
        gold_index=options.index if options else (),
        labels=options.labels if options else (),
        tests=tests,
        generations=tuple(
            Generation(value, reasoning=text(reasoning[index]) if len(reasoning) == len(texts) else None)
            for index, value in enumerate(texts)
        ),
        recorded=tuple(
            Recorded(metric, score, sample if len(scores) == len(texts) > 1 else None)
            for sample, score in enumerate(scores)
            if score is not None and len(scores) in (1, len(texts))
        ),
        task=text(field("task")) or "",
    )


def responses(value: object) -> list[str] | str:
    """The sampled texts, or why there are none. A string is one text, whatever it looks like."""
    if value is None or value == []:
        return "no_generation"
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [message_text(value.get("content"))] if "content" in value else "wrong_type"
    found = listed(value)
    if all(isinstance(each, str) or each is None for each in found):
        return [each or "" for each in found] if any(each is not None for each in found) else "no_generation"
    if all(isinstance(each, Mapping) and "role" in each for each in found):
        answer, _ = last_assistant(found)
        return [answer] if answer is not None else "no_generation"
    return "wrong_type"


def decoded_list(value: object) -> object:
    """A list that a CSV cell holds as JSON; every other text stays as it is."""
    if isinstance(value, str) and value.startswith('["'):
        inner = decoded(value)
        return inner if isinstance(inner, list) else value
    return value


def _options(choices: object, gold: object, gold_index: object) -> Options | None:
    found = decoded(choices)
    if isinstance(found, Mapping):
        labels, texts = [str(key) for key in found], list(found.values())
    else:
        labels, texts = [], listed(found)
    position = integer(gold_index)
    if gold is None and position is not None and 0 <= position < len(texts):
        names = labels or [chr(ord("A") + index) for index in range(len(texts))]
        return options_of(texts, names[position], labels)
    return options_of(texts, gold, labels) if texts else None

"""What a finished run holds, harness-neutral."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from .codes import Kind


@dataclass(frozen=True, slots=True)
class Gold:
    """One accepted reference, as the run holds it (for MATH-500 a whole worked solution)."""

    text: str


@dataclass(frozen=True, slots=True)
class Generation:
    """One sampled model output.

    Args:
        text: the raw text, reasoning included.
        reasoning: reasoning that the harness kept apart from `text`, if it did.
        post_processed: the text after the harness removed reasoning, where it recorded one.
        finish_reason: as recorded (`stop`, `length`, …), else None.
        tokens: output tokens, where recorded.
        predicted: what the harness says it extracted, where it says so.
        epoch: which repetition of the item it is, from 1, where the run numbers them.
    """

    text: str
    reasoning: str | None = None
    post_processed: str | None = None
    finish_reason: str | None = None
    tokens: int | None = None
    predicted: str | None = None
    epoch: int | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A score the harness recorded: of one generation (`sample` set) or of the whole item (`sample` None)."""

    metric: str
    score: float
    sample: int | None = None


@dataclass(frozen=True, slots=True)
class Tests:
    """Tests of a programming item: stdin/stdout pairs, or calls of `function` with JSON arguments.

    `inputs[i]` and `outputs[i]` belong together. Where `function` is set, each input holds one JSON value a line
    (one line an argument) and each output one JSON value.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    function: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One question with everything that was recorded about it.

    Args:
        id: the harness's own id, else the row number as text.
        row: 0-based row in its file.
        prompt: what the model was sent, worked examples and instruction included.
        question: the current question alone, where the run holds it apart, else None.
        golds: accepted references, the best one first.
        choices: texts (or labels) of the options of a choice item, else empty.
        gold_index: indices into `choices` that are right.
        labels: the labels the options carry (`A`, `B`, …), where the run says so.
        tests: for programs.
        generations: in the order they were sampled.
        recorded: the harness's scores.
        task: the task's name as the run gives it.
        generation_limit: output token limit of the run, where recorded.
    """

    id: str
    row: int
    prompt: str
    question: str | None
    golds: tuple[Gold, ...]
    choices: tuple[str, ...] = ()
    gold_index: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    tests: Tests | None = None
    generations: tuple[Generation, ...] = ()
    recorded: tuple[Recorded, ...] = ()
    task: str = ""
    generation_limit: int | None = None


@dataclass(frozen=True, slots=True)
class RowError:
    """A row that could not be read or graded: data, not a crash."""

    row: int
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a run that a worker can read by itself: rows `start` to `stop` (exclusive), source-specific `key`."""

    start: int
    stop: int
    key: str = ""


class ItemReader(Protocol):
    """How a `Run` reaches its items. Implementations are frozen dataclasses of plain values, so a `Run` pickles."""

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        """Items in row order, all of them or those of one part; lazy."""
        ...

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        """The run cut into pieces of about `batch_bytes` bytes of text."""
        ...


@dataclass(frozen=True, slots=True)
class Run:
    """One model on one task, as a harness left it.

    Args:
        path: where it was found.
        format: the source's name (`lighteval`, `lm_eval`, …).
        version: the harness's version, where recorded.
        date: ISO date-time of the run, where known.
        model: the model's name, where known.
        task: the task's name with its few-shot suffix, as recorded.
        metrics: names of the recorded metrics in order.
        reported: metric name -> score as the harness reported it for the whole run, where known.
        kind: set where the source knows it for sure.
        bytes: size of the input in bytes.
        skip: why the run cannot be graded (`log_likelihood`, …), else None.
    """

    path: str
    format: str
    reader: ItemReader = field(repr=False)
    version: str | None = None
    date: str | None = None
    model: str | None = None
    task: str = ""
    metrics: tuple[str, ...] = ()
    reported: tuple[tuple[str, float], ...] = ()
    kind: Kind | None = None
    bytes: int = 0
    skip: str | None = None

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        """The items in row order; a bad row is a `RowError`, and the next one follows."""
        return self.reader.items(part)

    def parts(self, batch_bytes: int = 8 * 2**20) -> Iterator[Part]:
        """Pieces for parallel workers, cut by bytes of text."""
        return self.reader.parts(batch_bytes)
